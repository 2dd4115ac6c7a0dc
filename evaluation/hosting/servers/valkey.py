"""The embedded Valkey: the queue, on one private socket, persisted in an append-only file."""

import os
import signal
import subprocess
from pathlib import Path

import redis

from evaluation.hosting.servers.account import Account
from evaluation.hosting.servers.binaries import valkey_server
from evaluation.hosting.servers.server import spawn


class Valkey:
    """The Valkey of one var folder; it runs as our own account."""

    name = "Valkey"
    stop_signal = signal.SIGTERM
    hurry_signal = signal.SIGKILL

    def __init__(self, var: Path, sockets: Path, *, is_durable: bool) -> None:
        self.socket = sockets / "valkey.sock"
        self.is_durable = is_durable
        self.folder = var / "valkey"
        self.log = var / "log" / "valkey.log"

    def answers(self) -> bool:
        """Return whether a server answers on our socket; not yet while it loads."""
        with redis.Redis(unix_socket_path=str(self.socket), socket_timeout=5) as client:
            try:
                return bool(client.ping())
            except (redis.ConnectionError, redis.TimeoutError):
                return False

    def start(self) -> "subprocess.Popen[bytes]":
        """Start it."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        command = [
            *(valkey_server(), "--port", "0", "--unixsocket", self.socket, "--unixsocketperm", "700"),
            *("--dir", self.folder.resolve(), "--save", "", "--daemonize", "no"),
            *("--appendonly", "yes" if self.is_durable else "no", "--appendfsync", "everysec"),
        ]
        account = Account(os.geteuid(), os.getegid())
        return spawn(command, account=account, log=self.log, end=self.stop_signal, env={"LC_ALL": "C"})
