"""The embedded PostgreSQL and Valkey, each on one private socket, with options for a laptop."""

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import psycopg
import redis
from psycopg import sql

from evaluation.running.hosting.addresses import EMBEDDED_NAME, EMBEDDED_WEB
from evaluation.running.hosting.servers.install import (
    POSTGRES_MAJOR,
    SHARED_HOME,
    Account,
    postgres_install,
    valkey_server,
)
from evaluation.running.hosting.servers.server import spawn
from trackside.errors import InputError

OPTIONS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "90",  # 4 x 4 of the web processes, those of workers, some for shells
    "shared_buffers": "128MB",
    "work_mem": "16MB",
    "maintenance_work_mem": "128MB",
    "random_page_cost": "1.1",  # SSD
    "wal_level": "minimal",  # no replication, so no process for it
    "max_logical_replication_workers": "0",
    "max_wal_senders": "0",
    "max_wal_size": "512MB",
    "io_method": "sync",  # saves three processes
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
}
# Only for tests: a crash of the machine can destroy the cluster.
UNSAFE_OPTIONS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


class Postgres:
    """The PostgreSQL of one var folder."""

    name = "PostgreSQL"
    stop_signal = signal.SIGINT  # fast: ends the sessions, then shuts down cleanly
    hurry_signal = signal.SIGQUIT  # immediate: the next start replays the log

    def __init__(self, var: Path, sockets: Path, *, is_durable: bool) -> None:
        self.var, self.sockets, self.is_durable = var, sockets, is_durable
        self.folder = var / "postgres"
        self.log = var / "log" / "postgres.log"
        self.account = Account.for_cluster(self.folder)

    def answers(self) -> bool:
        """Return whether a server answers on our socket."""
        try:
            self._connect().close()
        except psycopg.OperationalError:
            return False
        return True

    def start(self) -> "subprocess.Popen[bytes]":
        """Create the cluster on first use and start it.

        Raises:
            InputError: the folder belongs to another major version.
        """
        install = postgres_install(self.account)
        if not self.folder.exists():
            self._make_cluster(install)
        version = (self.folder / "PG_VERSION").read_text(encoding="ascii").strip()
        if version != str(POSTGRES_MAJOR):
            raise InputError(
                f"PostgreSQL {version} created {self.folder}, but the embedded one is {POSTGRES_MAJOR}. "
                "Make a backup with the release of Trackside that created it (manage.py backup), move the "
                "folder away, restore."
            )
        # No process runs in the folder, so the file is stale; another program may have its process id.
        (self.folder / "postmaster.pid").unlink(missing_ok=True)
        options = OPTIONS | {"unix_socket_directories": str(self.sockets)}
        options |= {} if self.is_durable else UNSAFE_OPTIONS
        return spawn(
            [
                install / "bin" / "postgres",
                *("-D", self.folder.resolve()),
                *(f"--{name}={value}" for name, value in options.items()),
            ],
            account=self.account,
            log=self.log,
            end=self.stop_signal,
            env={"LC_ALL": "C"},
        )

    def ensure_database(self) -> None:
        """Create the site's database and the role of web and workers in a running cluster."""
        with self._connect() as connection:
            names = connection.execute("SELECT datname FROM pg_database").fetchall()
            if (EMBEDDED_NAME,) not in names:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(EMBEDDED_NAME)))
            roles = connection.execute("SELECT rolname FROM pg_roles").fetchall()
            if (EMBEDDED_WEB,) not in roles:
                connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(EMBEDDED_WEB)))

    def _connect(self) -> "psycopg.Connection[tuple[object, ...]]":
        return psycopg.connect(
            host=str(self.sockets), user=EMBEDDED_NAME, dbname="postgres", connect_timeout=5, autocommit=True
        )

    def _make_cluster(self, install: Path) -> None:
        """Run initdb in a temporary folder and rename it, so that a kill leaves no partial cluster."""
        home = self._home()
        draft = home / "postgres.new"
        shutil.rmtree(draft, ignore_errors=True)
        self.account.own(draft)
        command: list[str | Path] = [
            *(install / "bin" / "initdb", "-D", draft, "-U", EMBEDDED_NAME, "--auth=trust"),
            *("--encoding=UTF8", "--locale=C"),
            *("--locale-provider=builtin", "--builtin-locale=C.UTF-8"),  # the same on each machine
            *([] if self.is_durable else ["--no-sync"]),
        ]
        spawned = spawn(command, account=self.account, log=self.log, end=signal.SIGKILL, env={"LC_ALL": "C"})
        if spawned.wait() != 0:
            text = self.log.read_text(encoding="utf-8", errors="replace")
            raise InputError(f"initdb could not create the database folder:\n{text}")
        draft.rename(home / "postgres")
        if home != self.var:
            self.folder.symlink_to(home / "postgres")

    def _home(self) -> Path:
        """Return the folder to create the cluster in: var, or another one if the account cannot enter it."""
        if self.account.can_reach(self.var):
            return self.var
        SHARED_HOME.mkdir(parents=True, exist_ok=True)
        SHARED_HOME.chmod(0o755)  # regardless of the umask
        home = Path(tempfile.mkdtemp(prefix=f"{self.sockets.name}-", dir=SHARED_HOME))
        os.chown(home, self.account.uid, self.account.gid)
        return home


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
