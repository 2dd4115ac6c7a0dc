"""Say that judgments of an assessor do not count, give their items to others, and undo it."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from assessment.assigning.actions import end_assignment
from assessment.assigning.successors import Succession, deal_topics
from assessment.models.aggregates import CurrentJudgment
from assessment.models.assignment import AssignedItem, Assignment
from assessment.models.exclusion import Exclusion
from assessment.models.purposes import AssignmentKind, Purpose
from assessment.models.slot import Slot
from evaluation.platform.access.people import User
from evaluation.tracks.models import Task
from trackside.errors import InputError
from trackside.text.counted import counted


@dataclass(frozen=True)
class Excluded:
    """An exclusion that was just made, the number of judgments, and who got the items."""

    exclusion: Exclusion
    judgment_count: int
    succession: Succession

    @property
    def words(self) -> str:
        """What changed, for the organizer."""
        person, count = self.exclusion.assessor, self.judgment_count
        parts = [f"{counted(count, 'judgment')} of {person} {'does' if count == 1 else 'do'} not count."]
        topics = Counter(str(row.assessor) for row in self.succession.assignments)
        parts += [f"{name} gets items of {counted(topics[name], 'topic')}." for name in sorted(topics)]
        if left := self.succession.left_topics:
            parts.append(
                f"No other assessor can judge {', '.join(left)}: invite one, then assign the topics."
            )
        return " ".join(parts)


@transaction.atomic
def exclude_judgments(
    *,
    task: Task,
    assessor: User,
    topic: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
    reason: str,
    by: User,
) -> Excluded:
    """State that the assessor's judgments do not count, and deal their items to others as unseen.

    It is about the whole task, or one ``topic``, or a time: from ``since`` on, before ``until``. The
    assessor's assignments of the topics end, without ``until`` also those without a judgment. Items of a
    queue are free again. Raises nothing-excluded, excluded-already.
    """
    _lock(task, assessor)
    rows = Exclusion.objects.in_force().filter(task=task, assessor=assessor, topic=topic)
    if rows.filter(since=since, until=until).exists():
        raise InputError(f"These judgments of {assessor} do not count already.", code="excluded-already")
    exclusion = Exclusion(
        task=task, assessor=assessor, topic=topic, since=since, until=until, reason=reason, made_by=by
    )
    judged = exclusion.judgments.order_by().values_list("topic", flat=True)
    count, topics = judged.count(), set(judged)
    if not count:
        raise InputError(
            f"{assessor} has no such judgments. Check the topic and the times.", code="nothing-excluded"
        )
    exclusion.save(force_insert=True)
    assignments = Assignment.objects.filter(pool__task=task, assessor=assessor)
    going_on = assignments.going_on()
    if until:
        going_on = going_on.filter(topic__in=topics)
    elif topic:
        going_on = going_on.filter(topic=topic)
    for assignment in going_on:
        topics.add(assignment.topic)
        end_assignment(assignment=assignment, by=by)
    _free_slots(task, assessor)
    succession = Succession()
    for pool in task.pools.filter(pk__in=assignments.values("pool")).order_by("pk"):
        succession += deal_topics(pool=pool, former=assessor, topics=topics, by=by)
    return Excluded(exclusion, count, succession)


@transaction.atomic
def undo_exclusion(*, exclusion: Exclusion, by: User) -> Exclusion:
    """Let the judgments count again, beside those that others gave meanwhile. Raises undone-already.

    Assignments stay as they are. A judgment of a queue whose slot somebody else filled gets a further slot.
    """
    _lock(exclusion.task, exclusion.assessor)
    rows = Exclusion.objects.in_force().filter(pk=exclusion.pk)
    if not rows.update(undone_at=Now(), undone_by=by):
        raise InputError(f"{exclusion} is undone already.", code="undone-already")
    exclusion.refresh_from_db()
    _refill_slots(exclusion)
    return exclusion


def _lock(task: Task, assessor: User) -> None:
    """Let the assessor's judgments wait: each locks its assignment, or for adjudication the task."""
    Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    rows = Assignment.objects.filter(pool__task=task, assessor=assessor).order_by("pk")
    list(rows.select_for_update(of=("self",)).values_list("pk"))


def _free_slots(task: Task, assessor: User) -> None:
    """Free the slots that the assessor's judgments filled and that none of the counted ones fills."""
    counting = CurrentJudgment.objects.filter(
        task=task,
        assessor=assessor,
        purpose=Purpose.WORK,
        item__topic=OuterRef("topic"),
        item__docno=OuterRef("docno"),
    )
    slots = Slot.objects.filter(~Exists(counting), pool__task=task, assignment__assessor=assessor)
    slots.filter(expires_at__isnull=True).update(assignment=None)


def _refill_slots(exclusion: Exclusion) -> None:
    """Give each judgment of a queue that counts again a slot: a free one of its item, or a further one."""
    judgments = exclusion.judgments.counted().of_work()
    own = Slot.objects.filter(
        assignment__assessor=exclusion.assessor_id,
        topic=OuterRef("assignment__topic"),
        docno=OuterRef("docno"),
    )
    items = AssignedItem.objects.filter(
        ~Exists(own.filter(pool=OuterRef("assignment__pool"))),
        assignment__pool__task=exclusion.task_id,
        assignment__assessor=exclusion.assessor_id,
        assignment__kind=AssignmentKind.ITEMS,
        purpose=Purpose.WORK,
    )
    pairs = set(judgments.pairs())
    for item in items.select_related("assignment").order_by("pk"):
        if (item.assignment.topic, item.docno) in pairs:
            _refill(item)


def _refill(item: AssignedItem) -> None:
    assignment = item.assignment
    slots = Slot.objects.filter(pool=assignment.pool_id, topic=assignment.topic, docno=item.docno)
    if slots.filter(assignment=assignment).exists():
        return
    free = slots.filter(assignment__isnull=True).order_by("turn").select_for_update().first()
    if free:
        Slot.objects.filter(pk=free.pk).update(assignment=assignment, expires_at=None)
        return
    last = slots.order_by("turn").last()
    if last:
        Slot.objects.create(
            pool_id=assignment.pool_id,
            topic=assignment.topic,
            docno=item.docno,
            turn=last.turn + 1,
            position=last.position,
            assignment=assignment,
        )
