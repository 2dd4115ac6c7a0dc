"""Store one judgment of an assessor."""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict, Unpack

from django.db import transaction
from django.db.models.functions import Now

from assessment.actions.check_exam import check_exam
from assessment.actions.check_replies import check_replies
from assessment.models import CannotJudge, ItemFacts, JudgingPlan, Judgment, Purpose
from evaluation.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID

    from assessment.models import Assignment
    from evaluation.models import Criteria, User


class JudgingNotOpen(InputError):
    """The task is not in its judging phase."""


class NotAssigned(InputError):
    """The item is not among those this assessor was given."""


class AssignmentStopped(InputError):
    """The assignment has ended."""

    state = "given to somebody else or closed"

    def __init__(self, topic: str) -> None:
        super().__init__(
            f"The organizers have {self.state} topic {topic}. Nothing was stored; go on in My topics."
        )


class AssignmentPaused(AssignmentStopped):
    """The assignment is paused, and goes on when the organizers say so."""

    state = "paused"


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


class Sent(TypedDict):
    """What is stored of a judgment as it was sent."""

    image_sha256: str
    client_uuid: UUID
    shown_at: datetime
    active_seconds: float | None
    comment: NotRequired[str]
    is_flagged: NotRequired[bool]


@transaction.atomic
def record_judgment(
    *,
    assignment: Assignment,
    docno: str,
    purpose: Purpose = Purpose.WORK,
    criteria_version: int,
    mark: int | CannotJudge,
    replies: Mapping[str, str] | None = None,
    by: User,
    **sent: Unpack[Sent],
) -> Judgment:
    """Append a grade, or the reason for giving none; the same UUID sent again gets the first event back.

    ``image_sha256`` is that of the image the assessor saw, empty for a text. ``active_seconds`` is null where
    nothing measured it. An earlier judgment of the pair stands behind this one until an undo. A lease that
    ran out is as good as new while nobody else took the item, and each judgment makes the assessor's other
    leases of the topic last as long again. ``is_flagged`` asks the organizers to look at
    the item, ``replies`` are to the task's extra questions.
    Raises NotAssigned, JudgingNotOpen, AssignmentPaused, AssignmentStopped, LeaseLost, WrongImage,
    UnknownCriteria, GradeOffScale, ReplyMissing, ReplyUnknown, ExamNotPassed, JudgmentIdTaken.
    """
    # The row lock puts the events of one assignment in a row: two tabs, or one reply lost and sent again.
    facts = ItemFacts.locked(
        assignment.pk, docno=docno, purpose=purpose, version=criteria_version, client_uuid=sent["client_uuid"]
    )
    if facts.stored is not None:
        return _same(facts.stored, (by.pk, facts.task_id, facts.topic, docno, purpose, mark))
    _check_assignment(facts, by)
    if sent["image_sha256"] != (facts.image or ""):
        raise WrongImage("The image shown is not this item's. Load the page again and repeat the judgment.")
    if facts.is_leased and purpose == Purpose.WORK:
        _fill_slot(assignment, docno)
        lease = JudgingPlan.objects.of(facts.task).lease
        assignment.slots.filter(expires_at__gt=Now()).update(expires_at=Now() + lease)
    grade, reason = (None, mark) if isinstance(mark, CannotJudge) else (mark, "")
    event = Judgment(task=facts.task, topic=facts.topic, docno=docno, purpose=purpose, assessor=by, **sent)
    event.grade, event.reason = grade, reason
    event.criteria = _criteria(facts, criteria_version, grade)
    event.replies = check_replies(task=event.task, replies=replies or {}, is_graded=grade is not None)
    event.save(force_insert=True)
    return event


def _same(key: int, sent: tuple[int, int, str, str, str, int | str]) -> Judgment:
    stored = Judgment.objects.get(pk=key)
    known = (stored.assessor_id, stored.task_id, stored.topic, stored.docno, stored.purpose, stored.mark)
    if known != sent:
        raise JudgmentIdTaken(
            "Another judgment was sent under this number. Load the page again and repeat it."
        )
    return stored


def _check_assignment(facts: ItemFacts, by: User) -> None:
    if not facts.is_in_judging:
        raise JudgingNotOpen(
            f"{facts.task} is not open for judging now. Ask the organizers; nothing was stored."
        )
    if facts.assessor != by.pk or not facts.has_item:
        raise NotAssigned(f"This item of topic {facts.topic} is not assigned to you. Open it from My topics.")
    if facts.ended_at:
        raise AssignmentStopped(facts.topic)
    if facts.paused_at:
        raise AssignmentPaused(facts.topic)
    if facts.pass_percent is not None:
        check_exam(task=facts.task, assessor=by)


def _fill_slot(assignment: Assignment, docno: str) -> None:
    if not assignment.slots.filter(docno=docno).update(expires_at=None):
        raise LeaseLost(
            "Your time for this item ran out and somebody else has it now. Nothing was stored; go on with "
            "the next item."
        )


def _criteria(facts: ItemFacts, version: int, grade: int | None) -> Criteria:
    if facts.criteria is None:
        raise UnknownCriteria(f"{facts.task} has no grading criteria {version}. Load the page again.")
    if grade is not None:
        check_grade(facts.criteria, grade)
    return facts.criteria


def check_grade(criteria: Criteria, grade: int) -> None:
    """Whether the criteria know the grade. Raises GradeOffScale."""
    if grade not in criteria.scale:
        scale = ", ".join(map(str, criteria.scale))
        raise GradeOffScale(f"Grade {grade} is not on the scale of this task. Choose one of {scale}.")
