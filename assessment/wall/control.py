"""Show the items of some walls again, one by one, to measure what a wall changes."""

import random

from django.db import transaction
from django.db.models import Max

from assessment.assigning.lookups import has_walls
from assessment.core.arranging import CONTROL_GAP, is_control
from assessment.models.assignment import AssignedItem, Assignment
from assessment.models.judgment import Judgment
from assessment.models.purposes import APART, Purpose
from evaluation.platform.access.people import User


@transaction.atomic
def append_control(*, assignment: Assignment) -> None:
    """Append the items of due control walls of the assessor's other topics to their assignments, as repeats.

    A control wall is due after CONTROL_GAP more judgments of the assessor in the task. Those of
    ``assignment``, of another topic, are among them.
    """
    if not has_walls(assignment):
        return
    User.objects.select_for_update(no_key=True).get(pk=assignment.assessor_id)
    task, assessor = assignment.pool.task_id, assignment.assessor_id
    judgments = Judgment.objects.filter(task=task, assessor=assessor).not_undone().order_by()
    targets = Assignment.objects.going_on().filter(pool__task=task, assessor=assessor, paused_at__isnull=True)
    targets = targets.exclude(topic=assignment.topic).exclude(kind__in=APART)
    ended = judgments.filter(wall__isnull=False).values_list("topic", "wall").annotate(last=Max("pk"))
    walls = [
        (target, wall, last_key)
        for target in targets.select_related("pool")
        for topic, wall, last_key in ended
        if topic == target.topic and is_control(wall, seed=_seed(target))
    ]
    for target, wall, last_key in walls:
        docnos = judgments.filter(topic=target.topic, wall=wall).values("docno")
        items = target.items.filter(docno__in=docnos)
        is_due = judgments.filter(pk__gt=last_key)[:CONTROL_GAP].count() == CONTROL_GAP
        if is_due and not items.filter(purpose=Purpose.REPEAT).exists():
            _append(target, wall, sorted(items.values_list("docno", flat=True)))


def _append(assignment: Assignment, wall: int, docnos: list[str]) -> None:
    Assignment.objects.select_for_update(no_key=True).get(pk=assignment.pk)  # as judgments do
    last_place = assignment.items.aggregate(last=Max("place"))["last"]
    random.Random(f"{_seed(assignment)} {wall}").shuffle(docnos)  # noqa: S311 - a reproducible order, no secret
    AssignedItem.objects.bulk_create(
        AssignedItem(assignment=assignment, place=last_place + step, docno=docno, purpose=Purpose.REPEAT)
        for step, docno in enumerate(docnos, start=1)
    )


def _seed(assignment: Assignment) -> str:
    return f"{assignment.pool.seed} {assignment.topic} {assignment.assessor_id}"
