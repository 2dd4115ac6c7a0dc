"""Celery beat with a lock: if several beats run, only one sends."""

from typing import Any

from celery.beat import ScheduleEntry, Scheduler
from django.db import OperationalError, connection

from evaluation.tracks.work.models import LongWork

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

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        """Send the task of an entry, unless it is for long work and none is due: idle pools stay small."""
        kinds = {kind.task_name: kind for kind in LongWork.__subclasses__()}
        if entry.task not in kinds or self._is_due(kinds[entry.task]):
            super().apply_entry(entry, producer=producer)

    def _is_due(self, kind: type[LongWork]) -> bool:
        try:
            return kind.rows().due().exists()
        except OperationalError:
            connection.close()
            return True

    def _holds_lock(self) -> bool:
        try:
            with connection.cursor() as cursor:
                # The holder can acquire it repeatedly; doing so proves that its session is alive.
                cursor.execute("SELECT pg_try_advisory_lock(%s)", [BEAT_LOCK])
                return bool(cursor.fetchone()[0])
        except OperationalError:
            connection.close()
            return False
