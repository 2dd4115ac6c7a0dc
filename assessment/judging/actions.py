"""Record and undo judgments."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NotRequired, TypedDict, Unpack
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Greatest, Now
from django.utils.translation import gettext

from assessment.models.assignment import Assignment
from assessment.models.item_facts import ItemFacts
from assessment.models.judgment import Judgment
from assessment.models.marks import CannotJudge
from assessment.models.plan import ExtraQuestion, JudgingPlan
from assessment.models.purposes import AdjudicationMode, AssignmentKind, Purpose
from assessment.models.replacing import NOT_SAID, Replaces
from assessment.training.actions import check_exam
from evaluation.platform.access.compiled import Given, compiled
from evaluation.platform.access.people import User
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Phase, Task
from trackside.errors import InputError


class JudgingNotOpen(InputError):
    """The task is not in its judging phase."""


class AssignmentStopped(InputError):
    """The assignment ended before the item was shown."""

    def __init__(self, topic: str) -> None:
        problem = gettext(
            "The organizers have given topic {topic} to somebody else or closed it. "
            "Nothing was stored; continue in My topics."
        )
        super().__init__(problem.format(topic=topic))


class AssignmentPaused(InputError):
    """The organizers have paused the assignment."""

    def __init__(self, topic: str) -> None:
        problem = gettext(
            "The organizers have paused topic {topic}. Nothing was stored; continue in My topics."
        )
        super().__init__(problem.format(topic=topic))


class ShownFields(TypedDict):
    """The fields of a judgment on what was shown."""

    image_sha256: str
    shown_sha256: NotRequired[str]
    seen: NotRequired[str]


class EventFields(ShownFields):
    """The fields of a judgment that are stored unchanged."""

    client_uuid: UUID
    shown_at: datetime
    active_seconds: float | None
    given_at: NotRequired[datetime | None]
    comment: NotRequired[str]
    is_flagged: NotRequired[bool]
    looks_back: NotRequired[int]
    wall: NotRequired[int | None]
    cell: NotRequired[int | None]
    is_opened: NotRequired[bool]
    is_by_rest: NotRequired[bool]
    copied_from: NotRequired[UUID | None]


@transaction.atomic
def record_judgment(
    *,
    assignment: Assignment,
    docno: str,
    purpose: Purpose = Purpose.WORK,
    criteria_version: int,
    mark: int | str,
    replies: Mapping[str, str] | None = None,
    replaces: Replaces = NOT_SAID,
    by: User,
    **meta: Unpack[EventFields],
) -> Judgment:
    """Append a grade, the nominal answer or a reason for none; for a known UUID return the stored event.

    ``mark`` is a grade, one of the criteria's ``nominal_marks`` or one of CannotJudge.
    ``image_sha256`` is that of the image the assessor saw, empty for a text, and for a reason if the image
    did not show. ``active_seconds`` is null if not measured. ``replaces`` is the judgment that the page shows
    as current (`check_replaces`); an extra judgment replaces none. One by rest or copied is not stored over
    an equal one, which is returned (`ItemFacts.kept`). An undo makes the pair's previous judgment
    current again. An expired lease is honoured until the item is assigned to somebody else: then the judgment
    is stored as an extra one, which does not count for the item. So is a judgment of an item that was shown
    before the assignment ended. Each judgment renews the assessor's other active leases of the topic.
    ``is_flagged`` asks the organizers to look at the item; ``replies`` answer the task's extra questions, by
    their names. ``wall`` and ``cell`` are null for an item that was judged singly.
    ``copied_from`` is the judgment of an item that looks alike, by the same key: queued, refused or stored.
    ``shown_sha256`` is the hash of the whole item as shown, ``seen`` how much of it; empty if not known.
    Raises not-assigned, JudgingNotOpen, AssignmentPaused, AssignmentStopped, wrong-image, unknown-criteria,
    grade-not-in-criteria, answer-not-in-criteria, reply-missing, reply-unknown, ExamNotPassed,
    judgment-id-taken, JudgmentConflict.
    """
    # The row lock serialises the events of one assignment: from two tabs, or from a repeated request.
    facts = ItemFacts.locked(
        assignment.pk, docno=docno, purpose=purpose, version=criteria_version, client_uuid=meta["client_uuid"]
    )
    if facts.stored is not None:
        same = (by.pk, facts.task_id, facts.topic, docno, purpose, mark)
        return _noted(_same(facts.stored, same), facts)
    check_assignment(facts, by, shown_at=meta["shown_at"])
    _check_image(facts, meta, is_answer=mark not in CannotJudge.values)
    if facts.ended_at is not None:
        purpose = Purpose.EXTRA
    elif facts.kind == AssignmentKind.ITEMS and purpose == Purpose.WORK:
        if not assignment.slots.filter(docno=docno).update(expires_at=None):
            purpose = Purpose.EXTRA
        lease = JudgingPlan.objects.of(facts.task).lease
        assignment.slots.filter(expires_at__gt=Now()).update(expires_at=renewed(lease))
    grade, reason = (None, mark) if isinstance(mark, str) else (mark, "")
    event = Judgment(task=facts.task, topic=facts.topic, docno=docno, purpose=purpose, assessor=by, **meta)
    (event.grade, event.reason), (event.replaces_rule, event.replaces) = (grade, reason), replaces
    event.mode = AdjudicationMode.BLIND if purpose == Purpose.ADJUDICATION else ""
    event.replies = {name: reply.strip() for name, reply in (replies or {}).items() if reply.strip()}
    if kept := facts.kept(event, replaces):
        return _noted(kept, facts)
    event.criteria = _criteria(facts, criteria_version, mark)
    check_replies(task=event.task, replies=event.replies, is_graded=grade is not None)
    facts.add_words(event)
    event.save(force_insert=True)
    return _noted(event, facts)


def _noted(event: Judgment, facts: ItemFacts) -> Judgment:
    event.latest_version, event.is_withdrawn = facts.latest_version, facts.ended_at is not None
    return event


def _check_image(facts: ItemFacts, meta: EventFields, *, is_answer: bool) -> None:
    is_unseen = not is_answer and not meta["image_sha256"]
    if not is_unseen and meta["image_sha256"] != (facts.image or ""):
        raise InputError(
            gettext("The image shown is not this item's. Load the page again and repeat the judgment."),
            code="wrong-image",
        )


def _same(key: int, values: tuple[int, int, str, str, str, int | str]) -> Judgment:
    event = Judgment.objects.get(pk=key)
    assessor, task, topic, docno, purpose, mark = values
    if event.purpose == Purpose.EXTRA:
        purpose = event.purpose  # the item may have been shown for any purpose
    values = (assessor, task, topic, docno, purpose, mark)
    existing = (event.assessor_id, event.task_id, event.topic, event.docno, event.purpose, event.mark)
    if existing != values:
        raise InputError(
            gettext("Another judgment has the same number. Load the page again and repeat yours."),
            code="judgment-id-taken",
        )
    return event


def check_assignment(facts: ItemFacts, by: User, *, shown_at: datetime | None = None) -> None:
    """Check that the assessor may judge the item now, or saw it before the assignment ended.

    Raises JudgingNotOpen, not-assigned, AssignmentStopped, AssignmentPaused, ExamNotPassed.
    """
    if not facts.is_in_judging:
        raise JudgingNotOpen(
            gettext("{task} is not open for judging now. Ask the organizers; nothing was stored.").format(
                task=facts.task
            )
        )
    if facts.assessor != by.pk or not facts.has_item:
        raise InputError(
            gettext("This item of topic {topic} is not assigned to you. Open it from My topics.").format(
                topic=facts.topic
            ),
            code="not-assigned",
        )
    if facts.ended_at:
        if shown_at is None or shown_at > facts.ended_at:
            raise AssignmentStopped(facts.topic)
        return
    if facts.paused_at:
        raise AssignmentPaused(facts.topic)
    if facts.pass_percent is not None:
        check_exam(task=facts.task, assessor=by)


def renewed(lease: timedelta) -> Greatest:
    """Return the end of a lease that starts now, or the stored end if that is later."""
    return Greatest(F("expires_at"), Now() + lease)


def _criteria(facts: ItemFacts, version: int, mark: int | str) -> Criteria:
    if facts.criteria is None:
        raise InputError(
            gettext("{task} has no grading criteria {version}. Load the page again.").format(
                task=facts.task, version=version
            ),
            code="unknown-criteria",
        )
    if isinstance(mark, int):
        facts.criteria.check_grade(mark)
    elif mark not in CannotJudge.values:
        facts.criteria.check_nominal_mark(mark)
    return facts.criteria


_READ = ("name", "text", "choices", "is_required")


def check_replies(*, task: Task, replies: Mapping[str, str], is_graded: bool) -> None:
    """Check the non-empty replies, by the questions' names.

    A grade needs all required replies; the nominal answer and a reason for giving none need no reply.
    Raises reply-missing, reply-unknown.
    """
    records = (ExtraQuestion(**dict(zip(_READ, row, strict=True))) for row in _questions().rows(task=task.pk))
    questions = {question.name: question for question in records}
    for name, reply in replies.items():
        if name not in questions or (questions[name].options and reply not in questions[name].options):
            raise InputError(
                gettext("The task has no reply {reply} to {question}. Load the page again.").format(
                    reply=repr(reply), question=repr(name)
                ),
                code="reply-unknown",
            )
    for name, question in questions.items():
        if is_graded and question.is_required and name not in replies:
            raise InputError(
                gettext("Reply to this first: {question} If the page does not ask it, load it again.").format(
                    question=question.text
                ),
                code="reply-missing",
            )


@compiled
def _questions() -> QuerySet[ExtraQuestion, tuple[str, str, str, bool]]:
    """Return the task's questions in order of display. Runs at every judgment."""
    return ExtraQuestion.objects.filter(task=Given("task")).order_by("place", "name").values_list(*_READ)


