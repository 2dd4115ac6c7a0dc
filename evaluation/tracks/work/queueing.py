"""Queue long work, claim it, release claims, retry parked work, lock rows, and work through a queue."""

import logging
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

from celery import current_app
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import DatabaseError, connection, transaction
from django.db.models import Case, F, Max, Min, PositiveSmallIntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Now

from evaluation.tracks.work.models import LOST_AFTER, MOST_ATTEMPTS, LongWork, LongWorkQuerySet
from trackside.errors import InputError
from trackside.log_context import bound

log = logging.getLogger(__name__)

CLAIMS = 0x636C_6169_6D  # "claim": number of the advisory lock that serializes claims
SILENT = f"Its worker died or sent no heartbeat for {LOST_AFTER.total_seconds():.0f} seconds."

Row = TypeVar("Row", bound=LongWork)


def enqueue(name: str, *ids: int) -> None:
    """Send the Celery task with these ids after the current transaction commits; immediately without one.

    A transaction that is rolled back sends nothing. If the queue is unreachable, the error is logged, not
    raised: the rows are committed by then, and the sweeps queue unclaimed work again.
    """

    def send() -> None:  # not a partial: Django logs the function's name if it fails
        current_app.send_task(name, args=ids)

    transaction.on_commit(send, robust=True)


UNPARKED: dict[str, Any] = {
    "queued_at": Now(),
    "attempt_count": Case(
        When(parked_at__isnull=False, then=Value(0)),
        default=F("attempt_count"),
        output_field=PositiveSmallIntegerField(),
    ),
    "parked_at": None,
}


def queue_work(*, row: LongWork, by: AbstractBaseUser | None, **fields: Any) -> None:
    """Queue the work of a row, parked or not, and set these fields of the row.

    If a worker has claimed the row, it keeps its claim, and the work runs once more afterwards.
    """
    row.rows().filter(pk=row.pk).update(**UNPARKED, queued_by=by, **fields)
    row.refresh_from_db(fields=["queued_at", "queued_by", "attempt_count", "parked_at", *fields])
    enqueue(row.task_name)


@transaction.atomic
def retry_work(*, row: LongWork, by: AbstractBaseUser) -> None:
    """Queue a parked row and reset its attempts. Raises work-not-parked."""
    locked = row.rows().select_for_update(of=("self",)).get(pk=row.pk)
    if not locked.is_parked:
        raise InputError(f"{locked} is not parked. Reload the page to see its state.", code="work-not-parked")
    queue_work(row=locked, by=by)


class ClaimLost(Exception):
    """This worker has lost its claim on the row: its results must not be stored."""


@transaction.atomic
def claim_work(model: type[Row], *, worker: str) -> Row | None:
    """Claim the next row in fair order; None if there is none, or if this worker has all its ``slots``.

    Two rows of one track or one person never run at the same time, so nobody's work fills all workers; of a
    kind that ``waits_for_task_only`` two rows of one task. Claims of dead workers are released first.
    """
    with connection.cursor() as cursor:  # concurrent claims would not see each other's shares
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CLAIMS])
    rows = model.rows()
    _release_lost(rows)
    claimed = rows.claimed()
    if claimed.filter(claimed_by=worker).count() >= model.slots:
        return None
    return _claim_first(_of_others(rows.waiting(), claimed).in_fair_order(), worker)


def lock_claim(row: LongWork) -> None:
    """Lock a claimed row until the transaction ends, so that nobody else can claim it meanwhile.

    Call it in every transaction that stores results, before they are stored. Raises ClaimLost.
    """
    if not row.as_claimed().select_for_update().values_list("pk").first():
        raise ClaimLost(f"{row}: another worker has taken over.")


@transaction.atomic
def end_work(row: LongWork, **fields: Any) -> None:
    """Store the outcome of the work in these fields, and release the claim. Raises ClaimLost.

    Work that was queued again after the claim stays queued.
    """
    lock_claim(row)
    again = When(queued_at__gt=F("claimed_at"), then=F("queued_at"))
    row.as_claimed().update(
        claim=None, claimed_by="", attempt_count=0, trouble="", queued_at=Case(again, default=None), **fields
    )
    row.refresh_from_db()


def release_claim(row: LongWork, *, trouble: str) -> None:
    """Release a claim without a result; the row waits for its next attempt, or is parked after too many."""
    _release(row.as_claimed(), trouble)


def _release_lost(rows: LongWorkQuerySet[Any]) -> None:
    for row in rows.lost().select_for_update(skip_locked=True, of=("self",)):
        log.warning("%s %d has lost its worker.", row.kind_name, row.pk)
        _release(row.as_claimed(), SILENT)


