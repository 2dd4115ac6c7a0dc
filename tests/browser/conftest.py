"""A real Chromium. Without one these tests fail, unless BROWSER=no says that none is wanted."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's Chromium, or else Playwright's own."""
    if os.environ.get("BROWSER") == "no":
        pytest.skip("BROWSER=no")
    # Playwright's loop runs in the thread of the test, which Django takes for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "yes"
    # Chromium has no sandbox for root, which runs the tests in containers.
    args = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=args)
        yield browser
        browser.close()
