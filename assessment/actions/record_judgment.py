"""Store one judgment of an assessor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from assessment.actions.check_exam import check_exam
from assessment.actions.check_replies import check_replies
from assessment.models import Assignment, CannotJudge, Judgment, Purpose
from evaluation.core.errors import InputError
from evaluation.models import Criteria

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID

    from evaluation.models import Task, User


class JudgingNotOpen(InputError):
    """The task is not in its judging phase."""


class NotAssigned(InputError):
    """The item is not among those this assessor was given."""


class AssignmentStopped(InputError):
    """The assignment is paused, or has ended."""


class LeaseLost(InputError):
    """The lease of the item ran out, and it went to somebody else."""


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
    is_flagged: bool = False,
    replies: Mapping[str, str] | None = None,
    purpose: Purpose = Purpose.WORK,
) -> Judgment:
    """Append a grade, or the reason for giving none; the same UUID sent again gets the first event back.

    ``image_sha256`` is that of the image the assessor saw, empty for a text. ``active_seconds`` is null where
    nothing measured it. An earlier judgment of the pair stands behind this one until an undo. A lease that
    ran out is as good as new while nobody else took the item. ``is_flagged`` asks the organizers to look at
    the item, ``replies`` are to the task's extra questions.
    Raises NotAssigned, JudgingNotOpen, AssignmentStopped, LeaseLost, WrongImage, UnknownCriteria,
    GradeOffScale, ReplyMissing, ReplyUnknown, ExamNotPassed, JudgmentIdTaken.
    """
    # The row lock puts the events of one assignment in a row: two tabs, or one reply lost and sent again.
    locked = Assignment.objects.select_for_update(of=("self",)).with_item(docno, purpose)
    assignment = locked.get(pk=assignment.pk)
    task = assignment.pool.task
    if stored := Judgment.objects.filter(client_uuid=client_uuid).first():
        return _same(stored, (by.pk, task.pk, assignment.topic, docno, purpose, mark))
    if not assignment.is_in_judging:
        raise JudgingNotOpen(f"{task} is not open for judging now. Ask the organizers; nothing was stored.")
    _check_assignment(assignment, by)
    check_exam(task=task, assessor=by)
    if image_sha256 != (assignment.image or ""):
        raise WrongImage("The image shown is not this item's. Load the page again and repeat the judgment.")
    grade, reason = (None, mark) if isinstance(mark, CannotJudge) else (mark, "")
    if assignment.is_by_items and purpose == Purpose.WORK:
        _fill_slot(assignment, docno)
    return Judgment.objects.create(
        task=task,
        topic=assignment.topic,
        docno=docno,
        purpose=purpose,
        image_sha256=image_sha256,
        criteria=_criteria(task, criteria_version, grade),
        assessor=by,
        grade=grade,
        reason=reason,
        comment=comment,
        is_flagged=is_flagged,
        replies=check_replies(task=task, replies=replies or {}, is_graded=grade is not None),
        client_uuid=client_uuid,
        shown_at=shown_at,
        active_seconds=active_seconds,
    )


def _same(stored: Judgment, sent: tuple[int, int, str, str, str, int | str]) -> Judgment:
    known = (stored.assessor_id, stored.task_id, stored.topic, stored.docno, stored.purpose, stored.mark)
    if known != sent:
        raise JudgmentIdTaken(
            "Another judgment was sent under this number. Load the page again and repeat it."
        )
    return stored


def _check_assignment(assignment: Assignment, by: User) -> None:
    if assignment.assessor_id != by.pk or not assignment.has_item:
        raise NotAssigned(
            f"This item of topic {assignment.topic} is not assigned to you. Open it from My topics."
        )
    if assignment.ended_at or assignment.paused_at:
        state = "given to somebody else or closed" if assignment.ended_at else "paused"
        raise AssignmentStopped(
            f"The organizers have {state} topic {assignment.topic}. Nothing was stored; go on in My topics."
        )


def _fill_slot(assignment: Assignment, docno: str) -> None:
    if not assignment.slots.filter(docno=docno).update(expires_at=None):
        raise LeaseLost(
            "Your time for this item ran out and somebody else has it now. Nothing was stored; go on with "
            "the next item."
        )


def _criteria(task: Task, version: int, grade: int | None) -> Criteria:
    criteria = Criteria.objects.filter(task=task, version=version).first()
    if criteria is None:
        raise UnknownCriteria(f"{task} has no grading criteria {version}. Load the page again.")
    if grade is not None:
        check_grade(criteria, grade)
    return criteria


def check_grade(criteria: Criteria, grade: int) -> None:
    """Whether the criteria know the grade. Raises GradeOffScale."""
    if grade not in criteria.scale:
        scale = ", ".join(map(str, criteria.scale))
        raise GradeOffScale(f"Grade {grade} is not on the scale of this task. Choose one of {scale}.")
