"""Resources of a test run: PostgreSQL, Valkey and Chromium, started on first use and stopped at the end."""

import gc
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, redirect_stdout
from copy import deepcopy
from io import StringIO
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import hypothesis
import pytest
from django.conf import settings
from django.db import connection, transaction
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Playwright
from pytest_django import DjangoDbBlocker
from pytest_django.live_server_helper import LiveServer
from pytest_django.plugin import blocking_manager_key

from evaluation.config.celery import app
from evaluation.config.settings_test import WORKER_VAR
from evaluation.running.hosting.addresses import EMBEDDED_NAME, EMBEDDED_WEB, socket_folder
from evaluation.running.hosting.embedded import EmbeddedServers, embedded_servers
from tests.collected_tests import has_module_fixture, refuse_commits_beside_whole_sites
from tests.evaluation.conftest import make_var, remove_var
from tests.lost_connection import reconnect
from tests.migrated_database import end_without_checkpoint, migrate_site, migrated_database, use_copy
from tests.running_browsers import run_chromium, run_firefox, run_playwright
from tests.whole_site import WholeSite

# The same examples in every run, so that only changed code turns a test red; no time limits.
hypothesis.settings.register_profile(
    "house", derandomize=True, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("house")

LEFT_OUT = re.compile(r"\bnot (\w+)")  # in the expression after -m, such as "not long and not whole"
MODULE_MARKS = re.compile(r"^pytestmark = .*", re.MULTILINE)
MARK = re.compile(r"pytest\.mark\.(\w+)")
NEED_TORCH = {"tiny_clip", "tiny_llava", "clip"}  # fixtures
SERVERS = pytest.StashKey[ExitStack]()

gc.disable()  # until all tests are collected


def start_servers() -> ExitStack:
    """Start the servers in the run's own folder; closing the result stops them and deletes the folder."""
    var = Path(settings.TRACKSIDE_VAR)
    stack = ExitStack()
    stack.callback(shutil.rmtree, socket_folder(var), ignore_errors=True)
    stack.callback(shutil.rmtree, var, ignore_errors=True)
    stack.enter_context(
        embedded_servers(EmbeddedServers(var, has_database=True, has_queue=True, is_durable=False))
    )
    stack.callback(end_without_checkpoint, var)
    return stack


def remove_leftovers() -> None:
    """Delete the folders of killed test runs: the process id in the name is dead, or is ours."""
    for folder in Path(tempfile.gettempdir()).resolve().glob(f"trackside-test-{os.getuid()}-*"):
        number = folder.name.rpartition("-")[2]
        if number == str(os.getpid()) or not Path("/proc", number).exists():
            shutil.rmtree(socket_folder(folder), ignore_errors=True)
            shutil.rmtree(folder, ignore_errors=True)


def pytest_sessionstart(session: pytest.Session) -> None:
    """With pytest-xdist, start the servers before its workers, which share them."""
    config = session.config
    if hasattr(config, "workerinput"):
        return
    remove_leftovers()
    if config.getoption("numprocesses", None):
        config.stash[SERVERS] = start_servers()
        early = threading.Thread(target=migrate_early, args=[config.stash[blocking_manager_key]], daemon=True)
        early.start()
        config.stash[SERVERS].callback(early.join)  # before the servers stop


def migrate_early(blocker: DjangoDbBlocker) -> None:
    """Migrate the database while the workers collect; a worker that needs it waits for the lock."""
    with redirect_stdout(StringIO()), blocker.unblock(), migrated_database():
        pass


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the servers after the workers."""
    if SERVERS in config.stash:
        config.stash[SERVERS].close()


@pytest.fixture(scope="session")
def servers(request: pytest.FixtureRequest) -> Iterator[None]:
    """PostgreSQL and Valkey, running."""
    if hasattr(request.config, "workerinput"):
        yield
    else:
        with start_servers():
            yield


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: DjangoDbBlocker, servers: None
) -> Iterator[None]:
    """A copy of the migrated database for each process; pytest-django would migrate each one.

    It is not dropped: it is deleted with the server.
    """
    with django_db_blocker.unblock():
        use_copy(os.environ.get("PYTEST_XDIST_WORKER", "alone"))
    yield
    with django_db_blocker.unblock():
        connection.close()


@pytest.fixture(scope="module")
def kept_whole_site(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[WholeSite]:
    """One whole site for all tests of a module, in an outer transaction that is rolled back.

    The module's ``HIDDEN_GRADE``, if any, is the grade that models and other assessors gave.
    """
    from tests.whole_site import make_whole_site  # most test runs do not need it

    with django_db_blocker.unblock(), transaction.atomic():
        yield make_whole_site(hidden_grade=getattr(request.module, "HIDDEN_GRADE", 2))
        transaction.set_rollback(True)


@pytest.fixture
def whole_site(kept_whole_site: WholeSite, db: None) -> WholeSite:
    """A fresh copy of the module's whole site; a test's changes in the database are rolled back."""
    return deepcopy(kept_whole_site)


@pytest.fixture
def empty_queue(servers: None) -> None:
    """An empty queue: delete the messages of earlier tests, which no worker has read."""
    with app.connection_for_write() as broker:
        broker.channel().client.flushdb()  # type: ignore[attr-defined]


@pytest.fixture
def sandbox_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Sandboxes are threads without limits, for tests of what is done with a file's content.

    They end before the limits return: a thread that sets one would set it for all later tests.
    """
    from tests.sandbox_threads import JobThread
    from trackside.sandbox import __main__ as process

    monkeypatch.setattr("evaluation.tracks.work.sandbox.Popen", JobThread)
    for limit in ("limit_first", "limit_memory"):
        monkeypatch.setattr(process, limit, lambda _limits: None)
    yield
    for thread in JobThread.started:
        thread.join()
    JobThread.started.clear()


@pytest.fixture(scope="session")
def made_site(servers: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Path]:
    """A var folder with a migrated database. Copy it; do not change it."""
    var = make_var()
    servers_of_site = EmbeddedServers(var, has_database=True, has_queue=True, is_durable=False)
    with embedded_servers(servers_of_site), django_db_blocker.unblock():
        migrate_site(var)
    yield var
    remove_var(var)


@pytest.fixture
def site_environment(transactional_db: None, empty_queue: None) -> dict[str, str]:
    """The environment of a process with the real settings on this test's database, queue and blobs."""
    host = settings.DATABASES["default"]["HOST"]
    place = f"/{connection.settings_dict['NAME']}?host={host}"
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "evaluation.config.settings",
        "DATABASE_URL": f"postgresql://{EMBEDDED_WEB}@{place}",
        "DATABASE_OWNER_URL": f"postgresql://{EMBEDDED_NAME}@{place}",
        "BROKER_URL": settings.CELERY_BROKER_URL,
        "TRACKSIDE_VAR": str(WORKER_VAR),
    }


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip modules whose tests are all deselected by a mark: importing torch takes seconds in each worker."""
    left_out = set(LEFT_OUT.findall(config.getoption("markexpr")))
    if not left_out or collection_path.suffix != ".py":
        return None
    marks = MODULE_MARKS.search(collection_path.read_text())
    return True if marks and left_out & set(MARK.findall(marks[0])) else None


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run tests that share a slow fixture (browser, sites, torch) or one of their module on one worker."""
    refuse_commits_beside_whole_sites(items)
    if not config.pluginmanager.hasplugin("xdist"):
        return
    for item in items:
        if item.get_closest_marker("xdist_group"):
            continue
        needed = getattr(item, "fixturenames", ())
        if "browser" in needed and not item.get_closest_marker("whole"):
            item.add_marker(pytest.mark.xdist_group("browser"))
        elif "browser" in needed or "kept_whole_site" in needed:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
        elif NEED_TORCH.intersection(needed):
            item.add_marker(pytest.mark.xdist_group("torch"))
        elif "made_site" in needed:
            item.add_marker(pytest.mark.xdist_group("made_site"))
        elif has_module_fixture(item):
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))


