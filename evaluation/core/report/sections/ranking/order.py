"""Do judges and people order the runs alike? Coefficients with intervals, differences, rankings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.conclusions import order_conclusion
from evaluation.core.report.tables import Column, Conclusion, CorrectionScope, Number, Section, Table
from evaluation.core.report.resampled import Resampled, over_teams, sampled
from evaluation.core.report.sections.differences import ORDERS, order_differences
from evaluation.core.report.sections.ranking.figures import order_figures
from evaluation.core.report.shared_values import Shared
from evaluation.core.report.study import PEOPLE
from evaluation.core.report.teams import best_of_teams
from evaluation.core.statistics.correlation.coefficients import kendall_tau_b_of_rows
from evaluation.core.statistics.correlation.rows import COEFFICIENTS
from evaluation.core.statistics.correlation.significance import kendall_tail, kendall_test
from evaluation.core.statistics.estimate import Estimand, Estimate, Interval, Reason
from evaluation.core.statistics.permutation import PermutationTest
from evaluation.core.text.counted import counted
from evaluation.core.uncertainty import LEVEL, noise_ceiling

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evaluation.core.report.tables import Cell
    from evaluation.core.report.resampled import Sampled
    from evaluation.core.report.study import Study

OTHER_TOPICS = Estimand.AS_MANY_OTHER_TOPICS.words
OTHER_TEAMS = Estimand.NEW_TEAMS.words
FORMS = {"first run": ".0%", "top 5": ".0%", "largest drop": ".0f"}
MAIN = ("rho", "r")
TOP = tuple(name for name in COEFFICIENTS if name not in ("tau", *MAIN))


def order_section(study: Study) -> Section:
    """Tables by measure and judge, a bump chart for each measure, a scatter for each measure and judge."""
    resampled = Resampled(study)
    of_runs, of_teams = _of_runs(study, resampled), _of_teams(study)
    # The best runs are chosen by the same values: under a noisy judge their intervals cover 89 %.
    best_rows = tuple(each.row(study, why_none=Reason.NOT_COVERED) for each in of_teams)
    tables = (
        _correlations(study, of_runs, of_teams),
        _top_heavy(study, resampled),
        Table("order-of-teams", "Order of each team's best run only.", _CORRELATIONS[:-2], best_rows),
        _every_coefficient(study, resampled),
        order_differences(study, resampled),
    )
    return Section("order", "Order of the runs", _says(study), tables, tuple(order_figures(study, tables[0])))


_CORRELATIONS = (
    Column("measure"),
    Column("judge"),
    Column("topics", ",d"),
    Column("runs", ",d"),
    Column("tau", "z.2f", has_interval=True, estimand=OTHER_TOPICS),
    Column("tau, other teams", "z.2f", has_interval=True, estimand=OTHER_TEAMS),
    Column("noise ceiling", "z.2f", estimand="tau of people with people on equally many other topics"),
    Column("p", "p", role=CorrectionScope.EXPLORATORY),
    Column("smallest p", "p"),
    *(Column(each, "z.2f", has_interval=True, estimand=OTHER_TOPICS) for each in MAIN),
    Column("p, deciding", "p", role=CorrectionScope.EXPLORATORY),
    Column("verdict"),
)


@dataclass(frozen=True)
class _Order:
    """One measure and judge over some runs: the coefficients, the test of tau, and its noise ceiling."""

    at: int
    judge: int
    shared: Shared
    found: Sequence[Sampled]
    test: PermutationTest
    ceiling: Estimate

    @classmethod
    def of(cls, study: Study, at: int, judge: int, shared: Shared, found: Sequence[Sampled]) -> _Order:
        if not shared.topics.size:
            nothing = Estimate.undefined(Reason.NO_SHARED_TOPIC)
            return cls(at, judge, shared, found, PermutationTest.undefined(nothing), nothing)
        people, own = shared.means()
        seed = study.design.seed
        ceiling = noise_ceiling(shared.values[PEOPLE], kendall_tau_b_of_rows, seed=seed).all_topics
        return cls(at, judge, shared, found, kendall_test(people, own, seed=seed), ceiling)

    def row(self, study: Study, *, why_none: Reason | None = None) -> tuple[Cell, ...]:
        """The cells of the row; ``why_none`` is why the coefficients have no intervals over topics."""
        none = why_none and Interval.undefined(why_none, LEVEL)
        tau, *others = (Number.of(each.value, none) if none else each.number for each in self.found)
        return (
            study.measures[self.at],
            study.name(self.judge),
            self.shared.topics.size,
            self.shared.runs.size,
            tau,
            over_teams(study, "tau", self.shared),
            Number.of(self.ceiling),
            *self._test_of_runs(study),
            *others,
        )

    def _test_of_runs(self, study: Study) -> tuple[Cell, Cell]:
        """The p of the runs and the smallest possible one, unless a team has several of them.

        The test then rejects a true null hypothesis far too often (docs/simulations.md, "orders").
        """
        teams = [study.teams[run] for run in self.shared.runs]
        if self.test.p.value is not None and len(set(teams)) < len(teams):
            return Number.of(Estimate.undefined(Reason.RUNS_OF_ONE_TEAM)), None
        return Number.of(self.test.p), self.test.smallest


def _of_runs(study: Study, resampled: Resampled) -> list[_Order]:
    return [
        _Order.of(study, at, judge, shared, [resampled.of(each, at, judge) for each in ("tau", *MAIN)])
        for at, judge, shared in _each(study)
    ]


def _of_teams(study: Study) -> list[_Order]:
    """The order of each measure and judge with only each team's best run by people."""
    found = []
    for at, judge, shared in _each(study):
        chosen = best_of_teams(study, shared, at)
        best = Shared(shared.runs[chosen], shared.topics, shared.values[:, chosen])
        coefficients = [sampled(study, each, best) for each in ("tau", *MAIN)]
        found.append(_Order.of(study, at, judge, best, coefficients))
    return found


