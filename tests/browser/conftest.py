"""The browsers of this package's tests."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright

from tests.running_browsers import run_chromium, run_firefox, run_playwright


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """One Playwright for tests of this package that run one after another."""
    yield from run_playwright()


@pytest.fixture(scope="package")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """One Chromium for all of them: its start takes a second."""
    yield from run_chromium(playwright)


@pytest.fixture(scope="package")
def firefox(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One Firefox for all of them; tests are skipped if the machine has none."""
    yield from run_firefox(playwright, tmp_path_factory.mktemp("firefox"))
