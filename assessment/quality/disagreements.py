"""Items on which people, or people and a model, disagree, and their third assessor."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeVar

from django.db import transaction
from django.db.models import Exists, Max

from assessment.assigning.lookups import find_assessors
from assessment.models.aggregates import JudgedItem
from assessment.models.assignment import AssignedItem, Assignment
from assessment.models.exclusion import Exclusion
from assessment.models.judgment import Judgment
from assessment.models.purposes import APART, AssignmentKind, Purpose
from assessment.models.remark import Remark, apply_remarks
from evaluation.platform.access.people import User, teams_of
from evaluation.results.qrels.models import Qrels, QrelsPair
from evaluation.submissions.pools.models import Pool, PoolItem
from evaluation.tracks.models import Task
from trackside.errors import InputError
from trackside.pooling.depth import presentation_order

Event = TypeVar("Event", Judgment, Remark)
Pair = tuple[str, str]  # topic and docno


def find_disagreements(
    *, task: Task, items: Iterable[JudgedItem] | None = None, qrels: Qrels | None = None
) -> list[JudgedItem]:
    """Return the disputed items with their judgments, in the order of ``JudgedItem.objects.disputed()``.

    ``items`` are those to read, such as one page; None reads all of the task. ``qrels`` are a model's grades
    to show beside people's. A flag on a repeated item counts for the item.
    """
    cases = list(JudgedItem.objects.filter(task=task).disputed() if items is None else items)
    current = Judgment.objects.filter(task=task, kept__item__in=cases).select_related("assessor", "criteria")
    judgments = list(current.order_by("pk"))
    scope = {"topic__in": {item.topic for item in cases}, "docno__in": {item.docno for item in cases}}
    excluded = Exists(Exclusion.objects.covering("made_at"))
    all_remarks = Remark.objects.filter(~excluded, task=task, **scope).current().select_related("assessor")
    unjudged = apply_remarks(judgments, all_remarks)
    work = _by_pair(row for row in judgments if row.purpose == Purpose.WORK)
    remarks = _by_pair(row for row in unjudged if row.is_flagged or row.purpose != Purpose.ADJUDICATION)
    settled = [row for row in judgments if row.purpose == Purpose.ADJUDICATION and row.has_answer]
    adjudicated = {(row.topic, row.docno): row for row in settled}
    graded = QrelsPair.objects.filter(qrels=qrels, **scope) if qrels else QrelsPair.objects.none()
    machine = {(topic, docno): grade for topic, docno, grade in graded.values_list("topic", "docno", "grade")}
    for item in cases:
        pair = (item.topic, item.docno)
        item.judgments, item.remarks = tuple(work[pair]), tuple(remarks[pair])
        item.adjudicated, item.judge_grade = adjudicated.get(pair), machine.get(pair)
    return cases


def _by_pair(events: Iterable[Event]) -> defaultdict[tuple[str, str], list[Event]]:
    by_pair: defaultdict[tuple[str, str], list[Event]] = defaultdict(list)
    for event in events:
        by_pair[event.topic, event.docno].append(event)
    return by_pair


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
    refused = Judgment.objects.filter(task=task, purpose=Purpose.ADJUDICATION).exclude(assessor=to).counted()
    excluded = set(handed.values_list("assignment__topic", "docno"))
    excluded -= {(judgment.topic, judgment.docno) for judgment in refused if not judgment.has_answer}
    own_pools = Pool.objects.filter(task=task).with_runs_of(teams_of(to))
    excluded |= set(PoolItem.objects.filter(pool__in=own_pools).values_list("topic", "docno"))
    topics: dict[str, list[str]] = defaultdict(list)
    open_items = JudgedItem.objects.filter(task=task, is_settled=False).disputed()
    for topic, docno in open_items.values_list("topic", "docno"):
        if (topic, docno) not in excluded:
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
    assignments = Assignment.objects.going_on().filter(pool__task=task, topic=topic, assessor=to)
    if has_judged or assignments.exclude(kind__in=APART).exists():
        return None
    pools = (
        Pool.objects.for_qrels().filter(task=task, items__topic=topic).distinct().order_by("created_at", "pk")
    )
    return next((pool for pool in pools if find_assessors(pool=pool).contains(to)), None)


def _hand_over(pool: Pool, topic: str, docnos: list[str], to: User, by: User) -> Assignment:
    assignment, _ = Assignment.objects.going_on().get_or_create(
        pool=pool, topic=topic, assessor=to, kind=AssignmentKind.ADJUDICATION, defaults={"assigned_by": by}
    )
    last_place = assignment.items.aggregate(last=Max("place"))["last"] or 0
    ordered = presentation_order(docnos, topic=topic, seed=pool.seed)
    AssignedItem.objects.bulk_create(
        AssignedItem(assignment=assignment, place=place, docno=docno, purpose=Purpose.ADJUDICATION)
        for place, docno in enumerate(ordered, start=last_place + 1)
    )
    return assignment
