"""Have a third person grade, blind, what others grade differently or flagged."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max

from assessment.actions.find_assessors import find_assessors
from assessment.actions.find_disagreements import find_disagreements
from assessment.models import AssignedItem, Assignment, Judgment, Kind, Purpose
from evaluation.core.errors import InputError
from evaluation.core.pooling import presentation_order
from evaluation.models import Pool, PoolItem, Task, teams_of

if TYPE_CHECKING:
    from evaluation.models import User


class NothingToHandOver(InputError):
    """There is no disagreement that this person could settle."""


@transaction.atomic
def assign_adjudication(*, task: Task, to: User, by: User) -> list[Assignment]:
    """Give the task's open disagreements and flags to an assessor, who sees them as any other items.

    Topics in which the person has judged or has anything else to judge are left out: a third opinion is a
    third person's; so are items that a run of the person's own team put into a pool. What was handed over
    before is not again, unless whoever had it could not judge it either. Raises NothingToHandOver.
    """
    Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    handed = AssignedItem.objects.filter(
        assignment__pool__task=task, assignment__ended_at__isnull=True, purpose=Purpose.ADJUDICATION
    )
    refused = Judgment.objects.filter(task=task, purpose=Purpose.ADJUDICATION).exclude(assessor=to).current()
    known = set(handed.values_list("assignment__topic", "docno"))
    known -= {(each.topic, each.docno) for each in refused if each.grade is None}
    known |= _of_own_team(task, to)
    topics: dict[str, list[str]] = defaultdict(list)
    for each in find_disagreements(task=task):
        if each.adjudicated is None and (each.topic, each.docno) not in known:
            topics[each.topic].append(each.docno)
    made = [
        _hand_over(pool, topic, docnos, to, by)
        for topic, docnos in sorted(topics.items())
        if (pool := _pool_for(task, topic, to))
    ]
    if not made:
        raise NothingToHandOver(
            f"{to} can settle nothing now: every disagreement is settled or handed over, or lies in topics "
            "that this person judges. Choose somebody else, or settle them yourself in the list."
        )
    return made


def _of_own_team(task: Task, to: User) -> set[tuple[str, str]]:
    pools = Pool.objects.filter(task=task).with_runs_of(teams_of(to))
    return set(PoolItem.objects.filter(pool__in=pools).values_list("topic", "docno"))


def _pool_for(task: Task, topic: str, to: User) -> Pool | None:
    """The pool that the assignment is of; null where the person is no third party."""
    has_judged = Judgment.objects.of_work().filter(task=task, topic=topic, assessor=to).exists()
    others = Assignment.objects.going_on().filter(pool__task=task, topic=topic, assessor=to)
    if has_judged or others.exclude(kind=Kind.ADJUDICATION).exists():
        return None
    pools = Pool.objects.filter(task=task, items__topic=topic).distinct().order_by("created_at", "pk")
    return next((pool for pool in pools if find_assessors(pool=pool).contains(to)), None)


def _hand_over(pool: Pool, topic: str, docnos: list[str], to: User, by: User) -> Assignment:
    assignment, _ = Assignment.objects.going_on().get_or_create(
        pool=pool, topic=topic, assessor=to, kind=Kind.ADJUDICATION, defaults={"assigned_by": by}
    )
    last = assignment.items.aggregate(last=Max("place"))["last"] or 0
    ordered = presentation_order(docnos, topic=topic, seed=pool.seed)
    AssignedItem.objects.bulk_create(
        AssignedItem(assignment=assignment, place=place, docno=docno, purpose=Purpose.ADJUDICATION)
        for place, docno in enumerate(ordered, start=last + 1)
    )
    return assignment
