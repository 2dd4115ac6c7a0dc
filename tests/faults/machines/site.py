"""A site on two machines with separate folders, behind nginx and PgBouncer as shipped."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings

from evaluation.running.hosting import site_parts
from evaluation.running.hosting.servers.install import Account
from tests.evaluation.other_postgresql import OtherPostgres, found, other_postgres
from tests.evaluation.s3_servers import s3_server
from tests.faults.brokers.running import Broker, Parts, broker
from tests.faults.slow_clients import free_port, nginx_command, page

MACHINES = ("first", "second")
BUCKET = "track"
# Each machine runs all of these; beat and its standby, too.
CELERY_PARTS = ("worker", "long", "judges", "trials", "beat")


@dataclass
class Machines:
    """The site: its proxy's port, what it consists of, and the common environment of its processes."""

    port: int
    env: dict[str, str]
    folder: Path
    broker: Broker
    database: OtherPostgres
    shared: Parts  # proxy and pooler
    machines: dict[str, Parts]
    ports: dict[str, int]  # of the machines' web servers

    def env_of(self, name: str) -> dict[str, str]:
        """The environment of a new machine."""
        return self.env | {"TRACKSIDE_VAR": str(made(self.folder / name))}

    def logs(self) -> str:
        """What the parts of the site have logged."""
        return "".join(parts.log.read_text(errors="replace") for parts in self.machines.values())

    def restart_broker(self) -> None:
        """Kill the broker and start it again."""
        self.broker.kill()
        self.broker.start()

    def restart_database(self) -> None:
        """End the database at once, as a crash does, and start it again, which replays its log."""
        self.database.stop(signal.SIGQUIT)
        self.database.start()


@contextmanager
def site_on_two_machines(kind: str, major: int, folder: Path) -> Iterator[Machines]:
    """Start a migrated site on this kind of broker and this major version of PostgreSQL."""
    for program in ("nginx", "pgbouncer"):
        if not shutil.which(program):
            pytest.skip(f"{program} is not installed")
    with ExitStack() as stack:
        queue = stack.enter_context(broker(kind, made(folder / "broker")))
        database = stack.enter_context(other_postgres(found(major)))
        storage = stack.enter_context(s3_server("moto", made(folder / "storage")))
        storage.bucket(BUCKET)
        proxy, pooler = free_port(), free_port()
        env = {
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "evaluation.config.settings",
            "TRACKSIDE_ENV_FILE": os.devnull,
            "SECRET_KEY": "one key of all machines",
            "SITE_URL": f"http://127.0.0.1:{proxy}",
            "BEHIND_PROXY": "yes",
            "DATABASE_URL": database.address,
            "DATABASE_POOLER_URL": f"postgresql://site@127.0.0.1:{pooler}/site",
            "BROKER_URL": queue.address,
            "S3_BUCKET": BUCKET,
            "S3_ENDPOINT_URL": storage.endpoint,
            "S3_REGION": "us-east-1",
            "S3_ACCESS_KEY_ID": storage.key,
            "S3_SECRET_ACCESS_KEY": storage.secret,
            "RATES": "upload=10000/h",
            "PYTHONUNBUFFERED": "1",
        }
        shared = Parts(env, folder / "shared.log")
        stack.callback(shared.kill_all)
        shared.run("pooler", *pooler_command(made(database.home / "pooler"), pooler, database))
        migrate(env | {"TRACKSIDE_VAR": str(made(folder / "setup"))})
        machines = {}
        ports = {name: free_port() for name in MACHINES}
        for name, port in ports.items():
            machines[name] = machine(name, port, env, folder)
            stack.callback(machines[name].kill_all)
        shared.run("proxy", nginx_command(made(folder / "proxy"), proxy, *ports.values()))
        yield Machines(proxy, env, folder, queue, database, shared, machines, ports)


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def pooler_command(folder: Path, port: int, database: OtherPostgres) -> tuple[list[str], Account | None]:
    """Write the shipped configuration for this database; return the command and the account for PgBouncer."""
    text = Path(settings.ROOT, "docker/pgbouncer.ini").read_text()
    for shipped, ours in (
        ("trackside = host=database port=5432", f"site = host={database.sockets}"),
        ("listen_port = 6432", f"listen_port = {port}"),
        ("auth_type = scram-sha-256", "auth_type = trust"),
        ("/etc/pgbouncer/userlist.txt", str(folder / "users")),
        ("[pgbouncer]", "[pgbouncer]\nunix_socket_dir ="),
    ):
        assert text.count(shipped) == 1
        text = text.replace(shipped, ours)
    (folder / "pgbouncer.ini").write_text(text)
    (folder / "users").write_text('"site" ""\n')
    command = ["pgbouncer", "--quiet", str(folder / "pgbouncer.ini")]
    if os.geteuid():
        return command, None
    for path in (folder, *folder.iterdir()):  # PgBouncer does not run as root
        os.chown(path, database.account.uid, database.account.gid)
    return command, database.account


def migrate(env: dict[str, str]) -> None:
    command = [sys.executable, "manage.py", "migrate", "--no-input"]
    subprocess.run(command, cwd=settings.ROOT, env=env, check=True, stdout=subprocess.DEVNULL)


def machine(name: str, port: int, env: dict[str, str], folder: Path) -> Parts:
    """Start all parts of a machine, under its name as hosts have one."""
    parts = Parts(env | {"TRACKSIDE_VAR": str(made(folder / name))}, folder / f"{name}.log")
    gunicorn = [sys.executable, "-m", "gunicorn", "--config=python:evaluation.running.hosting.web_server"]
    parts.run("web", [*gunicorn, f"--bind=127.0.0.1:{port}", "evaluation.config.wsgi"])
    celery = [sys.executable, "-m", "celery", "--app=evaluation.config.celery", "--quiet"]
    for part in CELERY_PARTS:
        words = site_parts.CELERY_PARTS[part]
        parts.run(part, [*celery, *(word.replace("%h", name) for word in words)])
    return parts


def is_ready(port: int) -> bool:
    """Whether the proxy has a web machine that is ready."""
    try:
        return page(port, "/ready") == 200
    except OSError:
        return False
