"""Store one judgment of an assessor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from assessment.models import Assignment, CannotJudge, Judgment
from evaluation.core.errors import InputError
from evaluation.models import Criteria, Document, Phase, Task

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from evaluation.models import User


class JudgingNotOpen(InputError):
    """The task is not in its judging phase."""


class NotAssigned(InputError):
    """The item is not among those this assessor was given."""


class WrongImage(InputError):
    """The image that was shown is not the item's."""


class UnknownCriteria(InputError):
    """The task has no such version of its criteria."""


class GradeOffScale(InputError):
    """The criteria have no such grade."""


class JudgmentIdTaken(InputError):
    """The client sent two different judgments under one UUID."""


@transaction.atomic
def record_judgment(
    *,
    assignment: Assignment,
    docno: str,
    image_sha256: str,
    criteria_version: int,
    mark: int | CannotJudge,
    client_uuid: UUID,
    shown_at: datetime,
    active_seconds: float | None,
    by: User,
    comment: str = "",
) -> Judgment:
    """Append a grade, or the reason for giving none; the same UUID sent again gets the first event back.

    ``image_sha256`` is that of the image the assessor saw, empty for a text. ``active_seconds`` is null where
    nothing measured it. An earlier judgment of the pair stands behind this one until an undo.
    Raises NotAssigned, JudgingNotOpen, WrongImage, UnknownCriteria, GradeOffScale, JudgmentIdTaken.
    """
    # The row lock puts the events of one assignment in a row: two tabs, or one reply lost and sent again.
    assignment = Assignment.objects.select_for_update().get(pk=assignment.pk)
    task = Task.objects.with_phase().get(pools=assignment.pool_id)
    if stored := Judgment.objects.filter(client_uuid=client_uuid).first():
        return _same(stored, assignment, task, docno, mark, by)
    if task.phase != Phase.JUDGING:
        raise JudgingNotOpen(f"{task} is not open for judging now. Ask the organizers; nothing was stored.")
    if assignment.assessor_id != by.pk or not assignment.items().filter(docno=docno).exists():
        raise NotAssigned(
            f"This item of topic {assignment.topic} is not assigned to you. Open it from My topics."
        )
    _check_image(task, docno, image_sha256)
    grade, reason = (None, mark) if isinstance(mark, CannotJudge) else (mark, "")
    return Judgment.objects.create(
        task=task,
        topic=assignment.topic,
        docno=docno,
        image_sha256=image_sha256,
        criteria=_criteria(task, criteria_version, grade),
        assessor=by,
        grade=grade,
        reason=reason,
        comment=comment,
        client_uuid=client_uuid,
        shown_at=shown_at,
        active_seconds=active_seconds,
    )


def _same(
    stored: Judgment, assignment: Assignment, task: Task, docno: str, mark: int | CannotJudge, by: User
) -> Judgment:
    known = (stored.assessor_id, stored.task_id, stored.topic, stored.docno, stored.mark)
    if known != (by.pk, task.pk, assignment.topic, docno, mark):
        raise JudgmentIdTaken(
            "Another judgment was sent under this number. Load the page again and repeat it."
        )
    return stored


def _check_image(task: Task, docno: str, image_sha256: str) -> None:
    documents = Document.objects.filter(collection=task.collection_id, docno=docno)
    if image_sha256 != (documents.values_list("image", flat=True).get() or ""):
        raise WrongImage("The image shown is not this item's. Load the page again and repeat the judgment.")


def _criteria(task: Task, version: int, grade: int | None) -> Criteria:
    criteria = Criteria.objects.filter(task=task, version=version).first()
    if criteria is None:
        raise UnknownCriteria(f"{task} has no grading criteria {version}. Load the page again.")
    if grade is not None and grade not in criteria.scale:
        scale = ", ".join(map(str, criteria.scale))
        raise GradeOffScale(f"Grade {grade} is not on the scale of this task. Choose one of {scale}.")
    return criteria
