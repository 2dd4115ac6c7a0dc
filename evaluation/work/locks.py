"""Advisory locks on rows, which belong to the database session: PostgreSQL releases them as soon as it ends.

A pooler that shares sessions between transactions breaks them.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCK_KEYS = 2**31  # keys of a space; rows whose primary keys are equal modulo this wait for each other
HELD = """
    SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND classid = %s AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


@contextmanager
def hold_lock(space: int, pk: int) -> Iterator[bool]:
    """Lock a row while the body runs, across transactions; yield whether it was free.

    ``space`` is a number for each kind of row, ``pk`` the row's primary key.
    """
    keys = [space, pk % LOCK_KEYS]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", keys)
        (is_free,) = cursor.fetchone()
        try:
            yield is_free
        finally:
            if is_free:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", keys)


def held_keys(space: int) -> set[int]:
    """Return the primary keys, modulo LOCK_KEYS, of the rows that a session has locked."""
    with connection.cursor() as cursor:
        cursor.execute(HELD, [space])
        return {key for (key,) in cursor.fetchall()}
