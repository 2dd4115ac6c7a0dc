"""The runs in one judge's panel of a figure."""

from itertools import chain, zip_longest

from trackside.figures.svg.panels import PanelRun
from trackside.findings.results import OrderFinding
from trackside.reporting.findings import ReportFacts

MOST_RUNS = 48  # in a panel


def panel_runs(facts: ReportFacts, order: OrderFinding, family: str | None) -> list[PanelRun]:
    """The runs with both means; of many, the best by people, as many of the family as of the others."""
    runs = [
        PanelRun(run.tag, across, up, family in run.families)
        for run, across, up in zip(facts.runs, order.people_means, order.judge_means, strict=True)
        if across is not None and up is not None
    ]
    best = sorted(runs, key=lambda run: -run.across)
    sides = ([run for run in best if run.is_in_focus == is_in] for is_in in (True, False))
    in_turn = chain.from_iterable(zip_longest(*sides))
    return [run for run in in_turn if run][:MOST_RUNS]
