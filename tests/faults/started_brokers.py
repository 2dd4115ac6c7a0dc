"""Brokers of every kind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kombu import pools

from evaluation.config.celery import app
from evaluation.hosting import site_parts
from evaluation.hosting.children import tie_to_parent
from tests.faults.brokers import broker

if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS = ["valkey", "redis", "rabbitmq"]


class Parts:
    """The site's workers and beat on one broker, each a process group that can be killed."""

    def __init__(self, env: dict[str, str], log: Path) -> None:
        self.env, self.log = env, log
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, words: tuple[str, ...]) -> None:
        command = [sys.executable, "-m", "celery", "--app=evaluation.config.celery", "--quiet", *words]
        with self.log.open("ab") as log:
            self.running[name] = subprocess.Popen(
                command,
                env=self.env,
                stdout=log,
                stderr=subprocess.STDOUT,
                process_group=0,
                preexec_fn=tie_to_parent(signal.SIGKILL),
            )

    def start_all(self) -> None:
        for name, words in (
            ("long", site_parts.LONG),
            ("worker", site_parts.WORKER),
            ("beat", site_parts.BEAT),
        ):
            self.start(name, words)

    def kill(self, name: str) -> None:
        process = self.running.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def kill_all(self) -> None:
        for name in list(self.running):
            self.kill(name)


def send_to(address: str) -> None:
    """Make this process send its messages to the broker."""
    sender: Any = app
    pools.reset()  # kombu keeps a pool for each address, and a pool that is closed stays closed
    app.conf.update(broker_url=address)
    sender._pool = sender.amqp._producer_pool = None


@contextmanager
def parts_on(kind: str, environment: dict[str, str], folder: Path) -> Iterator[Parts]:
    """Parts that are not started yet, on a broker of the kind; this process sends its messages there, too."""
    with ExitStack() as stack:
        address = stack.enter_context(broker(kind, folder))
        before = app.conf.broker_url
        send_to(address)
        stack.callback(send_to, before)
        parts = Parts(environment | {"BROKER_URL": address}, folder / "parts.log")
        stack.callback(parts.kill_all)
        yield parts
