"""A database session independent of Django's connection."""

from typing import Any

import psycopg
from django.db import connection
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow


def open_session(entry: dict[str, Any] | None = None) -> "psycopg.Connection[TupleRow]":
    """Open a session in autocommit mode, by this entry of DATABASES or that of Django's connection."""
    entry = entry or connection.settings_dict
    options = {name: value for name, value in entry["OPTIONS"].items() if name != "pool"}
    parts = {"host": entry["HOST"], "port": entry["PORT"], "user": entry["USER"], "dbname": entry["NAME"]}
    address = make_conninfo(**options, **{name: str(value) for name, value in parts.items() if value})
    return psycopg.connect(address, password=entry["PASSWORD"], autocommit=True)
