"""Queue long work, retry what was parked, and work through a queue."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, TypeVar

from celery import current_app
from django.db import transaction
from django.db.models import Case, F, PositiveSmallIntegerField, Value, When
from django.db.models.functions import Now

from evaluation.core.errors import InputError
from evaluation.core.log_context import bound
from evaluation.work.claims import ClaimLost, claim_work, hand_back, renew_claim
from evaluation.work.models import LongWork

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.contrib.auth.base_user import AbstractBaseUser


def enqueue(name: str, *ids: int) -> None:
    """Send the Celery task with these ids after the current transaction commits; at once outside one.

    A rolled back transaction sends nothing. If the queue is unreachable, the error is logged, not raised: the
    rows are committed by then, and the sweeps queue unclaimed work again.
    """

    def send() -> None:  # no partial: Django logs the function's name if it fails
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
    """Queue the work of a row, parked or not, and set further fields of it.

    A worker that has claimed it keeps its claim; the work runs once more afterwards.
    """
    row.rows().filter(pk=row.pk).update(**UNPARKED, queued_by=by, **fields)
    row.refresh_from_db(fields=["queued_at", "queued_by", "attempt_count", "parked_at", *fields])
    enqueue(row.task_name)


class WorkNotParked(InputError):
    """The work is waiting, running or done."""


@transaction.atomic
def retry_work(*, row: LongWork, by: AbstractBaseUser) -> None:
    """Queue a parked row and reset its attempts. Raises WorkNotParked."""
    locked = row.rows().select_for_update(of=("self",)).get(pk=row.pk)
    if not locked.is_parked:
        raise WorkNotParked(f"{locked} is not parked. Reload the page to see its state.")
    queue_work(row=locked, by=by)


log = logging.getLogger(__name__)
Row = TypeVar("Row", bound=LongWork)


def work_off(model: type[Row], run: Callable[[Row], object], *, worker: str) -> int:
    """Claim rows one by one and run each; return their number.

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
            hand_back(row, trouble=f"It failed with {type(error).__name__}; the log has the details.")
            raise
