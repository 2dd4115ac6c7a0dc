"""Do they order the runs alike: coefficients with intervals, differences between judges, rankings."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.correlation import kendall_tau_b_of_rows
from evaluation.core.correlation_rows import COEFFICIENTS, in_blocks
from evaluation.core.correlation_test import correlation_test, kendall_test
from evaluation.core.leaderboard import run_ranks
from evaluation.core.report.content import Column, Number, Section, Table
from evaluation.core.report.resampled import Resampled, interval_over_runs, run_resamples, sampled
from evaluation.core.report.sections.differences import ORDERS, order_differences
from evaluation.core.report.sections.order_figures import order_figures
from evaluation.core.report.study import PEOPLE, Shared
from evaluation.core.report.teams import best_of_teams

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evaluation.core.arrays import Floats
    from evaluation.core.estimate import Interval
    from evaluation.core.permutation import PermutationTest
    from evaluation.core.report.content import Cell
    from evaluation.core.report.resampled import Sampled
    from evaluation.core.report.study import Study

FORMS = {"first run": ".0%", "top 5": ".0%", "largest drop": ".0f"}
MAIN = ("rho", "r")
SHUFFLES = 1_000  # of the runs: the standard error of p = 0.05 is then 0.007
TOP = tuple(name for name in COEFFICIENTS if name not in ("tau", *MAIN))
NEAR = 0.9  # tau from which TREC speaks of equivalent rankings (Voorhees, SIGIR 2001)


def order_section(study: Study) -> Section:
    """Tables by measure and judge, one bump chart a measure and one scatter a measure and judge."""
    resampled = Resampled(study)
    tables = (
        _correlations(study, resampled),
        _top_heavy(study, resampled),
        _of_teams(study),
        _every_coefficient(study, resampled),
        order_differences(study, resampled),
        _means(study),
    )
    return Section("order", "Order of the runs", _says(study), tables, tuple(order_figures(study)))


_CORRELATIONS = (
    Column("measure"),
    Column("judge"),
    Column("topics", ",d"),
    Column("runs", ",d"),
    Column("tau", "z.2f", has_interval=True),
    Column("tau over runs", "z.2f", has_interval=True),
    Column("p", "p"),
    Column("smallest p", "p"),
    *(Column(each, "z.2f", has_interval=True) for each in MAIN),
)


def _correlations(study: Study, resampled: Resampled) -> Table:
    rows = []
    for at, judge, shared in _each(study):
        found = [resampled.of(each, at, judge) for each in ("tau", *MAIN)]
        rows.append(_row(study, at, judge, shared, found, resampled.over_runs("tau", at, judge)))
    notes = (
        f"95 % intervals by {study.design.replicates:,} resamples of topics; by {run_resamples(study):,} of "
        "runs in “tau over runs”. tau: Kendall's tau-b, p of no relation at all, exact without ties; rho: "
        "Spearman; r: Pearson of the means themselves.",
    )
    caption = "Order of the runs under each judge and under people."
    return Table("order", caption, _CORRELATIONS, tuple(rows), notes)


def _of_teams(study: Study) -> Table:
    rows = []
    for at, judge, shared in _each(study):
        chosen = best_of_teams(study, shared, at)
        best = Shared(shared.runs[chosen], shared.topics, shared.values[:, chosen])
        found = [sampled(study, COEFFICIENTS[each], best) for each in ("tau", *MAIN)]
        over_runs = interval_over_runs(study, kendall_tau_b_of_rows, *best.means())
        rows.append(_row(study, at, judge, best, found, over_runs))
    caption = "The same with each team's best run only."
    return Table("order-of-teams", caption, _CORRELATIONS, tuple(rows))


def _row(
    study: Study, at: int, judge: int, shared: Shared, found: Sequence[Sampled], over_runs: Interval
) -> tuple[Cell, ...]:
    test = kendall_test(*shared.means(), seed=study.design.seed)
    tau, *others = found
    return (
        study.measures[at],
        study.name(judge),
        shared.topics.size,
        shared.runs.size,
        tau.number,
        Number.of(tau.value, over_runs),
        Number.of(test.p),
        test.smallest,
        *(each.number for each in others),
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
        "tau_AP counts mistakes near the top more (a: ties of the judge, b: ties of both), tau_GAP by how "
        "much two runs differ, weighted tau by 1 / rank, RBO with persistence 0.9. First run and top 5: "
        "share of the best under people that are the best under the judge. Largest drop: places that the "
        "unluckiest run loses.",
    )
    return Table("order-at-the-top", "The same with more weight at the top.", columns, tuple(rows), notes)


def _every_coefficient(study: Study, resampled: Resampled) -> Table:
    """Each coefficient with both kinds of interval and the p of no relation."""
    columns = (
        Column("measure"),
        Column("judge"),
        Column("coefficient"),
        Column("over topics", "z.2f", has_interval=True),
        Column("over runs", "z.2f", has_interval=True),
        Column("p", "p"),
        Column("smallest p", "p"),
    )
    rows: list[tuple[Cell, ...]] = []
    for at, judge, shared in _each(study):
        x, y = shared.means()
        for name in ORDERS:
            found = resampled.of(name, at, judge)
            told: tuple[Cell, ...] = (found.number, found.number, found.number, None)
            if found.value.value is not None:
                test = _test(study, name, x, y)
                over_runs = Number.of(found.value, resampled.over_runs(name, at, judge))
                told = (found.number, over_runs, Number.of(test.p), test.smallest)
            rows.append((study.measures[at], study.name(judge), name, *told))
    notes = (
        f"p of no relation at all: of tau exact without ties, of the others by shuffling the runs, in all "
        f"ways up to 8 runs, else in {SHUFFLES:,}. A run drawn twice is a tie with itself, so "
        "tau_AP,a, which knows none in the truth, has no interval over runs. RBO is never below 0, so its p "
        "is one-sided.",
    )
    caption = "Every coefficient with its interval over topics and over runs."
    return Table("coefficients", caption, columns, tuple(rows), notes)


def _test(study: Study, name: str, x: Floats, y: Floats) -> PermutationTest:
    seed = study.design.seed
    if name == "tau":
        return kendall_test(x, y, seed=seed)
    statistic = partial(in_blocks, COEFFICIENTS[name])
    return correlation_test(x, y, statistic, seed=seed, draws=SHUFFLES)


def _means(study: Study) -> Table:
    """Mean and rank of every run under every set, each over all its topics."""
    names = [study.name(place) for place in range(len(study.sets))]
    columns = [Column(name) for name in ("measure", "run", "team", "families", "type", "backbone")]
    columns += [each for name in names for each in (Column(name, ".4f"), Column(f"rank, {name}", "d"))]
    rows: list[tuple[Cell, ...]] = []
    for at, measure in enumerate(study.measures):
        means = [dict(zip(study.tags, study.means(place, at), strict=True)) for place in range(len(names))]
        ranks = [run_ranks({tag: mean for tag, mean in each.items() if mean == mean}) for each in means]
        for run in sorted(study.runs, key=lambda run: ranks[PEOPLE].get(run.tag, len(study.runs) + 1)):
            cells: list[Cell] = []
            for mean, rank in zip(means, ranks, strict=True):
                value = float(mean[run.tag])
                cells += [value if value == value else None, rank.get(run.tag)]
            about = (run.tag, run.team, ", ".join(run.families), run.type, run.backbone)
            rows.append((measure, *about, *cells))
    caption = "Mean and rank of each run, under each set of qrels over all its topics."
    return Table("means", caption, tuple(columns), tuple(rows))


def _says(study: Study) -> tuple[str, ...]:
    runs = max((shared.runs.size for *_, shared in _each(study)), default=len(study.runs))
    if runs < 3:
        return (f"{runs} run{'s' * (runs != 1)}: too few to say anything of their order.",)
    alpha = study.design.alpha
    least = _least_significant(runs, alpha)
    if least is None:
        return (f"With {runs} runs no order at all has p below {alpha}: nothing can be told from chance.",)
    return (
        f"With {runs} runs only a tau of {least:.2f} or more has p below {alpha}; "
        f"a tau of 0.2 has p = {_p_of(0.2, runs):.2f}.",
        *_of_shared_pairs(study),
    )


def _of_shared_pairs(study: Study) -> Iterator[str]:
    """What the values rest on, for each judge that lacks items that people graded in the same topics."""
    for judge in study.others:
        pairs = study.shared_pairs(PEOPLE, judge)
        is_graded = study.grades[PEOPLE] >= 0
        graded = np.isin(study.topic_of_pair[is_graded], study.topic_of_pair[pairs]).sum()
        if pairs.size < graded:
            yield (
                f"{study.name(judge)} grades {pairs.size:,} of the {graded:,} items that people graded in "
                "topics of both. Runs are compared by these items alone, under the judge and under people."
            )


def _least_significant(runs: int, alpha: float) -> float | None:
    pairs = runs * (runs - 1) // 2
    for wrong in range(pairs // 2, -1, -1):
        if _tail(runs, wrong) < alpha:
            return 1 - 2 * wrong / pairs
    return None


def _p_of(tau: float, runs: int) -> float:
    pairs = runs * (runs - 1) // 2
    return min(1.0, _tail(runs, round(pairs * (1 - tau) / 2)))


def _tail(runs: int, wrong: int) -> float:
    """Two-sided p of so many discordant pairs, by tau's exact distribution without ties."""
    chances = np.ones(1)
    for k in range(2, runs + 1):
        chances = np.convolve(chances, np.full(k, 1 / k))
    return 2 * float(chances[: wrong + 1].sum())


def _each(study: Study) -> Iterator[tuple[int, int, Shared]]:
    for at in range(len(study.measures)):
        for judge in study.others:
            yield at, judge, study.shared_values(at, PEOPLE, judge)
