import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page
from pytest_django.live_server_helper import LiveServer

from evaluation.config.celery import app
from evaluation.running.hosting.site_parts import JUDGES, LONG, TRIALS, WORKER
from tests.conftest import finish_requests

SHUTDOWN_SECONDS = 120  # a worker ends its tasks first


@pytest.fixture
def workers(site_environment: dict[str, str], tmp_path: Path) -> Iterator[Path]:
    """The site's four workers, as `manage.py up` runs them: their log."""
    environment = site_environment | {"OMP_NUM_THREADS": "1"}
    path = tmp_path / "workers.log"
    with path.open("w+") as log:
        started = [_start(words, environment, log.fileno()) for words in (WORKER, LONG, JUDGES, TRIALS)]
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


def _start(words: tuple[str, ...], environment: dict[str, str], log: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "celery", "-A", "evaluation.config.celery", "--quiet", *words]
    return subprocess.Popen(command, env=environment, process_group=0, stdout=log, stderr=log)


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
