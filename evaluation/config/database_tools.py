"""PostgreSQL's own tools, run against the site's database."""

import os
import shutil
import subprocess
from pathlib import Path

import psycopg
from django.db import connection
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow

from evaluation.config.servers.account import Account
from evaluation.config.servers.binaries import POSTGRES_MAJOR, postgres_install
from evaluation.core.errors import InputError


class DatabaseToolFailed(InputError):
    """pg_dump, pg_restore or psql refused."""

    def __init__(self, tool: str, text: str) -> None:
        super().__init__(f"{tool} failed; nothing was changed. It says:\n{text.strip()}")


def dump_database(path: Path) -> None:
    """Write the whole database to a file in pg_dump's custom format.

    Raises:
        DatabaseToolFailed: pg_dump refused, for one because the server is newer than the tool.
    """
    _run("pg_dump", "--format=custom", "--no-owner", "--no-acl", f"--file={path}", f"--dbname={_conninfo()}")


def replace_database(dump: Path, script: Path) -> None:
    """Put a dump in the place of everything in the database, in one transaction: all of it or nothing.

    Args:
        dump: a file of `dump_database`.
        script: where to write the SQL in between.

    Raises:
        DatabaseToolFailed: a tool refused; the database is as it was.
    """
    _run("pg_restore", "--no-owner", "--no-acl", f"--file={script}", str(dump))
    _run(
        "psql",
        *("--no-psqlrc", "--quiet", "--output=/dev/null", "--single-transaction", "--set=ON_ERROR_STOP=1"),
        *("--command=DROP SCHEMA public CASCADE", "--command=CREATE SCHEMA public", f"--file={script}"),
        f"--dbname={_conninfo()}",
    )


def open_session() -> "psycopg.Connection[TupleRow]":
    """Open a session of the site's database beside Django's own, in autocommit."""
    return psycopg.connect(_conninfo(), password=connection.settings_dict["PASSWORD"], autocommit=True)


def _conninfo() -> str:
    """Return the site's database in libpq's words, without the password: `ps` shows it."""
    entry = connection.settings_dict
    options = {name: value for name, value in entry["OPTIONS"].items() if name != "pool"}
    parts = {"host": entry["HOST"], "port": entry["PORT"], "user": entry["USER"], "dbname": entry["NAME"]}
    return make_conninfo(**options, **{name: str(value) for name, value in parts.items() if value})


def _run(tool: str, *arguments: str) -> None:
    env = {**os.environ, "PGPASSWORD": connection.settings_dict["PASSWORD"]}
    command = [_path(tool), *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode != 0:
        raise DatabaseToolFailed(tool, done.stderr)


def _path(tool: str) -> str:
    """Return the bundled tool when it is of the server's version, else the machine's own if there is one.

    An older tool refuses a newer server; a newer tool writes settings that an older server does not know.
    """
    bundled = str(postgres_install(Account(os.geteuid(), os.getegid())) / "bin" / tool)
    with open_session() as session:
        is_same_version = session.info.server_version // 10_000 == POSTGRES_MAJOR
    return bundled if is_same_version else shutil.which(tool) or bundled
