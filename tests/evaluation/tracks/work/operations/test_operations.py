"""Operations: started once, run in one transaction with their end, refused in words."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, ProgrammingError, transaction
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from evaluation.models import Operation, OperationOutcome, Pool, Run, RunState, Task, User
from evaluation.submissions.pools.operations import FREEZE, PREVIEW
from evaluation.tasks import run_operations
from evaluation.tracks.work.models import LOST_AFTER, MOST_ATTEMPTS
from evaluation.tracks.work.operations.actions import (
    OperationResult,
    OperationUnderWay,
    run_operation,
    start_operation,
)
from evaluation.tracks.work.queueing import ClaimLost, claim_work
from tests.evaluation.tracks.work.operations.frozen_pools import ended, requested
from tests.factories import make_assessor, make_organizer, make_task
from trackside.errors import InputError

pytestmark = pytest.mark.django_db


def test_operation_is_queued_and_wakes_a_worker(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks() as sent:
        operation = requested()
    assert operation.is_waiting
    assert operation.requested_at is not None
    assert len(sent) == 1
    assert not Pool.objects.exists()


def test_operation_is_run_once_and_says_what_it_did() -> None:
    operation = requested()
    for _ in range(2):
        run_operations()
    assert ended(operation) == (OperationOutcome.DONE, "Pool pool 1 is frozen: 2 items.")
    assert operation.queued_at is None
    assert operation.ended_at is not None
    assert Pool.objects.get().created_by == operation.requested_by


def test_second_click_is_refused_until_the_first_has_ended() -> None:
    operation = requested()
    task, by = operation.task, operation.requested_by
    again: dict[str, Any] = {"task": task, "kind": FREEZE, "about": operation.about, "by": by}
    with pytest.raises(OperationUnderWay, match="“Freeze a pool” waits or runs already"):
        start_operation(**again)
    assert claim_work(Operation, worker="a")
    with pytest.raises(OperationUnderWay):
        start_operation(**again)
    start_operation(task=task, kind=FREEZE, about="another pool", by=by)
    start_operation(task=task, kind=PREVIEW, about=operation.about, by=by)
    other = make_task(task.track)
    start_operation(task=other, kind=FREEZE, about=operation.about, by=by)
    assert Operation.objects.count() == 4


def test_operation_may_be_started_again_after_its_end() -> None:
    first = requested()
    run_operations()
    second = start_operation(
        task=first.task, kind=FREEZE, about=first.about, options=first.options, by=first.requested_by
    )
    run_operations()
    outcome, message = ended(second)
    assert outcome == OperationOutcome.REFUSED
    assert message == f"{first.task} has a pool pool 1 already, and pools are frozen. Choose another name."
    assert Pool.objects.count() == 1


def test_refused_operation_stores_nothing_but_its_reason(
    change_freezing: Callable[[Callable[[Operation], OperationResult]], None],
) -> None:
    def refuse(operation: Operation) -> OperationResult:
        Run.objects.filter(task=operation.task).update(description="changed")
        raise InputError("Choose another name.")

    change_freezing(refuse)
    operation = requested()
    run_operations()
    assert ended(operation) == (OperationOutcome.REFUSED, "Choose another name.")
    assert not Run.objects.filter(description="changed").exists()


def test_operation_that_fails_is_tried_again_then_parked_and_can_be_started_anew(
    change_freezing: Callable[[Callable[[Operation], OperationResult]], None],
) -> None:
    def fail(operation: Operation) -> OperationResult:
        Run.objects.filter(task=operation.task).update(description="changed")
        raise ZeroDivisionError

    change_freezing(fail)
    operation = requested()
    for _ in range(MOST_ATTEMPTS):
        with pytest.raises(ZeroDivisionError):
            run_operations()
    assert ended(operation) == ("", "")
    assert operation.is_parked
    assert not Run.objects.filter(description="changed").exists()
    anew = start_operation(
        task=operation.task,
        kind=FREEZE,
        about=operation.about,
        options=operation.options,
        by=operation.requested_by,
    )
    assert ended(operation) == (
        OperationOutcome.FAILED,
        "It failed with ZeroDivisionError; the log has the details.",
    )
    assert anew.is_waiting


def test_parked_operation_stays_when_one_about_something_else_starts() -> None:
    parked = requested()
    parked.rows().filter(pk=parked.pk).update(parked_at=timezone.now(), attempt_count=MOST_ATTEMPTS)
    by = parked.requested_by
    start_operation(task=parked.task, kind=FREEZE, about="another pool", by=by)
    start_operation(task=parked.task, kind=PREVIEW, about=parked.about, by=by)
    start_operation(task=make_task(parked.task.track), kind=FREEZE, about=parked.about, by=by)
    parked.refresh_from_db()
    assert parked.is_parked


def test_worker_that_lost_its_claim_stores_nothing() -> None:
    operation = requested()
    slow = claim_work(Operation, worker="slow")
    assert slow is not None
    slow.as_claimed().update(seen_at=timezone.now() - LOST_AFTER - timedelta(seconds=1))
    fast = claim_work(Operation, worker="fast")
    assert fast == slow
    with pytest.raises(ClaimLost), transaction.atomic():
        run_operation(operation=slow)
    assert not Pool.objects.exists()
    assert fast is not None
    run_operation(operation=fast)
    assert ended(operation)[0] == OperationOutcome.DONE
    assert Pool.objects.count() == 1


def test_operations_of_one_track_run_one_after_another() -> None:
    first = requested()
    other = requested(make_task(first.task.track))
    apart = requested()
    assert [claim_work(Operation, worker="a") for _ in range(3)] == [first, apart, None]
    other.refresh_from_db()
    assert other.is_waiting


def test_options_are_those_of_the_request_even_if_runs_are_withdrawn() -> None:
    operation = requested()
    Run.objects.filter(task=operation.task).update(state=RunState.WITHDRAWN)
    run_operations()
    outcome, message = ended(operation)
    assert outcome == OperationOutcome.REFUSED
    assert "no accepted run to pool" in message


@pytest.mark.parametrize(
    "change",
    [{"options": {"name": "other"}}, {"kind": PREVIEW}, {"about": "other"}, {"requested_at": timezone.now()}],
    ids=lambda change: next(iter(change)),
)
def test_what_was_requested_never_changes(change: dict[str, object]) -> None:
    requested()
    with pytest.raises(ProgrammingError), transaction.atomic():
        Operation.objects.update(**change)


def test_operation_is_never_deleted_and_its_end_stays() -> None:
    operation = requested()
    with pytest.raises(ProgrammingError), transaction.atomic():
        operation.delete()
    run_operations()
    with pytest.raises(ProgrammingError), transaction.atomic():
        Operation.objects.update(message="other")


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": OperationOutcome.DONE},
        {"queued_at": None},
        {"ended_at": timezone.now()},
        {"ended_at": timezone.now(), "queued_at": None},
        {"ended_at": timezone.now(), "queued_at": None, "outcome": "other"},
    ],
)
def test_operation_is_either_queued_or_ended(change: dict[str, object]) -> None:
    requested()
    with pytest.raises(IntegrityError), transaction.atomic():
        Operation.objects.update(**change)


def test_only_organizers_of_the_track_see_operations() -> None:
    operation = requested()
    assert Operation.objects.visible_to(operation.requested_by).get() == operation
    for stranger in (make_assessor(operation.task.track), make_organizer(make_task().track)):
        assert not Operation.objects.visible_to(stranger).exists()
    former = operation.requested_by
    former.memberships.all().delete()
    assert not Operation.objects.visible_to(User.objects.get(pk=former.pk)).exists()


def refused(task: Task, by: User, *hours_ago: int) -> list[Operation]:
    now = timezone.now()
    return [
        Operation.objects.create(
            task=task,
            kind=FREEZE,
            about=str(hours),
            requested_by=by,
            outcome=OperationOutcome.REFUSED,
            ended_at=now - timedelta(hours=hours),
        )
        for hours in hours_ago
    ]


def test_recent_operations_are_the_open_ones_and_the_last_that_ended_within_a_day() -> None:
    task = make_task()
    by = make_organizer(task.track)
    past = refused(task, by, 25, 4, 3, 2, 1)
    is_open = start_operation(task=task, kind=FREEZE, about="open", by=by)
    start_operation(task=make_task(task.track), kind=FREEZE, about="of another task", by=by)
    assert Operation.objects.recent(task) == [is_open, *reversed(past[2:])]
    quiet = make_task(task.track)
    latest = refused(quiet, by, 26, 25, 2)[2]
    assert Operation.objects.recent(quiet) == [latest]
    assert [each.address for each in Operation.objects.recent(quiet)] == [""]
