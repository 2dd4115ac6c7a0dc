"""Kinds of operations, registered by each app in ``AppConfig.ready()``; start and run them."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.db.models.functions import Now

from evaluation.platform.access.people import User
from evaluation.tracks.archiving import check_requester
from evaluation.tracks.models import Task
from evaluation.tracks.work.operations.models import KINDS, Operation, OperationOutcome
from evaluation.tracks.work.queueing import ClaimLost, end_work, enqueue
from trackside.errors import InputError


@dataclass(frozen=True)
class OperationResult:
    """What an operation did: ``message`` is for organizers, ``findings`` are values for a page, if any."""

    message: str
    findings: dict[str, Any] | None = None


@dataclass(frozen=True)
class OperationKind:
    """A kind of operation.

    ``title`` is a verb with its object, such as "Publish people's qrels". ``run`` does the work in one
    transaction; it raises an InputError if an organizer can correct the cause. ``address`` returns the URL of
    the page with the result, and ``link`` is the text of the link to it. A kind that only reads has no
    transaction, so that it can show its progress.
    """

    name: str
    title: str
    run: Callable[[Operation], OperationResult]
    address: Callable[[Operation], str]
    link: str
    is_read_only: bool = False


def register_operation(kind: OperationKind) -> None:
    """Add a kind of operation."""
    KINDS[kind.name] = kind


class OperationUnderWay(InputError):
    """The same operation waits or runs."""


@transaction.atomic
def start_operation(
    *, task: Task, kind: str, by: User, about: str = "", options: dict[str, Any] | None = None
) -> Operation:
    """Queue an operation on the task. A parked operation of the same kind and object ends as failed.

    Raises OperationUnderWay if one of the same kind and object waits or runs.
    """
    same = Operation.objects.filter(task=task, kind=kind, about=about)
    same.parked().update(
        queued_at=None, parked_at=None, outcome=OperationOutcome.FAILED, message=F("trouble"), ended_at=Now()
    )
    started = Operation(
        task=task,
        kind=kind,
        about=about,
        options=options or {},
        requested_by=by,
        queued_at=Now(),
        queued_by=by,
    )
    try:
        with transaction.atomic():
            started.save(force_insert=True)
    except IntegrityError as error:  # a concurrent request, or an earlier one, has started it
        raise OperationUnderWay(
            f"“{started.title}” waits or runs already. Wait until it has ended, and reload the page."
        ) from error
    enqueue(Operation.task_name)
    return started


def store_progress(operation: Operation, words: str) -> None:
    """Show the progress of an operation that only reads. Raises ClaimLost."""
    if not operation.as_claimed().update(message=words):
        raise ClaimLost(f"{operation}: another worker has taken over.")


def run_operation(*, operation: Operation) -> None:
    """Run a claimed operation. Its changes and its end are committed together, or neither is.

    An InputError rolls the changes back and ends the operation as refused, with its text; the same happens if
    the requester no longer organizes the track, or the track is archived. Raises ClaimLost, and stores
    nothing, if another worker has claimed the operation.
    """
    task, by = operation.task, operation.requested_by
    kind: OperationKind = KINDS[operation.kind]
    try:
        check_requester(task, by)
        with nullcontext() if kind.is_read_only else transaction.atomic():
            result = kind.run(operation)
            check_requester(task, by)  # the run may have taken minutes
            ended = {"outcome": OperationOutcome.DONE, "message": result.message, "findings": result.findings}
            end_work(operation, **ended, ended_at=Now())
    except InputError as error:
        end_work(operation, outcome=OperationOutcome.REFUSED, message=str(error), ended_at=Now())
