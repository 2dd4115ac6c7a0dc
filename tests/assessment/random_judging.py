"""People who grade, refuse, flag, comment, undo and settle at random."""

import random
from collections import Counter

from assessment.models import Assignment, AssignmentKind, CannotJudge, Judgment, Purpose, SharedTally
from tests.assessment.factories import adjudicate, judge, make_assignment, make_judging_pool, remark, undo

MARKS: list[int | CannotJudge] = [0, 1, 2, CannotJudge.IMAGE, CannotJudge.TOPIC]
DOCNOS = ("D1", "D2", "D3")


def make_judged(seed: int, *, steps: int = 60) -> Assignment:
    """Three people who grade, refuse, flag, comment, undo and settle at random."""
    dice = random.Random(seed)
    pool = make_judging_pool()
    people = [
        make_assignment(pool, kind=kind)
        for kind in (AssignmentKind.OWNER, AssignmentKind.SECOND, AssignmentKind.SECOND)
    ]
    for given in people:
        given.items.create(place=90, docno="D1", purpose=Purpose.REPEAT)
    for _ in range(steps):
        given, docno = dice.choice(people), dice.choice(DOCNOS)
        purpose = dice.choice([Purpose.WORK, Purpose.WORK, Purpose.REPEAT]) if docno == "D1" else Purpose.WORK
        match dice.choice(["judge", "judge", "remark", "undo", "settle"]):
            case "judge":
                judge(given, docno, dice.choice(MARKS), purpose=purpose, is_flagged=dice.random() < 0.3)
            case "remark":
                remark(given, docno, is_flagged=dice.random() < 0.5)
            case "undo":
                undo_last(given)
            case "settle" if Judgment.objects.not_undone().of_work().filter(docno=docno).exists():
                adjudicate(pool.task, docno, dice.choice([0, 1, 2]), by=pool.created_by)
    return people[0]


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
