"""A migrated database, created once a test run and copied for each process, and how tests empty a copy."""

import fcntl
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection

from evaluation.running.hosting.addresses import EMBEDDED_NAME, EMBEDDED_WEB, socket_folder
from evaluation.running.hosting.database_roles import grant_roles
from evaluation.running.hosting.servers.install import Account, postgres_install

MIGRATED = f"test_{EMBEDDED_NAME}"  # nobody stays connected to it: PostgreSQL copies only idle databases


@contextmanager
def as_web() -> Iterator[None]:
    """Within the block, this thread connects with the role of web and workers."""
    connection.close()
    owner = connection.settings_dict["USER"]
    connection.settings_dict["USER"] = EMBEDDED_WEB
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["USER"] = owner


@contextmanager
def migrated_database() -> Iterator[None]:
    """Lock the database within the block; the first process migrates it."""
    with Path(settings.TRACKSIDE_VAR, "migrated").open("a+") as made:
        fcntl.flock(made, fcntl.LOCK_EX)
        made.seek(0)
        if not made.read():
            connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
            with as_web():
                grant_roles()
            connection.close()
            print("yes", file=made, flush=True)
        yield


def use_copy(name: str) -> None:
    """Make this process use its own copy from now on."""
    with migrated_database():
        connection.settings_dict["NAME"] = MIGRATED
        connection.creation.clone_test_db(name, verbosity=0)
    copy = connection.creation.get_test_db_clone_settings(name)["NAME"]
    connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = copy
    connection.ops.sql_flush = deletions  # type: ignore[method-assign, assignment]


def deletions(_style: object, tables: Sequence[str], **_options: bool) -> list[str]:
    """Return the SQL that empties the tables after a test with transactions of its own.

    Django would truncate them: that writes new files for each table and index, a quarter of a second of work.
    The lock waits for other connections, as TRUNCATE does; a replica's session runs no triggers.
    """
    names = [connection.ops.quote_name(table) for table in tables]
    lock = f"LOCK TABLE {', '.join(names)} IN ACCESS EXCLUSIVE MODE"
    role = "SET LOCAL session_replication_role"
    deletes = (f"DELETE FROM {name}" for name in names)
    return ["; ".join([lock, f"{role} = replica", *deletes, f"{role} = origin"])]


def migrate_site(var: Path) -> None:
    """Fill the empty database of a site whose servers run, as ``manage.py migrate`` would."""
    tools = postgres_install(Account(os.geteuid(), os.getegid())) / "bin"
    run = [f"--host={settings.DATABASES['default']['HOST']}", f"--username={EMBEDDED_NAME}", MIGRATED]
    site = [f"--host={socket_folder(var)}", f"--username={EMBEDDED_NAME}", EMBEDDED_NAME]
    with migrated_database():
        dump: list[str | Path] = [tools / "pg_dump", *run]
        script = subprocess.run(dump, stdout=subprocess.PIPE, check=True).stdout
    load: list[str | Path] = [tools / "psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", *site]
    subprocess.run(load, input=script, stdout=subprocess.DEVNULL, check=True)


def end_without_checkpoint(var: Path) -> None:
    """End PostgreSQL at once: a clean stop takes seconds, and its folder is deleted next."""
    os.kill(int((var / "postgres" / "postmaster.pid").read_text().split()[0]), signal.SIGQUIT)
