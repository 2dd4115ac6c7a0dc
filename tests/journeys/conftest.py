import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page
from pytest_django.live_server_helper import LiveServer

from evaluation.config.celery import app
from tests import site_part
from tests.conftest import finish_requests

SHUTDOWN_SECONDS = 120  # a worker ends its tasks first


@pytest.fixture
def workers(
    site_environment: dict[str, str], tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Path]:
    """The site's four workers, as `manage.py up` runs them: their log.

    Other tests beside them are no part of a site, so only a test of busy machines yields to these.
    """
    is_nice = "busy_machine" in request.fixturenames
    environment = site_environment | {"OMP_NUM_THREADS": "1", site_part.IS_NICE: str(int(is_nice))}
    path = tmp_path / "workers.log"
    with path.open("w+") as log:
        started = [_start(name, environment, log.fileno()) for name in ("worker", "long", "judges", "trials")]
        try:
            yield path
        finally:
            for process in started:
                process.send_signal(signal.SIGTERM)
            for process in started:
                _end(process)
            app.control.purge()
            log.seek(0)
            print(log.read())  # pytest shows it when the journey fails


def _start(name: str, environment: dict[str, str], log: int) -> subprocess.Popen[bytes]:
    command = site_part.command(name)
    return subprocess.Popen(command, env=environment, start_new_session=True, stdout=log, stderr=log)


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(SHUTDOWN_SECONDS)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def open_browser(browser: Browser, live_server: LiveServer) -> Iterator[Callable[[], Page]]:
    """Opens a browser for one more person; a script's error or blocked content fails the journey."""
    faults: list[str] = []
    with ExitStack() as stack:

        def open_browser() -> Page:
            page = stack.enter_context(browser.new_context(base_url=live_server.url)).new_page()
            page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
            page.on("console", lambda said: note(page, said))
            return page

        def note(page: Page, said: ConsoleMessage) -> None:
            if said.type == "error":
                faults.append(f"{page.url}: {said.text}")

        yield open_browser
    finish_requests(live_server)
    assert faults == []
