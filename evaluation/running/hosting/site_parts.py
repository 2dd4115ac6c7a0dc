"""The parts of a running site, each in its own process: web, four workers, beat."""

import os
import signal
import socket
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from celery import current_app as app
from celery import signals
from celery.exceptions import SecurityWarning
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import OperationalError
from gunicorn.app.base import BaseApplication

from evaluation.running.hosting import web_server
from evaluation.running.hosting.children import share_memory, tie_to_parent
from evaluation.running.hosting.database_roles import as_owner, grant_roles
from evaluation.running.hosting.schema import schema_fault

ALONE = ("--without-gossip", "--without-mingle", "--without-heartbeat")  # no messages between workers
WORKER = (
    "worker",
    "--queues=default,mail",
    "--pool=prefork",
    "--concurrency=2",
    "--hostname=default@%h",
    *ALONE,
)
# Claims allow 16 processes for imports and two for each of four other kinds of work; the last one handles
# messages while all are busy.
LONG = (
    "worker",
    "--queues=imports,scores,reports,operations",
    "--pool=prefork",
    "--autoscale=25,1",  # at most, at least
    "--hostname=long@%h",
    *ALONE,
)
# Threads: a model uses all cores by itself, and must never be loaded before a fork. One of them runs a shard,
# the others hold jobs that only wait for the answers of endpoints.
JUDGES = ("worker", "--queues=judges", "--pool=threads", "--concurrency=4", "--hostname=judges@%h", *ALONE)
# Tries judges on one pair while the worker of JUDGES is busy with jobs.
TRIALS = ("worker", "--queues=trials", "--pool=threads", "--concurrency=1", "--hostname=trials@%h", *ALONE)
BEAT = ("beat",)
CELERY_PARTS = {"worker": WORKER, "long": LONG, "judges": JUDGES, "trials": TRIALS, "beat": BEAT}
# A higher value gets less processor time while others need it: people wait for pages and saves, then for
# verdicts, trials, imports and pools, and not for models.
NICENESS = {"worker": 5, "trials": 5, "long": 5, "judges": 10, "beat": 0}
AUTOGROUP = Path("/proc/self/autogroup")  # proc(5): the niceness of this session

Announce = Callable[[], object]  # called once, when the part is ready
SitePart = Callable[[Announce], int | None]  # runs until it is stopped; returns its exit code

# Modules that are imported before the forks, so that the parts share their memory.
SHARED_MODULES = ("celery.bin.celery", "celery.apps.worker", "celery.apps.beat", "celery.worker.consumer")


def preload() -> None:
    """Import modules that the forks share: Celery's command line and the tasks."""
    for name in SHARED_MODULES:
        import_module(name)
    app.loader.import_default_modules()
    share_memory()


def setup(_announce: Announce) -> int:
    """Migrate the database and return the exit code.

    Unacknowledged tasks return to the embedded queue immediately, because all its workers were ours and are
    dead. An external queue may have other workers, so there they return after the visibility timeout.
    """
    try:
        with as_owner():  # the other role can read nothing of a database without its privileges
            is_current = not schema_fault()
    except OperationalError as error:
        print(f"The database does not answer: {error}", file=sys.stderr)  # noqa: T201
        return 1
    if not is_current:
        try:
            call_command("migrate", interactive=False)
        except CommandError as error:
            print(error, file=sys.stderr)  # noqa: T201
            return 1
    grant_roles()
    if settings.HAS_EMBEDDED_QUEUE:
        at_once = {**app.conf.broker_transport_options, "visibility_timeout": 0}
        with app.connection_for_write(transport_options=at_once) as broker:
            broker.channel().qos.restore_visible(num=None)  # type: ignore[attr-defined]  # of kombu's redis
    return 0


def web(listener: socket.socket) -> SitePart:
    """Return the part that serves pages on a socket, which stays open while the part restarts."""

    def run(announce: Announce) -> None:
        WebServer(listener, announce).run()

    return run


def celery_part(name: str) -> SitePart:
    """Return the part of CELERY_PARTS with this name, which runs Celery's command line at its niceness."""

    def run(announce: Announce) -> int | None:
        _yield_to_others(NICENESS[name])

        def on_ready(**_: object) -> None:
            announce()

        def on_fork(**_: object) -> None:
            tie_pool_child()

        tie_pool_child = tie_to_parent(signal.SIGKILL)
        for is_ready in (signals.worker_ready, signals.beat_init):
            is_ready.connect(on_ready, weak=False)
        signals.worker_process_init.connect(on_fork, weak=False)
        # Celery warns root of pickled messages, which can run code; we send and accept only JSON.
        warnings.filterwarnings("ignore", category=SecurityWarning)
        exit_code: int | None = app.start(["--quiet", *CELERY_PARTS[name]])
        return exit_code

    return run


def _yield_to_others(niceness: int) -> None:
    """Lower the priority of this process and its later children.

    Each part leads a session of its own. Where Linux groups processes by session (sched_autogroup_enabled),
    niceness is compared within a session only, and that of the session counts between them.
    """
    os.nice(niceness)
    with suppress(OSError):  # no such file: not Linux, or a kernel without these groups
        AUTOGROUP.write_text(str(os.getpriority(os.PRIO_PROCESS, 0)))


class WebServer(BaseApplication):
    """Gunicorn with the settings of web_server.py, on a socket that is already bound."""

    def __init__(self, listener: socket.socket, announce: Announce) -> None:
        self.listener, self.announce = listener, announce
        super().__init__()

    def load_config(self) -> None:
        """Load the settings of web_server.py, and ours."""
        for name in self.cfg.settings.keys() & vars(web_server).keys():
            self.cfg.set(name, getattr(web_server, name))
        self.cfg.set("bind", f"fd://{self.listener.fileno()}")
        tie = tie_to_parent(signal.SIGKILL)
        self.cfg.set("post_fork", lambda _server, _worker: tie())
        self.cfg.set("post_worker_init", lambda _worker: self.announce())

    def load(self) -> Any:
        """Return the WSGI application."""
        return import_module("evaluation.config.wsgi").application
