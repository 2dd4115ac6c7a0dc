"""The operation that publishes people's judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse

from assessment.core.consolidation import ConsolidationRule
from assessment.publishing.actions import publish_judgments
from evaluation.operations.actions import start_operation
from evaluation.operations.kinds import OperationKind, OperationResult, register_operation

if TYPE_CHECKING:
    from evaluation.access.people import User
    from evaluation.operations.models import Operation
    from evaluation.tracks.models import Task

PUBLISH = "judgments_publish"


def request_publication(*, task: Task, rule: ConsolidationRule, by: User) -> Operation:
    """Queue a publication of the judgments stored when a worker runs it. Raises OperationUnderWay."""
    return start_operation(task=task, kind=PUBLISH, options={"rule": rule}, by=by)


def _publish(operation: Operation) -> OperationResult:
    rule = ConsolidationRule(operation.options["rule"])
    published = publish_judgments(task=operation.task, by=operation.requested_by, rule=rule)
    names = ", ".join(f"{qrels} with {qrels.graded_count:,} graded" for qrels in published)
    return OperationResult(f"Published {names}.")


def _published(operation: Operation) -> str:
    page = reverse("judging_progress", args=[operation.task.track.slug, operation.task.slug])
    return f"{page}#published"


def register_operations() -> None:
    """Register the kind of operation."""
    register_operation(
        OperationKind(PUBLISH, "Publish people's qrels", _publish, _published, "Published qrels")
    )
