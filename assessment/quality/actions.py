"""Settle items on which assessors disagree, or hand them over to a third one."""

from collections import defaultdict
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext

from assessment.assigning.assessors import find_assessors
from assessment.models.aggregates import JudgedItem
from assessment.models.assignment import AssignedItem, Assignment
from assessment.models.judgment import AdjudicationMode, Judgment
from assessment.models.purposes import AssignmentKind, Purpose
from assessment.models.remark import Remark
from evaluation.access.people import User, teams_of
from evaluation.collections.models import Document
from evaluation.pools.models import Pool, PoolItem
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from trackside.errors import InputError
from trackside.pooling.depth import presentation_order


@transaction.atomic
def adjudicate_item(
    *,
    task: Task,
    topic: str,
    docno: str,
    grade: int,
    image_sha256: str,
    client_uuid: UUID,
    shown_at: datetime,
    by: User,
    active_seconds: float | None = None,
    comment: str = "",
    saw_record: bool = False,
) -> Judgment:
    """Append an adjudicator's grade of the item; for a known UUID return the stored event.

    Its mode is open if the page showed the grades on record (``saw_record``), or if the person has graded the
    item before, after which it shows them. A later grade replaces it. It counts in published qrels by every
    rule except the owner's. Raises nothing-to-adjudicate, grade-not-in-criteria, other-image, event-id-taken.
    """
    Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    if stored := Judgment.objects.filter(client_uuid=client_uuid).first():
        return _same(stored, (by.pk, task.pk, topic, docno, grade))
    if not Judgment.objects.not_undone().of_work().filter(task=task, topic=topic, docno=docno).exists():
        problem = gettext("Nobody has graded this item of topic {topic}, so there is nothing to settle.")
        raise InputError(problem.format(topic=topic), code="nothing-to-adjudicate")
    criteria = Criteria.objects.current(task)
    criteria.check_grade(grade)
    document = Document.objects.get(collection=task.collection_id, docno=docno)
    if image_sha256 != (document.image_id or ""):
        raise InputError(
            gettext("The image shown is not this item's. Load the page again and repeat the grade."),
            code="other-image",
        )
    is_open = saw_record or Judgment.objects.adjudications(task, topic, docno, by).exists()
    return Judgment.objects.create(
        task=task,
        topic=topic,
        docno=docno,
        purpose=Purpose.ADJUDICATION,
        image_sha256=image_sha256,
        criteria=criteria,
        assessor=by,
        grade=grade,
        comment=comment,
        client_uuid=client_uuid,
        shown_at=shown_at,
        active_seconds=active_seconds,
        mode=AdjudicationMode.OPEN if is_open else AdjudicationMode.BLIND,
    )


def _same(stored: Judgment, sent: tuple[int, int, str, str, int]) -> Judgment:
    known = (stored.assessor_id, stored.task_id, stored.topic, stored.docno, stored.grade)
    if known != sent or stored.purpose != Purpose.ADJUDICATION:
        raise InputError(
            gettext("Another judgment has the same number. Load the page again and repeat yours."),
            code="event-id-taken",
        )
    return stored


@transaction.atomic
def undo_adjudication(
    *, task: Task, topic: str, docno: str, undoes: UUID, client_uuid: UUID, by: User
) -> Judgment:
    """Append an event that undoes the person's own grade; for a known undo return the stored event.

    Raises nothing-settled.
    """
    Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    own = Judgment.objects.adjudications(task, topic, docno, by)
    if stored := own.filter(client_uuid=client_uuid, undoes__client_uuid=undoes).first():
        return stored
    undone = own.current().first()
    if undone is None or undone.client_uuid != undoes or Judgment.objects.filter(client_uuid=client_uuid):
        raise InputError(
            gettext("This grade does not exist or is undone already. Load the page again."),
            code="nothing-settled",
        )
    return undone.undo_by(by, client_uuid)


