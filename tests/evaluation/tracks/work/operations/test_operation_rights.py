"""Operations are refused if their person loses the right to change the task."""

from collections.abc import Callable

import pytest

from evaluation.models import Archiving, Membership, Operation, OperationOutcome, Pool, Role, Run, Task, User
from evaluation.tasks import run_operations
from evaluation.tracks.work.operations.actions import OperationResult, start_operation
from evaluation.tracks.work.operations.models import KINDS
from tests.evaluation.tracks.work.operations.frozen_pools import ended, requested
from tests.factories import make_organizer, make_run, make_staff, make_task

pytestmark = pytest.mark.django_db


def lose_role(person: User, task: Task) -> None:
    Membership.objects.filter(user=person, track=task.track, role=Role.ORGANIZER).delete()


def lose_account(person: User, task: Task) -> None:
    User.objects.filter(pk=person.pk).update(is_active=False)


def lose_to_archive(person: User, task: Task) -> None:
    Archiving.objects.create(track=task.track, archived_by=person)


LOSSES = pytest.mark.parametrize(
    ("lose", "words"),
    [
        (lose_role, "no longer organizes"),
        (lose_account, "no longer organizes"),
        (lose_to_archive, "is archived"),
    ],
)


@LOSSES
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_operation_of_any_kind_is_refused_if_its_person_may_not_change_the_task_any_more(
    kind: str, lose: Callable[[User, Task], None], words: str
) -> None:
    task = make_task()
    make_run(task, results={"T1": ["D1", "D2"]})
    person = make_organizer(task.track)
    operation = start_operation(task=task, kind=kind, options={"name": "pool 1", "seed": 1}, by=person)
    lose(person, task)
    run_operations()
    outcome, message = ended(operation)
    assert outcome == OperationOutcome.REFUSED
    assert words in message
    assert not Pool.objects.exists()
    assert operation.findings is None


@LOSSES
def test_operation_stores_nothing_if_its_person_loses_the_right_while_it_runs(
    change_freezing: Callable[[Callable[[Operation], OperationResult]], None],
    lose: Callable[[User, Task], None],
    words: str,
) -> None:
    def run(operation: Operation) -> OperationResult:
        Run.objects.filter(task=operation.task).update(description="changed")
        lose(operation.requested_by, operation.task)
        return OperationResult("Stored.")

    change_freezing(run)
    operation = requested()
    run_operations()
    outcome, message = ended(operation)
    assert outcome == OperationOutcome.REFUSED
    assert words in message
    assert not Run.objects.filter(description="changed").exists()


def test_operation_of_the_site_s_staff_runs() -> None:
    operation = requested(by=make_staff())
    run_operations()
    assert ended(operation)[0] == OperationOutcome.DONE
