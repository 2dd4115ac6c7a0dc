"""Which upload is checked next: tracks and people share the workers evenly."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db import connection
from django.db.models import Exists, OuterRef

from evaluation.runs.models import CHECK_ATTEMPTS, Run, RunState
from evaluation.work.sharing import served_longest_ago

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.runs.models import RunQuerySet

# First key of the advisory locks on people whose upload is being checked: "chck" in ASCII. The second is the
# person's primary key modulo 2^31; two people with equal keys would only wait for each other.
LOCK_SPACE = 0x6368636B
LOCK_KEYS = 2**31
HELD = """
    SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND classid = %s AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


def waiting_runs() -> RunQuerySet:
    """Return the uploads without a verdict that are the earliest of their team in the task."""
    earlier = Run.objects.filter(
        task=OuterRef("task"), team=OuterRef("team"), state=RunState.RECEIVED, pk__lt=OuterRef("pk")
    )
    return Run.objects.filter(~Exists(earlier), state=RunState.RECEIVED)


def due_runs() -> RunQuerySet:
    """Return the waiting uploads that are not about to be parked."""
    return waiting_runs().filter(check_attempt_count__lt=CHECK_ATTEMPTS)


def next_to_check() -> Run | None:
    """Return the upload of the track, and in it of the person, whose last check began longest ago.

    People whose upload is being checked wait, so that nobody's uploads occupy all workers.
    """
    with connection.cursor() as cursor:
        cursor.execute(HELD, [LOCK_SPACE])
        held = {key for (key,) in cursor.fetchall()}
    people = set(due_runs().order_by().values_list("received_by", flat=True))
    waiting = due_runs().filter(received_by__in=[each for each in people if each % LOCK_KEYS not in held])
    for by in ("task__track", "received_by"):
        waiting = waiting.filter(**{by: served_longest_ago(waiting, by=by, at="check_started_at")})
    return waiting.order_by("pk").first()


@contextmanager
def hold_share(person: int) -> Iterator[bool]:
    """Lock the person's share while the body runs; yield whether it was free.

    The lock belongs to the database session, so PostgreSQL releases it as soon as a worker dies.
    """
    keys = [LOCK_SPACE, person % LOCK_KEYS]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", keys)
        (is_free,) = cursor.fetchone()
        try:
            yield is_free
        finally:
            if is_free:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", keys)
