"""The aggregates that triggers update equal a recount of all judgments, in any order of events."""

from __future__ import annotations

import random
import uuid
from collections import Counter
from typing import Any

import pytest
from django.db import connection

from assessment.judging.actions import undo_judgment
from assessment.judging.remarks import record_remark
from assessment.models import (
    Assignment,
    AssignmentKind,
    CannotJudge,
    CurrentJudgment,
    JudgedItem,
    Judgment,
    Purpose,
    Remark,
    Tally,
)
from assessment.models.remark import apply_remarks
from tests.aggregates_sql import AGGREGATES
from tests.assessment.factories import adjudicate, judge, make_assignment, make_judging_pool

pytestmark = pytest.mark.django_db

MARKS: list[int | CannotJudge] = [0, 1, 2, CannotJudge.IMAGE, CannotJudge.TOPIC]
KEPT = (JudgedItem, CurrentJudgment, Tally)
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
                undo(given)
            case "settle" if Judgment.objects.standing().of_work().filter(docno=docno).exists():
                adjudicate(pool.task, docno, dice.choice([0, 1, 2]), by=pool.created_by)
    return people[0]


def remark(given: Assignment, docno: str, *, is_flagged: bool) -> None:
    record_remark(
        assignment=given,
        docno=docno,
        comment="",
        is_flagged=is_flagged,
        client_uuid=uuid.uuid4(),
        by=given.assessor,
    )


def undo(given: Assignment) -> None:
    last = given.own_judgments().last()
    if last:
        undo_judgment(assignment=given, undoes=last.client_uuid, client_uuid=uuid.uuid4(), by=given.assessor)


def kept_rows() -> dict[str, Any]:
    items = {item.pk: (item.task_id, item.topic, item.docno) for item in JudgedItem.objects.all()}
    return {
        "items": sorted(
            str({name: value for name, value in row.items() if name != "id"})
            for row in JudgedItem.objects.values()
        ),
        "current": sorted(
            str({**row, "item_id": items[row["item_id"]]}) for row in CurrentJudgment.objects.values()
        ),
        "tallies": sorted(
            str({name: value for name, value in row.items() if name != "id"})
            for row in Tally.objects.filter(count__gt=0).values()
        ),
    }


@pytest.mark.parametrize("seed", range(6))
def test_aggregates_equal_a_recount(seed: int) -> None:
    make_judged(seed)
    kept = kept_rows()
    with connection.cursor() as cursor:
        for model in (CurrentJudgment, Tally, JudgedItem):
            cursor.execute(f"DELETE FROM {model._meta.db_table}")
        for statement in AGGREGATES:
            cursor.execute(statement)
    assert kept == kept_rows()
    assert kept["current"]


@pytest.mark.parametrize("seed", range(6))
def test_current_judgments_and_their_flags_are_those_that_are_found_one_by_one(seed: int) -> None:
    make_judged(seed)
    found = list(Judgment.objects.current())
    alone = apply_remarks(found, Remark.objects.current())
    kept = CurrentJudgment.objects.values_list("judgment", "grade", "is_flagged", "active_seconds")
    assert sorted(kept) == sorted(
        (each.pk, each.grade, each.is_flagged, each.active_seconds) for each in found
    )
    tallies = Tally.objects.filter(count__gt=0).values_list("assessor", "topic", "purpose", "grade", "count")
    counted = Counter((each.assessor_id, each.topic, each.purpose, each.grade) for each in found)
    assert {tuple(row[:-1]): row[-1] for row in tallies} == counted
    events: list[Judgment | Remark] = [*found, *alone]
    flagged = {each.docno for each in events if each.is_flagged}
    assert {item.docno for item in JudgedItem.objects.filter(is_flagged=True)} == flagged


def test_judged_item_summarises_its_judgments() -> None:
    owner = make_assignment()
    second = make_assignment(owner.pool, kind=AssignmentKind.SECOND)
    judge(owner, "D1", 2)
    judge(second, "D1", 0)
    judge(second, "D2", CannotJudge.IMAGE)
    first, other = JudgedItem.objects.order_by("docno")
    assert (first.grades, first.distance, first.is_disputed, first.is_refused) == ([0, 2], 2, True, False)
    assert (other.grades, other.refusal_count, other.is_refused, other.is_unseen) == ([], 1, True, True)
    undo(second)
    assert not JudgedItem.objects.get(docno="D2").is_disputed
