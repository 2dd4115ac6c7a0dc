"""The browsers of this package's tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.firefox import firefox_program, running_firefox
from tests.conftest import run_chromium

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.browser.firefox import Firefox


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One Chromium for tests of this package that run one after another: its start takes a second."""
    yield from run_chromium()


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    """Firefox with a new profile; the test is skipped if the machine has none."""
    program = firefox_program()
    if not program:
        pytest.skip("this machine has no Firefox")
    profile = tmp_path / "firefox"
    profile.mkdir()
    with running_firefox(program, profile) as browser:
        yield browser
