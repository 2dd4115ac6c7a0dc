"""Run tests on a mutant, in a process forked from one that has imported everything but our modules.

The mutant is never written to disk: an import hook gives its source to the process that tests it.
"""

import contextlib
import importlib.machinery
import importlib.util
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from types import CodeType, ModuleType

import pytest

from tests.mutants.mutant import Mutant
from tests.mutants.targets import ROOT, Target

PURE = ["-c", str(Path(__file__).with_name("pytest.ini")), f"--rootdir={ROOT}"]
SITE = [
    "-p",
    "no:xdist",
    "-p",
    "no:cacheprovider",
    "-W",
    "ignore:Module already imported so cannot be rewritten",
]
MEMORY = 8 * 2**30  # bytes that a mutant may allocate
SLOWER = 5  # times as long as without a change, until a mutant counts as noticed
GRACE = 10.0  # s beside that


class Outcome(StrEnum):
    """The outcome of a mutant's tests."""

    KILLED = "killed"
    SURVIVED = "survived"
    TIMED_OUT = "timed out"
    UNTRIED = "untried"


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from the mutant's source."""

    def __init__(self, mutant: Mutant, path: str) -> None:
        super().__init__(mutant.module, path)
        self._source = mutant.source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._source, self.path, "exec")


class _Finder:
    """Finds the mutant instead of its module."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._mutant.module:
            return None
        found = importlib.machinery.PathFinder.find_spec(fullname, path)
        assert found
        assert found.origin
        loader = _Loader(self._mutant, found.origin)
        return importlib.util.spec_from_file_location(
            fullname, found.origin, loader=loader, submodule_search_locations=found.submodule_search_locations
        )


class OnSharedServers:
    """Makes pytest act as a pytest-xdist worker, whose servers another process has started."""

    def pytest_configure(self, config: pytest.Config) -> None:
        config.workerinput = {"workerid": "gw0"}  # type: ignore[attr-defined]


def warm_up() -> None:
    """Import the third-party modules of the tests once, so that the forks need not."""
    import celery  # noqa: F401
    import django.test  # noqa: F401
    import hypothesis
    import hypothesis.extra.numpy
    import polars  # noqa: F401, ICN001
    import psycopg  # noqa: F401
    import scipy.stats  # noqa: F401

    profile = hypothesis.settings(
        derandomize=True, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
    )
    hypothesis.settings.register_profile("mutants", profile)
    hypothesis.settings.load_profile("mutants")


@contextlib.contextmanager
def servers() -> Iterator[None]:
    """Start PostgreSQL and Valkey for the tests of all mutants; the first of them migrates the database."""
    from evaluation.running.hosting.addresses import socket_folder
    from evaluation.running.hosting.embedded import EmbeddedServers, embedded_servers

    var = Path(os.environ["TRACKSIDE_TEST_VAR"])
    try:
        with embedded_servers(EmbeddedServers(var, has_database=True, has_queue=True, is_durable=False)):
            yield
    finally:
        shutil.rmtree(socket_folder(var), ignore_errors=True)
        shutil.rmtree(var, ignore_errors=True)


class Limits:
    """How long the tests of modules may take on a mutant: from the time that they take without a change."""

    def __init__(self) -> None:
        self._seconds: dict[tuple[str, ...], float] = {}

    def of(self, target: Target, tests: Sequence[str]) -> float:
        """Return the seconds; the first time, run the tests on the module as it is."""
        key = tuple(tests)
        if key not in self._seconds:
            started = time.monotonic()
            if _outcome(None, tests, 1800) != Outcome.SURVIVED:
                raise SystemExit(f"{target.module}: tests fail without a change: {' '.join(tests)}")
            self._seconds[key] = SLOWER * (time.monotonic() - started) + GRACE
        return self._seconds[key]


def try_mutant(target: Target, mutant: Mutant, limits: Limits) -> Outcome:
    """Run the nearest tests, and the others if these notice nothing."""
    for tests in filter(None, (target.near, target.far)):
        outcome = _outcome(mutant, tests, limits.of(target, tests))
        if outcome != Outcome.SURVIVED:
            return outcome
    return Outcome.SURVIVED


def _outcome(mutant: Mutant | None, tests: Sequence[str], limit: float) -> Outcome:
    with tempfile.TemporaryFile() as output:
        child = os.fork()
        if not child:
            _run(mutant, tests, output.fileno())
        code = wait_for(child, limit)
        if code and not mutant:
            output.seek(0)
            print(output.read().decode()[-4000:], file=sys.stderr)
    if code is None:
        return Outcome.TIMED_OUT
    return (
        Outcome.SURVIVED
        if code in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}
        else Outcome.KILLED
    )


def _run(mutant: Mutant | None, tests: Sequence[str], output: int) -> None:
    """Run the tests in this forked process, and end it."""
    code = 99
    with contextlib.suppress(BaseException):
        os.setpgrp()
        os.dup2(output, 1)
        os.dup2(output, 2)
        if mutant:
            sys.meta_path.insert(0, _Finder(mutant))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        chosen = ["-x", "-q", "-m", "not long and not whole and not browser"]
        code = int(pytest.main([*PURE, *chosen, *tests]))
    os._exit(code)


def wait_for(child: int, limit: float) -> int | None:
    """Return the exit code of the process, None if it had to be killed."""
    ends = time.monotonic() + limit
    with _group(child):
        while time.monotonic() < ends:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.02)
    os.waitpid(child, 0)
    return None


@contextlib.contextmanager
def _group(leader: int) -> Iterator[None]:
    """Kill the remaining processes of a group at the end of the block."""
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(leader, signal.SIGKILL)