def check_going_on(assignment: Assignment, *, is_in_judging: bool) -> None:
    """Raise JudgingNotOpen, AssignmentStopped or AssignmentPaused if its items cannot be judged now."""
    if not is_in_judging:
        raise JudgingNotOpen(
            gettext("Topic {topic} is not open for judging now. Ask the organizers.").format(
                topic=assignment.topic
            )
        )
    if assignment.ended_at:
        raise AssignmentStopped(assignment.topic)
    if assignment.paused_at:
        raise AssignmentPaused(assignment.topic)


@transaction.atomic
def undo_judgment(
    *, assignment: Assignment, undoes: UUID, client_uuid: UUID, by: User, given_at: datetime | None = None
) -> Judgment:
    """Append an event that undoes the judgment ``undoes``; the previous judgment is current again.

    For a known undo return the stored event. Only the current judgment of an item can be undone; after the
    end of the assignment, only an extra one. Raises JudgingNotOpen, AssignmentPaused, AssignmentStopped,
    nothing-to-undo.
    """
    assignment = Assignment.objects.select_for_update().get(pk=assignment.pk)
    task = Task.objects.with_phase().get(pools=assignment.pool_id)
    judgments = Judgment.objects.filter(task=task, topic=assignment.topic, assessor=by)
    if event := judgments.filter(client_uuid=client_uuid, undoes__client_uuid=undoes).first():
        return event
    if task.phase != Phase.JUDGING:
        raise JudgingNotOpen(
            gettext("{task} is not open for judging now. Ask the organizers; nothing was undone.").format(
                task=task
            )
        )
    undone = next((judgment for judgment in judgments.current() if judgment.client_uuid == undoes), None)
    is_extra = undone is not None and undone.purpose == Purpose.EXTRA
    if not (assignment.ended_at and is_extra):
        check_going_on(assignment, is_in_judging=True)
    if undone is None or Judgment.objects.filter(client_uuid=client_uuid).exists():
        raise InputError(
            gettext("This judgment does not exist or is undone already. Load the page again."),
            code="nothing-to-undo",
        )
    # An earlier judgment of work would fill the item's slot.
    earlier = judgments.not_undone().of_work().filter(docno=undone.docno).exclude(pk=undone.pk)
    if assignment.is_by_items and undone.purpose == Purpose.WORK and not earlier.exists():
        lease = JudgingPlan.objects.of(task).lease
        assignment.slots.filter(docno=undone.docno).update(expires_at=Now() + lease)
    return undone.undo_by(by, client_uuid, given_at)
