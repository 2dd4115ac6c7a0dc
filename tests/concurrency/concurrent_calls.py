"""Two concurrent calls; the second waits for the first."""

import time
from collections.abc import Callable
from threading import Thread
from typing import Any

from django.db import connection, transaction

WAITING = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


def at_once(first: Callable[[], object], second: Callable[[], object]) -> Any:
    """Start the second call while the first's transaction is open; return its result or exception.

    The first commits when the second waits for a lock, or has ended.
    """
    found: list[object] = []

    def run_second() -> None:
        try:
            found.append(second())
        except Exception as error:  # noqa: BLE001 - the caller asserts which
            found.append(error)
        finally:
            connection.close()

    beside = Thread(target=run_second)
    with transaction.atomic():
        first()
        beside.start()
        while beside.is_alive() and not _is_waiting():
            time.sleep(0.02)
    beside.join()
    return found[0]


def _is_waiting() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # else a transaction sees its first snapshot
        cursor.execute(WAITING)
        return bool(cursor.fetchone()[0])
