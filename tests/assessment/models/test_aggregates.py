"""The aggregates that triggers update equal a recount of all judgments, in any order of events."""

from collections import Counter
from typing import Any

import pytest

from assessment.models import (
    AssignmentKind,
    CannotJudge,
    CurrentJudgment,
    Exclusion,
    JudgedItem,
    JudgedQuarter,
    Judgment,
    Remark,
    Tally,
)
from assessment.models.remark import apply_remarks
from tests.aggregates_sql import recount
from tests.assessment.factories import judge, make_assignment
from tests.assessment.random_judging import make_judged, shared_counts, undo_last

pytestmark = pytest.mark.django_db


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
        "quarters": sorted(
            str({name: value for name, value in row.items() if name != "id"})
            for row in JudgedQuarter.objects.filter(count__gt=0).values()
        ),
        "shared": shared_counts(),
    }


@pytest.mark.parametrize("seed", range(6))
def test_aggregates_equal_a_recount(seed: int) -> None:
    make_judged(seed, excludes=True)
    kept = kept_rows()
    recount()
    assert kept == kept_rows()
    assert kept["current"]


@pytest.mark.parametrize("seed", range(6))
def test_current_judgments_and_their_flags_are_those_that_are_found_one_by_one(seed: int) -> None:
    make_judged(seed, excludes=True)
    exclusions = list(Exclusion.objects.filter(undone_at__isnull=True))

    def counts(event: Judgment | Remark) -> bool:
        moment = event.made_at if isinstance(event, Remark) else event.judged_at
        return not any(
            each.assessor_id == event.assessor_id
            and each.topic in ("", event.topic)
            and (each.since is None or each.since <= moment)
            and (each.until is None or moment < each.until)
            for each in exclusions
        )

    found = list(filter(counts, Judgment.objects.current()))
    alone = list(filter(counts, apply_remarks(found, Remark.objects.current())))
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
    undo_last(second)
    assert not JudgedItem.objects.get(docno="D2").is_disputed