def _release(claimed: QuerySet[Any], trouble: str) -> None:
    parked = When(attempt_count__gte=MOST_ATTEMPTS, then=Now())
    claimed.update(claim=None, claimed_by="", trouble=trouble, parked_at=Case(parked, default=None))


def _of_others(waiting: LongWorkQuerySet[Row], claimed: LongWorkQuerySet[Row]) -> LongWorkQuerySet[Row]:
    if waiting.model.waits_for_task_only:
        return waiting.exclude(task__in=claimed.values("task"))
    busy_people = claimed.filter(queued_by__isnull=False).values("queued_by")
    return waiting.exclude(task__track__in=claimed.values("task__track")).filter(
        Q(queued_by__isnull=True) | ~Q(queued_by__in=busy_people)
    )


def _claim_first(rows: LongWorkQuerySet[Row], worker: str) -> Row | None:
    row = rows.select_for_update(skip_locked=True, of=("self",)).first()
    if row is None:
        return None
    row.claim = uuid.uuid4()
    row.claimed_by = worker
    row.claimed_at = row.seen_at = Now()
    row.attempt_count += 1
    row.save(update_fields=["claim", "claimed_by", "claimed_at", "seen_at", "attempt_count"])
    row.refresh_from_db(fields=["claimed_at", "seen_at"])
    return row


EVERY = 5.0  # seconds between two heartbeats


@contextmanager
def renew_claim(row: LongWork) -> Iterator[None]:
    """Renew the claim every few seconds from a thread for the length of the block.

    A process that is stopped, or hangs in a C call, sends no heartbeat, so another worker takes over.
    """
    is_over = threading.Event()
    thread = threading.Thread(target=_renew_until, args=(row, is_over), name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _renew_until(row: LongWork, is_over: threading.Event) -> None:
    rows = row.as_claimed()
    while not is_over.wait(EVERY):
        try:
            # Skip a locked row: its worker is storing results, so it is alive.
            with transaction.atomic():
                free = rows.select_for_update(skip_locked=True).values("pk")
                rows.filter(pk__in=free).update(seen_at=Now())
        except DatabaseError:
            log.warning("A heartbeat of %s %d failed.", row.kind_name, row.pk, exc_info=True)
        finally:
            connection.close()


NEVER = datetime.min.replace(tzinfo=UTC)


def served_longest_ago(waiting: QuerySet[Any], *, by: str, at: str) -> Any:
    """Return the track or person, by the lookup ``by``, that was served longest ago; None if no row waits.

    They were served at the latest ``at`` of their rows, waiting or not; those never served come first. Of
    several, return the one with the oldest waiting row.
    """
    firsts = waiting.order_by().values(by).annotate(first=Min("pk")).order_by("first")
    keys = list(firsts.values_list(by, flat=True))
    if len(keys) < 2:
        return keys[0] if keys else None
    rows = waiting.model._default_manager.filter(**{f"{by}__in": keys, f"{at}__isnull": False})  # noqa: SLF001 - Django's documented name
    latest = dict(rows.order_by().values_list(by).annotate(Max(at)))
    return min(keys, key=lambda key: latest.get(key, NEVER))


LOCK_KEYS = 2**31  # keys of a space; rows whose primary keys are equal modulo this wait for each other
HELD = """
    SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND classid = %s AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


@contextmanager
def hold_lock(space: int, pk: int) -> Iterator[bool]:
    """Lock a row while the body runs, across transactions; yield whether it was free.

    ``space`` is a number for each kind of row, ``pk`` the row's primary key. The advisory lock belongs to the
    database session: PostgreSQL releases it as soon as a worker dies, and a pooler that shares sessions
    between transactions breaks it.
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


def run_waiting(model: type[Row], run: Callable[[Row], object], *, worker: str) -> int:
    """Claim rows one by one, run each, and return their number.

    ``run`` must call ``end_work``. An exception in it releases the row for another attempt.
    """
    count = 0
    while (row := claim_work(model, worker=worker)) is not None:
        run_claimed(row, run)
        count += 1
    return count


def run_claimed(row: Row, run: Callable[[Row], object]) -> None:
    """Run a claimed row under a heartbeat. If another worker takes the claim, stop and store nothing."""
    with bound(task=row.task_id, **{row.kind_name: row.pk}), renew_claim(row):
        try:
            run(row)
        except ClaimLost:
            log.warning("Another worker has taken over; nothing more is stored here.")
        except Exception as error:
            release_claim(row, trouble=f"It failed with {type(error).__name__}; the log has the details.")
            raise


class KeyUsedTwice(InputError):
    """A different request used the same key."""

    status = 409


def lock_client_key(key: UUID) -> None:
    """Wait until no other transaction handles a request with this key, and lock it until this one ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key.int % 2**63])
