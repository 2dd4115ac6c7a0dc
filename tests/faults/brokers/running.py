"""Brokers as separate processes: the wheel's Valkey, and the machine's Redis and RabbitMQ."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import kombu
import pytest
from django.conf import settings
from kombu import pools

from evaluation.config.celery import app
from evaluation.running.hosting.children import tie_to_parent
from evaluation.running.hosting.servers.install import Account, valkey_server
from tests import site_part
from tests.faults.slow_clients import free_port

PATIENCE = 300  # seconds until a broker that does not start fails the test
RABBITMQ = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")  # the script in sbin would change the user
# Kill the process group when the process at the other end of the pipe ends, also by kill -9: RabbitMQ's
# script starts processes that do not get the kernel's signal at a parent's death.
LAUNCHER = """
import os, signal, subprocess, sys
subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
sys.stdin.read()
os.killpg(0, signal.SIGKILL)
"""
CONSUMER_TIMEOUT = 5_000  # ms that a message may stay unacknowledged; 30 minutes unless set


@dataclass
class Broker:
    """A broker's processes; a killed broker starts again with its address and its queues."""

    folder: Path
    address: str = ""
    servers: list[tuple[list[str], dict[str, str]]] = field(default_factory=list)  # command, environment
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.running = [self._start(command, env) for command, env in self.servers]
        _wait_until_answering(self.address)

    def kill(self) -> None:
        """Kill all its processes."""
        for process in self.running:
            assert process.stdin
            process.stdin.close()
            process.wait()
        self.running = []

    def _start(self, command: list[str], env: dict[str, str]) -> subprocess.Popen[bytes]:
        with (self.folder / f"{Path(command[0]).name}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-c", LAUNCHER, *command],
                env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **env},
                cwd=self.folder,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )


@contextmanager
def broker(kind: str, folder: Path) -> Iterator[Broker]:
    """Run a broker that keeps its queues in the folder. Skips if it is not installed."""
    made = {"valkey": _valkey, "redis": _redis, "rabbitmq": _rabbitmq}[kind](folder)
    made.start()
    try:
        yield made
    finally:
        made.kill()


def _valkey(folder: Path) -> Broker:
    return _with_socket(folder, str(valkey_server()))


def _redis(folder: Path) -> Broker:
    found = shutil.which("redis-server")
    if not found:
        pytest.skip("redis-server is not installed")
    return _with_socket(folder, found)


def _with_socket(folder: Path, server: str) -> Broker:
    path = folder / "queue.sock"
    options = ["--port", "0", "--unixsocket", str(path), "--dir", str(folder), "--appendonly", "yes"]
    return Broker(folder, f"redis+socket://{path}", [([server, *options], {})])


def _rabbitmq(folder: Path) -> Broker:
    if not RABBITMQ.exists() or not shutil.which("epmd"):
        pytest.skip("rabbitmq-server is not installed")
    port, epmd, distribution = (free_port() for _ in range(3))
    advanced = folder / "advanced.config"
    # Check every second, not every minute, for consumers that keep a message too long.
    advanced.write_text(
        f"[{{rabbit, [{{consumer_timeout, {CONSUMER_TIMEOUT}}}, {{channel_tick_interval, 1000}}]}}].\n"
    )
    env = {
        "HOME": str(folder),
        "ERL_EPMD_PORT": str(epmd),
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODENAME": f"trackside{port}@localhost",
        "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODE_PORT": str(port),
        "RABBITMQ_DIST_PORT": str(distribution),
        "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
        "RABBITMQ_LOG_BASE": str(folder / "log"),
        "RABBITMQ_ADVANCED_CONFIG_FILE": str(advanced),
        "RABBITMQ_CONFIG_FILE": str(folder / "none"),
        "RABBITMQ_CONF_ENV_FILE": "/dev/null",
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
    }
    servers = [(["epmd", "-port", str(epmd)], env), ([str(RABBITMQ)], env)]
    return Broker(folder, f"amqp://guest:guest@127.0.0.1:{port}//", servers)


def _wait_until_answering(address: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with kombu.Connection(address, connect_timeout=2) as connection:
                connection.ensure_connection(max_retries=1)
        except (OSError, kombu.exceptions.KombuError, kombu.exceptions.OperationalError):
            assert time.monotonic() < deadline, "the broker does not answer"
            time.sleep(0.5)
        else:
            return


class Parts:
    """Parts with one environment and one log, each a session."""

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
                start_new_session=True,
                user=account.uid if account else None,
                group=account.gid if account else None,
                preexec_fn=tie_to_parent(signal.SIGKILL),
            )

    def start(self, name: str, *modules: str) -> None:
        """Start a part of Celery as `manage.py up` does, modules imported first."""
        self.run(name, site_part.command(name, *modules))

    def start_again(self, name: str) -> None:
        """Start a killed part with its former command."""
        self.run(name, *self.commands[name])

    def start_all(self) -> None:
        """Start the workers of checks and long work, and beat."""
        for name in ("long", "worker", "beat"):
            self.start(name)

    def kill(self, name: str) -> None:
        process = self.running.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def kill_all(self) -> None:
        for name in list(self.running):
            self.kill(name)


KINDS = ["valkey", "redis", "rabbitmq"]


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
        server = stack.enter_context(broker(kind, folder))
        before = app.conf.broker_url
        send_to(server.address)
        stack.callback(send_to, before)
        parts = Parts(environment | {"BROKER_URL": server.address}, folder / "parts.log")
        parts.broker = server
        stack.callback(parts.kill_all)
        yield parts