def pytest_collection_finish() -> None:
    """Collect garbage less often, and never among modules and tests: half a million objects that stay."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(10_000, 10, 20)


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """Playwright for the tests of a module."""
    yield from run_playwright()


@pytest.fixture(scope="module")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """A Chromium for the tests of a module."""
    yield from run_chromium(playwright)


@pytest.fixture(scope="module")
def firefox(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A Firefox for the tests of a module; they are skipped if the machine has none."""
    yield from run_firefox(playwright, tmp_path_factory.mktemp("firefox"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that is marked `both_engines` in Firefox, too, as a whole test."""
    if metafunc.definition.get_closest_marker("both_engines"):
        engines = ["chromium", pytest.param("firefox", marks=pytest.mark.whole)]
        metafunc.parametrize("browser", engines, indirect=True)


@pytest.fixture
def browser(request: pytest.FixtureRequest) -> Browser:
    """Chromium, or the browser whose fixture the parameter names."""
    found: Browser = request.getfixturevalue(getattr(request, "param", "chromium"))
    return found


@pytest.fixture
def context(
    request: pytest.FixtureRequest, browser: Browser, live_server: LiveServer
) -> Iterator[BrowserContext]:
    """A separate browser profile on the test's site; the fixture's parameter holds Playwright's options.

    Without service workers: a test could not replace the site's responses to them.
    """
    options = {"service_workers": "block"} | getattr(request, "param", {})
    with browser.new_context(base_url=live_server.url, **options) as context:
        yield context
    finish_requests(live_server)


def finish_requests(server: LiveServer) -> None:
    """Wait until the site, reachable again, is idle: a running request locks tables that are truncated next.

    Each connection has a thread, and all clients have disconnected. Connections are accepted in order: when
    the last request is answered, all earlier ones have their threads.
    """
    reconnect(server)
    try:
        urlopen(server.url + reverse("health")).close()
    except HTTPError as answer:  # 503 if the database or the queue is slow; any answer will do
        answer.close()
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join()


@pytest.fixture
def no_singles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Walls show no item alone: a cell has the number of its place."""
    monkeypatch.setattr("assessment.assigning.singles.is_single", lambda *_args, **_names: False)
