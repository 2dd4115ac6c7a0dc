"""The sentence on each use: what stands beside a verdict must not contradict it."""

from dataclasses import replace
from typing import Any

import pytest

from tests.evaluation.made_uses import made_uses
from tests.trackside.reporting.views.made import findings, judge
from trackside.findings.use_results import USES, Relation, UseCode, Uses
from trackside.reporting.views.uses import use_row
from trackside.statistics.estimate import Reason


def cell(uses: Uses, name: str) -> str:
    """The sentence on one use."""
    row = use_row(findings(judge(uses=uses)), judge(uses=uses))
    return row.cells[USES.index(name)].says


@pytest.mark.parametrize(("high", "shown"), [(0.0513, "(at most .051)"), (0.04996, "(at most .0500)")])
def test_an_end_is_told_from_its_margin(high: float, shown: str) -> None:
    """ "At most .05" would stand beside "as people" and beside "cannot tell", both with the margin .05."""
    uses = made_uses()
    uses = replace(uses, best=replace(uses.best, high=high))
    assert shown in cell(uses, "best")


def test_ends_of_all_uses_are_told_from_their_margins() -> None:
    uses = made_uses()
    first, *others = uses.families.families
    uses = replace(
        uses,
        rank=replace(uses.rank, low=0.798),
        tune=replace(uses.tune, high=0.504),
        families=replace(uses.families, families=(replace(first, low=4.6), *others)),
    )
    assert "(.798 to .92)" in cell(uses, "rank")
    assert "(39 to 50.4)" in cell(uses, "tune")
    assert "(4.6 to 32)" in cell(uses, "families")


def test_an_interval_beyond_the_margin_stands_beside_as_people_with_the_one_within() -> None:
    """Families are as people by their 90 % interval; the one that is printed is wider."""
    uses = made_uses()
    one = replace(uses.families.families[0], excess=2.0, low=-1.2, high=5.2, low90=-0.7, high90=4.7)
    uses = replace(uses, families=replace(uses.families, code=UseCode.AS_PEOPLE, families=(one,)))
    assert "CLIP-based +2 (−1 to 5.2; at 90 % −1 to 4.7)" in cell(uses, "families")


def test_a_use_as_people_by_the_second_assessor_says_so() -> None:
    uses = made_uses()
    by_second: dict[str, Any] = {"code": UseCode.AS_PEOPLE, "second_difference": -0.02, "second_low": -0.06}
    uses = replace(uses, rank=replace(uses.rank, **by_second), tune=replace(uses.tune, **by_second))
    assert ", .02 below a second assessor (at most .06 below)" in cell(uses, "rank")
    assert ", 2 % below a second assessor (at most 6 % below)" in cell(uses, "tune")


def test_an_order_in_reverse_is_not_like_that_of_shuffled_grades() -> None:
    uses = made_uses()
    no_order: dict[str, Any] = {"code": UseCode.OPEN, "reason": Reason.NO_RELATION}
    uses = replace(
        uses,
        rank=replace(uses.rank, relation=Relation.REVERSE),
        best=replace(uses.best, **no_order),
        families=replace(uses.families, **no_order),
    )
    for name in ("best", "families"):
        assert "Its order of the runs is the reverse of people's" in cell(uses, name)


def test_below_five_runs_tau_has_neither_interval_nor_drawing() -> None:
    uses = made_uses(run_count=4)
    rank = use_row(findings(judge(uses=uses)), judge(uses=uses)).cells[0]
    assert (rank.number, rank.whisker) == (".81", None)
    assert rank.says.startswith("of 81 run pairs told apart 52 kept")


def test_a_first_run_among_several_is_called_the_worst_of_them() -> None:
    uses = made_uses()
    uses = replace(uses, best=replace(uses.best, first_count=16))
    assert cell(uses, "best").startswith("bm25, the worst of 16 first runs, .01 below the best")


def test_kappa_without_an_interval_says_why() -> None:
    uses = made_uses()
    uses = replace(uses, label=replace(uses.label, low=None, high=None))
    graded = judge(uses=uses)
    graded = replace(graded, grades=replace(graded.grades, low=None, reason=Reason.TOO_FEW_TOPICS))
    assert use_row(findings(graded), graded).cells[4].says == "kappa .31: fewer than ten topics"
