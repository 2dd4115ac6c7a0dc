"""People who grade, refuse, flag, comment, undo and settle at random, and whose judgments do not count."""

import random
from collections import Counter

from django.db.models.functions import Now

from assessment.models import (
    Assignment,
    AssignmentKind,
    CannotJudge,
    Exclusion,
    Judgment,
    Purpose,
    SharedTally,
)
from tests.assessment.factories import adjudicate, judge, make_assignment, make_judging_pool, remark, undo

MARKS: list[int | str] = [0, 1, 2, CannotJudge.IMAGE, CannotJudge.TOPIC, "nominal: dark"]
DOCNOS = ("D1", "D2", "D3")
JUDGING = ["judge", "judge", "remark", "undo", "settle"]


def make_judged(seed: int, *, steps: int = 60, excludes: bool = False) -> Assignment:
    """Three people who grade, refuse, flag, comment, undo and settle; with ``excludes`` some do not count."""
    dice = random.Random(seed)
    pool = make_judging_pool()
    pool.task.criteria.update(nominal_name="Unsure", nominal_reasons="dark")
    people = [
        make_assignment(pool, kind=kind)
        for kind in (AssignmentKind.OWNER, AssignmentKind.SECOND, AssignmentKind.SECOND)
    ]
    for given in people:
        given.items.create(place=90, docno="D1", purpose=Purpose.REPEAT)
    for _ in range(steps):
        given, docno = dice.choice(people), dice.choice(DOCNOS)
        purpose = dice.choice([Purpose.WORK, Purpose.WORK, Purpose.REPEAT]) if docno == "D1" else Purpose.WORK
        match dice.choice([*JUDGING, "judge", "exclude", "include"] if excludes else JUDGING):
            case "judge":
                judge(given, docno, dice.choice(MARKS), purpose=purpose, is_flagged=dice.random() < 0.3)
            case "remark":
                remark(given, docno, is_flagged=dice.random() < 0.5)
            case "undo":
                undo_last(given)
            case "settle" if Judgment.objects.counted().of_work().filter(docno=docno).exists():
                adjudicate(pool.task, docno, dice.choice([0, 1, 2]), by=pool.created_by)
            case "exclude":
                exclude_at_random(given, dice)
            case "include":
                rows = Exclusion.objects.in_force().filter(pk__in=Exclusion.objects.values("pk")[:2])
                rows.update(undone_at=Now(), undone_by=pool.created_by)
    return people[0]


def exclude_at_random(given: Assignment, dice: random.Random) -> None:
    """All judgments of the topic or the task, or those since or before one of them, do not count."""
    judged_at = dice.choice([*given.own_judgments().values_list("judged_at", flat=True), None])
    Exclusion.objects.create(
        task=given.pool.task,
        assessor=given.assessor,
        topic=dice.choice(["", given.topic, "T2"]),
        reason="random",
        made_by=given.pool.created_by,
        **{dice.choice(["since", "until"]): judged_at},
    )


def shared_counts() -> dict[tuple[str, tuple[int, int], tuple[int, int]], int]:
    """Items by topic, two people in ascending order and their grades: the sum of both people's rows."""
    found: Counter[tuple[str, tuple[int, int], tuple[int, int]]] = Counter()
    for row in SharedTally.objects.all():
        (first, grade), (second, other) = sorted(
            [(row.assessor_id, row.grade), (row.other_id, row.other_grade)]
        )
        found[row.topic, (first, second), (grade, other)] += row.count
    return {key: count for key, count in found.items() if count}


def undo_last(given: Assignment) -> None:
    if last := given.own_judgments().last():
        undo(given, last)
