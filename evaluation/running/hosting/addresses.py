"""Addresses of the database and the queue: from settings, or of the embedded servers. Sessions by one."""

import hashlib
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import psycopg
from django.db import connection
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow

from trackside.errors import InputError

EMBEDDED_NAME = "trackside"  # name of the embedded database and of its owner role
EMBEDDED_WEB = "trackside_web"  # its role for web and workers
SOCKET_ROOT = Path("/tmp")  # noqa: S108 - short (sun_path holds 107 bytes); the folder in it is private, see embedded.py


def _not_understood() -> InputError:
    # Do not show the address itself: it may contain a password.
    return InputError(
        "DATABASE_URL, and DATABASE_OWNER_URL and DATABASE_POOLER_URL where they are set, must look like "
        "postgresql://user:password@host:5432/name. Fix it or leave it out."
    )


def socket_folder(var: Path) -> Path:
    """Return the folder of the embedded servers' sockets; it depends only on the path of the var folder."""
    digest = hashlib.sha256(str(var).encode()).hexdigest()
    return SOCKET_ROOT / f"trackside-{digest[:12]}"


def embedded_database_url(var: Path, role: str = EMBEDDED_NAME) -> str:
    """Return the address of the embedded PostgreSQL of a var folder, for its owner or another role."""
    return f"postgresql://{role}@/{EMBEDDED_NAME}?host={socket_folder(var)}"


def embedded_broker_url(var: Path) -> str:
    """Return the address of the embedded Valkey of a var folder."""
    return f"redis+socket://{socket_folder(var)}/valkey.sock"


def begin_with(options: dict[str, Any], setting: str) -> None:
    """Let new connections begin with a setting of the server, such as ``jit=off``."""
    options["options"] = " ".join(filter(None, [options.get("options"), f"-c {setting}"]))


def limit_statements(options: dict[str, Any], seconds: int) -> None:
    """Make the server end statements of new connections after so many seconds; 0 is no limit."""
    if seconds:
        begin_with(options, f"statement_timeout={seconds}s")


def prepare_for_web(entry: dict[str, Any], *, pooler_url: str, statement_seconds: int) -> None:
    """Change a DATABASES entry for web processes.

    Args:
        entry: the entry, changed in place.
        pooler_url: the address of a pooler that shares sessions between transactions; empty for none.
        statement_seconds: limit of a statement; not used with a pooler, which sets its own limit, as
            docker/pgbouncer.ini does.
    """
    if not pooler_url:
        limit_statements(entry["OPTIONS"], statement_seconds)
        return
    pooled = django_database(pooler_url)
    pool = {name: value for name, value in entry["OPTIONS"].items() if name == "pool"}
    entry.update({**pooled, "OPTIONS": {**pooled["OPTIONS"], **pool}})
    # Outside a transaction, the next rows of a server-side cursor would be fetched in another session.
    entry["DISABLE_SERVER_SIDE_CURSORS"] = True


def django_database(url: str) -> dict[str, Any]:
    """Return Django's DATABASES entry for a PostgreSQL address; options after `?` go to libpq.

    Raises:
        InputError: the address is not PostgreSQL's, or names no database.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _not_understood() from error
    options = dict(parse_qsl(parts.query))
    if parts.scheme not in {"postgresql", "postgres"} or not parts.path.strip("/"):
        raise _not_understood()
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or options.pop("host", "")),
        "PORT": str(port or options.pop("port", "")),
        "OPTIONS": options,
    }


def is_public_host(host: str) -> bool:
    """Whether a host of SITE_URL can be on the Internet: no bare name and no private address."""
    try:
        return ip_address(host).is_global
    except ValueError:  # a name
        return "." in host and not host.endswith(".localhost")


def open_session(entry: dict[str, Any] | None = None) -> "psycopg.Connection[TupleRow]":
    """Open a session in autocommit mode, by this entry of DATABASES or that of Django's connection."""
    entry = entry or connection.settings_dict
    options = {name: value for name, value in entry["OPTIONS"].items() if name != "pool"}
    parts = {"host": entry["HOST"], "port": entry["PORT"], "user": entry["USER"], "dbname": entry["NAME"]}
    address = make_conninfo(**options, **{name: str(value) for name, value in parts.items() if value})
    return psycopg.connect(address, password=entry["PASSWORD"], autocommit=True)