@transaction.atomic
def comment_adjudication(
    *, task: Task, topic: str, docno: str, comment: str, client_uuid: UUID, by: User
) -> Remark:
    """Append an adjudication's reason, replacing earlier ones; for a known UUID return the stored event.

    Raises event-id-taken.
    """
    Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    if stored := Remark.objects.filter(client_uuid=client_uuid).first():
        if (stored.assessor_id, stored.task_id, stored.topic, stored.docno) != (by.pk, task.pk, topic, docno):
            raise InputError(
                gettext("Another remark has the same number. Load the page again and repeat yours."),
                code="event-id-taken",
            )
        return stored
    return Remark.objects.create(
        task=task,
        topic=topic,
        docno=docno,
        purpose=Purpose.ADJUDICATION,
        assessor=by,
        comment=comment,
        client_uuid=client_uuid,
    )


@transaction.atomic
def assign_adjudication(*, task: Task, to: User, by: User) -> list[Assignment]:
    """Assign the task's open disagreements and flags to an assessor, who sees them like any other items.

    Excludes topics in which the person has judged or has another assignment: the third opinion must come from
    a third person. Excludes items of pools with a run of the person's own team, and items that are assigned
    already, unless that assessor could not judge them either. Raises nothing-to-hand-over.
    """
    Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    handed = AssignedItem.objects.filter(
        assignment__pool__task=task, assignment__ended_at__isnull=True, purpose=Purpose.ADJUDICATION
    )
    refused = Judgment.objects.filter(task=task, purpose=Purpose.ADJUDICATION).exclude(assessor=to).current()
    known = set(handed.values_list("assignment__topic", "docno"))
    known -= {(each.topic, each.docno) for each in refused if each.grade is None}
    own_pools = Pool.objects.filter(task=task).with_runs_of(teams_of(to))
    known |= set(PoolItem.objects.filter(pool__in=own_pools).values_list("topic", "docno"))
    topics: dict[str, list[str]] = defaultdict(list)
    still_open = JudgedItem.objects.filter(task=task, is_settled=False).disputed()
    for topic, docno in still_open.values_list("topic", "docno"):
        if (topic, docno) not in known:
            topics[topic].append(docno)
    assignments = [
        _hand_over(pool, topic, docnos, to, by)
        for topic, docnos in sorted(topics.items())
        if (pool := _pool_for(task, topic, to))
    ]
    if not assignments:
        raise InputError(
            f"{to} can settle nothing now: every disagreement is settled or handed over, or is in topics "
            "that this person judges. Choose somebody else, or settle them yourself in the list.",
            code="nothing-to-hand-over",
        )
    return assignments


def _pool_for(task: Task, topic: str, to: User) -> Pool | None:
    """Return the first pool with the topic that the person may judge; null if the person judges the topic."""
    has_judged = Judgment.objects.of_work().filter(task=task, topic=topic, assessor=to).exists()
    others = Assignment.objects.going_on().filter(pool__task=task, topic=topic, assessor=to)
    if has_judged or others.exclude(kind=AssignmentKind.ADJUDICATION).exists():
        return None
    pools = Pool.objects.filter(task=task, items__topic=topic).distinct().order_by("created_at", "pk")
    return next((pool for pool in pools if find_assessors(pool=pool).contains(to)), None)


def _hand_over(pool: Pool, topic: str, docnos: list[str], to: User, by: User) -> Assignment:
    assignment, _ = Assignment.objects.going_on().get_or_create(
        pool=pool, topic=topic, assessor=to, kind=AssignmentKind.ADJUDICATION, defaults={"assigned_by": by}
    )
    last = assignment.items.aggregate(last=Max("place"))["last"] or 0
    ordered = presentation_order(docnos, topic=topic, seed=pool.seed)
    AssignedItem.objects.bulk_create(
        AssignedItem(assignment=assignment, place=place, docno=docno, purpose=Purpose.ADJUDICATION)
        for place, docno in enumerate(ordered, start=last + 1)
    )
    return assignment
