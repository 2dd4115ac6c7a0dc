"""Separate sites for the tests that start, kill and restart servers; queued tasks."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from evaluation.running.hosting.addresses import socket_folder
from evaluation.running.hosting.children import tie_to_parent
from evaluation.running.hosting.embedded import EmbeddedServers, embedded_servers

# Seconds until a test gives up waiting: no claim about speed, and more than the site's own limits together.
PATIENCE = 300.0


def wait_for(is_so: Callable[[], object], what: str) -> None:
    """Wait until something is so, and fail when it does not come."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, f"waited in vain: {what}"
        time.sleep(0.05)


def living(pids: Iterable[int]) -> set[int]:
    """The processes that are alive; a zombie is not."""
    states = {}
    for pid in pids:
        with suppress(FileNotFoundError, ProcessLookupError):
            states[pid] = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return {pid for pid, state in states.items() if state != "Z"}


def children(pid: int) -> set[int]:
    """The living children of a process."""
    return living(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def make_var() -> Path:
    """Make a folder that the account which root drops to can reach, as pytest's own are not."""
    folder = Path(tempfile.mkdtemp(prefix="trackside-var-")).resolve()
    folder.chmod(0o755)
    return folder


def remove_var(var: Path) -> None:
    shutil.rmtree(socket_folder(var), ignore_errors=True)
    shutil.rmtree(var, ignore_errors=True)


@pytest.fixture(scope="session")
def made_cluster() -> Iterator[Path]:
    """A var folder whose cluster was started once; only to be copied."""
    var = make_var()
    with embedded_servers(EmbeddedServers(var, has_database=True, has_queue=True, is_durable=False)):
        pass
    yield var
    remove_var(var)


@pytest.fixture
def var(made_cluster: Path) -> Iterator[Path]:
    """A var folder with an empty cluster, stopped."""
    folder = copied(made_cluster)
    yield folder
    remove_var(folder)


@pytest.fixture
def site(made_site: Path) -> Iterator[Path]:
    """The var folder of a site that was up before, stopped."""
    folder = copied(made_site)
    yield folder
    remove_var(folder)


def copied(made: Path) -> Path:
    folder = make_var()
    subprocess.run(["cp", "-a", f"{made}/.", folder], check=True)
    return folder


class Process:
    """A Python process of a site, its output gathered in a file so that it never blocks."""

    def __init__(self, var: Path, *arguments: str, **env: str) -> None:
        self.output = var / f"output-{time.monotonic_ns()}"
        with self.output.open("wb") as output:
            self.child = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=settings.ROOT,
                env=site_env(var) | env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=tie_to_parent(signal.SIGKILL),  # should pytest itself be killed
            )

    @property
    def text(self) -> str:
        return self.output.read_text(errors="replace")  # it may end within a character yet

    def wait_for_text(self, text: str) -> None:
        def has_come() -> bool:
            return text in self.text or self.child.poll() is not None

        wait_for(has_come, text)
        assert text in self.text, self.text

    def end(self, number: signal.Signals) -> int:
        """Send a signal to the whole group, as a terminal does, and return the exit code."""
        os.killpg(self.child.pid, number)
        return self.child.wait(PATIENCE)


def site_env(var: Path) -> dict[str, str]:
    """The environment of a site in a folder, with no other settings."""
    return {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "evaluation.config.settings",
        "TRACKSIDE_ENV_FILE": os.devnull,
        "TRACKSIDE_VAR": str(var),
        "PYTHONUNBUFFERED": "1",
    }


@pytest.fixture
def start() -> Iterator[Callable[..., Process]]:
    """Starts processes, and leaves none behind."""
    started: list[Process] = []

    def start_one(var: Path, *arguments: str, **env: str) -> Process:
        started.append(Process(var, *arguments, **env))
        return started[-1]

    yield start_one
    for process in started:
        if process.child.poll() is None:
            process.end(signal.SIGKILL)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The tasks that were queued, recorded instead of sent."""
    queued: list[Any] = []
    monkeypatch.setattr("celery.Celery.send_task", lambda _, name, args=(): queued.append((name, args)))
    return queued