def _correlations(study: Study, of_runs: Sequence[_Order], of_teams: Sequence[_Order]) -> Table:
    rows = tuple(
        (*each.row(study), _deciding_p(each, best), _verdict(study, each, best))
        for each, best in zip(of_runs, of_teams, strict=True)
    )
    notes = (
        "tau: Kendall's tau-b; rho: Spearman; r: Pearson of the means themselves, all on these topics. "
        "Their 95 % intervals are of the value expected on equally many other topics of this kind "
        f"({study.design.replicates:,} resamples), those of “tau, other teams” of the value with other "
        "teams on these topics. Noise ceiling: the tau that people's own order would have with their order "
        "on equally many other topics, from random halves. p: test of no relation, exact without ties; only "
        "if each team has one run, because runs of one team resemble each other. p, deciding: the larger of "
        "the p of all runs and that of each team's best run alone; it decides the verdict.",
    )
    return Table("order", "Order of the runs under each judge and under people.", _CORRELATIONS, rows, notes)


def _deciding_p(of_runs: _Order, of_teams: _Order) -> Number:
    """The larger p of all runs and of each team's best; undefined if one of them is."""
    found = of_runs.test.p, of_teams.test.p
    missing = next((each for each in found if each.value is None), None)
    return Number.of(missing or max(found, key=lambda each: each.value or 0.0))


def _verdict(study: Study, of_runs: _Order, of_teams: _Order) -> Conclusion:
    return order_conclusion(
        of_runs.found[0].value,
        of_runs.test.p,
        of_teams.test.p,
        alpha=study.design.alpha,
        run_count=of_runs.shared.runs.size,
        team_count=of_teams.shared.runs.size,
    )


def _top_heavy(study: Study, resampled: Resampled) -> Table:
    columns = (
        Column("measure"),
        Column("judge"),
        *(Column(each, FORMS.get(each, "z.2f"), has_interval=True) for each in TOP),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            study.measures[at],
            study.name(judge),
            *(resampled.of(each, at, judge).number for each in TOP),
        )
        for at, judge, _ in _each(study)
    ]
    notes = (
        "tau_AP weights errors near the top more (a: ties of the judge, b: ties of both), tau_GAP by the "
        "difference of two runs, weighted tau by 1 / rank, RBO with persistence 0.9. First run and top 5: "
        "share of the best under people that are the best under the judge. Largest drop: the most ranks "
        "that a run loses.",
    )
    return Table("order-at-the-top", "Order with more weight at the top.", columns, tuple(rows), notes)


def _every_coefficient(study: Study, resampled: Resampled) -> Table:
    """Each coefficient with its intervals over topics and over teams."""
    columns = (
        Column("measure"),
        Column("judge"),
        Column("coefficient"),
        Column("other topics", "z.2f", has_interval=True, estimand=OTHER_TOPICS),
        Column("other teams", "z.2f", has_interval=True, estimand=OTHER_TEAMS),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            study.measures[at],
            study.name(judge),
            name,
            resampled.of(name, at, judge).number,
            over_teams(study, name, shared),
        )
        for at, judge, shared in _each(study)
        for name in ORDERS
    ]
    caption = "Every coefficient with its intervals over topics and over teams."
    return Table("coefficients", caption, columns, tuple(rows))


def _says(study: Study) -> tuple[str, ...]:
    """The least tau that can be significant for this number of runs, or of teams if a team has several."""
    of_runs = [shared.runs.tolist() for *_, shared in _each(study)] or [list(range(len(study.runs)))]
    runs = max(of_runs, key=len)
    if len(runs) < 3:
        return (f"{counted(len(runs), 'run')}: too few to compare their order.",)
    teams, alpha = len({study.teams[run] for run in runs}), study.design.alpha
    about = (
        f"{len(runs)} runs" if teams == len(runs) else f"the best runs of {teams} team{'s' * (teams != 1)}"
    )
    least = _least_significant(teams, alpha)
    if least is None:
        words = f"With {about} no order at all has p below {alpha}: no result can be significant."
    else:
        words = (
            f"With {about} only a tau of {least:.2f} or more, or −{least:.2f} or less, has p below {alpha}; "
            f"a tau of 0.2 has p = {_p_of(0.2, teams):.2f}."
        )
    return (words, *_of_shared_pairs(study))


def _of_shared_pairs(study: Study) -> Iterator[str]:
    """Name the compared items, for each judge that lacks items that people graded in the same topics."""
    for judge in study.others:
        pairs = study.shared_pairs(PEOPLE, judge)
        is_graded = study.grades[PEOPLE] >= 0
        graded = np.isin(study.topic_of_pair[is_graded], study.topic_of_pair[pairs]).sum()
        if pairs.size < graded:
            yield (
                f"{study.name(judge)} grades {pairs.size:,} of the {counted(graded, 'item')} that people "
                "graded in topics of both. Runs are compared by these items alone, under the judge and "
                "under people."
            )


def _least_significant(runs: int, alpha: float) -> float | None:
    pairs = runs * (runs - 1) // 2
    for wrong in range(pairs // 2, -1, -1):
        if kendall_tail(runs, wrong) < alpha:
            return 1 - 2 * wrong / pairs
    return None


def _p_of(tau: float, runs: int) -> float:
    pairs = runs * (runs - 1) // 2
    return min(1.0, kendall_tail(runs, round(pairs * (1 - tau) / 2)))


def _each(study: Study) -> Iterator[tuple[int, int, Shared]]:
    for at in range(len(study.measures)):
        for judge in study.others:
            yield at, judge, study.shared_values(at, PEOPLE, judge)
