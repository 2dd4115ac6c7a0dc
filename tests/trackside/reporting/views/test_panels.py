"""The runs in a judge's panel: few enough to tell apart, and some of the family in any case."""

from dataclasses import replace

from tests.trackside.reporting.views.made import FAMILY, findings, order
from trackside.reporting.design import ReportRun
from trackside.reporting.sections.paper import MOST_RUNS, panel_runs


def test_many_runs_leave_out_the_worst_of_both_sides() -> None:
    """Of 80 runs the 20 worst are the family's; one of them has no mean by the judge."""
    runs = tuple(
        ReportRun(tag=f"r{at:02d}", team="", families=(FAMILY,) if at >= 60 else ()) for at in range(80)
    )
    people = tuple(1 - at / 100 for at in range(80))
    made = replace(order(), people_means=people, judge_means=(*people[:79], None))
    drawn = panel_runs(replace(findings().facts, runs=runs), made, FAMILY)
    family = {run.tag for run in drawn if run.is_in_focus}
    assert family == {f"r{at}" for at in range(60, 79)}
    assert {run.tag for run in drawn} - family == {f"r{at:02d}" for at in range(MOST_RUNS - 19)}


def test_few_runs_are_all_drawn() -> None:
    made = findings()
    means = tuple(float(at) for at in range(len(made.facts.runs)))
    assert len(panel_runs(made.facts, replace(order(), people_means=means, judge_means=means), None)) == 16
