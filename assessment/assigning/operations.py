"""The operation that assigns a pool."""

from django.urls import reverse

from assessment.assigning.actions import assign_topics, check_overlap, open_queue
from assessment.assigning.assessors import find_assessors
from assessment.assigning.forms import TopicsAssignForm
from assessment.models.slot import Slot
from evaluation.access.people import User
from evaluation.pools.models import Pool
from evaluation.work.operations.actions import (
    OperationKind,
    OperationResult,
    register_operation,
    start_operation,
)
from evaluation.work.operations.models import Operation
from trackside.errors import InputError

ASSIGN = "pool_assign"


def request_assignment(*, form: TopicsAssignForm, by: User) -> Operation:
    """Queue the assignment of a pool by a checked form.

    Raises no-assessors, too-few-assessors, topics-already-assigned, OperationUnderWay.
    """
    pool, options = form.cleaned_data["pool"], form.options
    if Slot.objects.filter(pool=pool).exists():
        raise InputError(
            f"{pool}: everything is assigned already. Nothing was changed.", code="topics-already-assigned"
        )
    check_overlap(
        pool=pool,
        able_count=find_assessors(pool=pool).count(),
        percent=options["percent"],
        assessor_count=options["assessor_count"],
    )
    return start_operation(task=pool.task, kind=ASSIGN, about=pool.name, options=options, by=by)


def _assign(operation: Operation) -> OperationResult:
    options = operation.options
    pool = Pool.objects.select_related("task__track").get(pk=options["pool"])
    percent, seed, count = (options[name] for name in ("percent", "seed", "assessor_count"))
    if options["is_by_items"]:
        slot_count = open_queue(pool=pool, percent=percent, seed=seed, assessor_count=count)
        return OperationResult(f"Judgments needed: {slot_count:,}. Assessors take the items from My topics.")
    created = assign_topics(
        pool=pool, second_percent=percent, seed=seed, by=operation.requested_by, assessor_count=count
    )
    return OperationResult(f"Assignments created: {len(created)}.")


def _progress(operation: Operation) -> str:
    return reverse("judging_progress", args=[operation.task.track.slug, operation.task.slug])


def register_operations() -> None:
    """Register the kind of operation."""
    register_operation(OperationKind(ASSIGN, "Assign a pool", _assign, _progress, "Progress of judging"))
