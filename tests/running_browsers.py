"""Browsers for tests: Chromium, and Debian's Firefox by WebDriver BiDi, both driven by Playwright."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright

BROWSER_PATIENCE = 30_000  # ms to wait for what a page should show; enough for slow machines
PROGRAMS = ("firefox-esr", "firefox")
RELAY = Path(__file__).parent / "browser" / "firefox_relay.py"
FONTS = (
    Path(__file__).parent / "fonts.conf"
)  # without it system-ui differs by machine, and pages by a tenth in height
START_PATIENCE = 90_000  # ms
# Idle connections are closed after a second: a test waits for the end of all before its tables are truncated.
SETTINGS: dict[str, str | float | bool] = {"network.http.keep-alive.timeout": 1}


def run_playwright() -> Iterator[Playwright]:
    """Run Playwright, unless BROWSER=no. While it runs, its event loop occupies the thread of the tests."""
    from playwright.sync_api import expect, sync_playwright  # slow to import, and most tests do not need it

    if os.environ.get("BROWSER") == "no":
        pytest.skip("BROWSER=no")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = (
        "yes"  # Django takes the thread of Playwright's loop for asynchronous code
    )
    os.environ["FONTCONFIG_FILE"] = str(FONTS)
    expect.set_options(timeout=BROWSER_PATIENCE)
    with sync_playwright() as playwright:
        yield playwright
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"], os.environ["FONTCONFIG_FILE"]


def run_chromium(playwright: Playwright) -> Iterator[Browser]:
    """Run the system's Chromium, else Playwright's. Fails without one."""
    # Chromium has no sandbox for root, which runs the tests in containers.
    args = ["--no-sandbox"] if os.geteuid() == 0 else []
    with playwright.chromium.launch(executable_path=shutil.which("chromium"), args=args) as browser:
        yield browser


def run_firefox(playwright: Playwright, folder: Path) -> Iterator[Browser]:
    """Run headless Firefox; skip the test if the machine has none. The folder gets its launcher."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if not program:
        pytest.skip("this machine has no Firefox")
    launcher = folder / "firefox"
    launcher.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{RELAY}" "{program}" "$@"\n')
    launcher.chmod(0o755)
    with playwright.firefox.launch(
        channel="moz-firefox",
        executable_path=launcher,
        env={**os.environ, "HOME": str(folder)},
        firefox_user_prefs=SETTINGS,
        timeout=START_PATIENCE,
    ) as browser:
        yield browser
