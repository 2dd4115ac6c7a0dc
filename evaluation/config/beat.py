"""Celery beat with a lock: if several beats run, only one sends."""

from typing import Any

from celery.beat import Scheduler
from django.db import OperationalError, connection

BEAT_LOCK = 0x7472_6163_6B  # "track": the number of the advisory lock in the site's database
STANDBY_SECONDS = 5.0


class GuardedScheduler(Scheduler):
    """Sends only while it holds an advisory lock, which PostgreSQL releases when the holder dies.

    The lock belongs to the database session, so a connection pooler must not share sessions between clients.
    """

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send due tasks and return the seconds until the next tick; in standby send nothing."""
        if not self._holds_lock():
            return STANDBY_SECONDS
        return float(super().tick(*args, **kwargs))

    def _holds_lock(self) -> bool:
        try:
            with connection.cursor() as cursor:
                # The holder can acquire it repeatedly; doing so proves that its session is alive.
                cursor.execute("SELECT pg_try_advisory_lock(%s)", [BEAT_LOCK])
                return bool(cursor.fetchone()[0])
        except OperationalError:
            connection.close()
            return False
