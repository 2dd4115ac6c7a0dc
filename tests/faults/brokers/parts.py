"""Parts of a site as processes that can be killed and started again."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings

from evaluation.hosting import site_parts
from evaluation.hosting.children import tie_to_parent
from evaluation.hosting.servers.install import Account
from tests.faults.brokers.kinds import Broker

CELERY = (sys.executable, "-m", "celery", "--app=evaluation.config.celery", "--quiet")


class Parts:
    """Parts with one environment and one log, each a process group."""

    def __init__(self, env: dict[str, str], log: Path) -> None:
        self.env, self.log = env, log
        self.broker: Broker | None = None
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.commands: dict[str, tuple[Sequence[str], Account | None]] = {}

    def run(self, name: str, command: Sequence[str], account: Account | None = None) -> None:
        """Start a part, as another account if one is given."""
        self.commands[name] = command, account
        with self.log.open("ab") as log:
            self.running[name] = subprocess.Popen(
                command,
                cwd=settings.ROOT,
                env=self.env,
                stdout=log,
                stderr=subprocess.STDOUT,
                process_group=0,
                user=account.uid if account else None,
                group=account.gid if account else None,
                preexec_fn=tie_to_parent(signal.SIGKILL),
            )

    def start(self, name: str, words: tuple[str, ...]) -> None:
        """Start a part of Celery."""
        self.run(name, [*CELERY, *words])

    def start_again(self, name: str) -> None:
        """Start a killed part with its former command."""
        self.run(name, *self.commands[name])

    def start_all(self) -> None:
        """Start the workers of checks and long work, and beat."""
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
