"""Do they order the runs alike: coefficients with intervals, differences between judges, rankings."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.bootstrap import percentile_interval, run_interval
from evaluation.core.correlation import kendall_tau_b_of_rows
from evaluation.core.correlation_rows import COEFFICIENTS, in_blocks
from evaluation.core.correlation_test import kendall_test
from evaluation.core.estimate import Estimate, Interval, Reason
from evaluation.core.leaderboard import run_ranks
from evaluation.core.report.content import Column, Number, Section, Table
from evaluation.core.report.sections.order_figures import order_figures
from evaluation.core.report.study import PEOPLE
from evaluation.core.report.teams import best_of_teams

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Floats, Ints
    from evaluation.core.correlation_rows import Statistic
    from evaluation.core.report.content import Cell
    from evaluation.core.report.study import Shared, Study

FORMS = {"first run": ".0%", "top 5": ".0%", "largest drop": ".0f"}
MAIN = ("rho", "r")
TOP = tuple(name for name in COEFFICIENTS if name not in ("tau", *MAIN))
NEAR = 0.9  # tau from which TREC speaks of equivalent rankings (Voorhees, SIGIR 2001)


def order_section(study: Study) -> Section:
    """Tables by measure and judge, one bump chart a measure and one scatter a measure and judge."""
    tables = (
        _correlations(study, "order", "Order of the runs under each judge and under people.", teams=False),
        _top_heavy(study),
        _correlations(study, "order-of-teams", "The same with each team's best run only.", teams=True),
        _differences(study),
        _means(study),
    )
    return Section("order", "Order of the runs", _says(study), tables, tuple(order_figures(study)))


def coefficient(statistic: Statistic, x: Floats, y: Floats) -> Estimate:
    """A row statistic of two vectors of run means, or why there is none."""
    value = statistic(x[None], y[None])[0] if x.size else np.nan
    if not np.isnan(value):
        return Estimate.of(value)
    if x.size < 2:
        return Estimate.undefined(Reason.TOO_FEW)
    is_varied = np.ptp(x) and np.ptp(y)
    return Estimate.undefined(Reason.TIES if is_varied else Reason.CONSTANT)


def over_topics(study: Study, statistic: Statistic, shared: Shared, *, chosen: Ints | None = None) -> Number:
    """The statistic of the run means with its interval over topics; ``chosen`` are places among the runs."""
    values = shared.values if chosen is None else shared.values[:, chosen]
    means = np.array([each.mean(axis=1) for each in values]) if shared.topics.size else np.empty((2, 0))
    found = coefficient(statistic, means[0], means[1])
    if found.value is None:
        return Number.of(found)
    samples = in_blocks(statistic, study.sampled_means(values[0]), study.sampled_means(values[1]))
    return Number.of(found, percentile_interval(samples))


def _correlations(study: Study, name: str, caption: str, *, teams: bool) -> Table:
    columns = (
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
    rows: list[tuple[Cell, ...]] = []
    for at, judge, shared in _each(study):
        chosen = best_of_teams(study, shared, at) if teams else np.arange(shared.runs.size)
        x, y = _two_means(shared, chosen)
        test = kendall_test(x, y, seed=study.design.seed)
        tau = over_topics(study, kendall_tau_b_of_rows, shared, chosen=chosen)
        cells = [over_topics(study, COEFFICIENTS[each], shared, chosen=chosen) for each in MAIN]
        rows.append(
            (
                study.measures[at],
                study.name(judge),
                shared.topics.size,
                chosen.size,
                tau,
                Number.of(Estimate(tau.value, tau.reason), _run_interval(study, x, y)),
                Number.of(test.p),
                test.smallest,
                *cells,
            )
        )
    notes = (
        f"95 % intervals by {study.design.replicates:,} resamples of topics, of runs in “tau over runs”. "
        "tau: Kendall's tau-b, p of no relation at all, exact without ties; rho: Spearman; r: Pearson of the "
        "means themselves.",
    )
    return Table(name, caption, columns, tuple(rows), notes)


def _top_heavy(study: Study) -> Table:
    columns = (
        Column("measure"),
        Column("judge"),
        *(Column(each, FORMS.get(each, "z.2f"), has_interval=True) for each in TOP),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            study.measures[at],
            study.name(judge),
            *(over_topics(study, COEFFICIENTS[each], shared) for each in TOP),
        )
        for at, judge, shared in _each(study)
    ]
    notes = (
        "tau_AP counts mistakes near the top more (a: ties of the judge, b: ties of both), tau_GAP by how "
        "much two runs differ, weighted tau by 1 / rank, RBO with persistence 0.9. First run and top 5: "
        "share of the best under people that are the best under the judge. Largest drop: places that the "
        "unluckiest run loses.",
    )
    return Table("order-at-the-top", "The same with more weight at the top.", columns, tuple(rows), notes)


def _differences(study: Study) -> Table:
    """How much nearer to people one judge is than another, on the topics that all three judge."""
    columns = (
        Column("measure"),
        Column("judge"),
        Column("other judge"),
        Column("topics", ",d"),
        Column("difference of tau", "+z.2f", has_interval=True),
        Column("larger than chance"),
    )
    rows: list[tuple[Cell, ...]] = []
    drawn = _Taus(study)
    for at, measure in enumerate(study.measures):
        for one, two in combinations(study.others, 2):
            found = _difference(study, drawn, at, one, two)
            count = study.shared_topics(PEOPLE, one, two).size
            says = "" if found.low is None or found.high is None else _apart(found.low, found.high)
            rows.append((measure, study.name(one), study.name(two), count, found, says))
    notes = ("The same resamples of topics serve both judges, so what they share cancels out.",)
    return Table("tau-of-two-judges", "Differences between two judges.", columns, tuple(rows), notes)


def _difference(study: Study, drawn: _Taus, at: int, one: int, two: int) -> Number:
    topics = study.shared_topics(PEOPLE, one, two)
    first, second = (drawn.of(at, judge, topics) for judge in (one, two))
    found = first.tau.minus(second.tau)
    if found.value is None or first.samples is None or second.samples is None:
        return Number.of(found)
    return Number.of(found, percentile_interval(first.samples - second.samples))


@dataclass(frozen=True, slots=True)
class _Tau:
    tau: Estimate
    samples: Floats | None


@dataclass(frozen=True)
class _Taus:
    """Tau-b of a judge over some topics and over the resamples of them, each worked out once."""

    study: Study
    known: dict[tuple[int, int, bytes], _Tau] = field(default_factory=dict)

    def of(self, at: int, judge: int, topics: Ints) -> _Tau:
        """By one measure, over topics that people and the judge both judge."""
        key = at, judge, topics.tobytes()
        if key not in self.known:
            self.known[key] = self._of(self.study.shared_values(at, PEOPLE, judge, topics=topics))
        return self.known[key]

    def _of(self, shared: Shared) -> _Tau:
        means = shared.means() if shared.topics.size else np.empty((2, 0))
        found = coefficient(kendall_tau_b_of_rows, means[0], means[1])
        if found.value is None:
            return _Tau(found, None)
        truth, own = (self.study.sampled_means(values) for values in shared.values)
        return _Tau(found, in_blocks(kendall_tau_b_of_rows, truth, own))


def _means(study: Study) -> Table:
    """Mean and rank of every run under every set, each over all its topics."""
    names = [study.name(place) for place in range(len(study.sets))]
    columns = [Column("measure"), Column("run"), Column("team"), Column("families")]
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
            rows.append((measure, run.tag, run.team, ", ".join(run.families), *cells))
    caption = "Mean and rank of each run, under each set of qrels over all its topics."
    return Table("means", caption, tuple(columns), tuple(rows))


def _says(study: Study) -> tuple[str, ...]:
    runs = len(study.runs)
    if runs < 3:
        return (f"{runs} run{'s' * (runs != 1)}: too few to say anything of their order.",)
    least = _least_significant(runs)
    alpha = study.design.alpha
    if least is None:
        return (f"With {runs} runs no order at all has p below {alpha}: nothing can be told from chance.",)
    return (
        f"With {runs} runs only a tau of {least:.2f} or more has p below {alpha}; "
        f"a tau of 0.2 has p = {_p_of(0.2, runs):.2f}.",
    )


def _least_significant(runs: int, alpha: float = 0.05) -> float | None:
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


def _two_means(shared: Shared, chosen: Ints) -> tuple[Floats, Floats]:
    means = shared.means()[:, chosen]
    return means[0], means[1]


def _run_interval(study: Study, x: Floats, y: Floats) -> Interval:
    if x.size < 2:
        return Interval.undefined(Reason.TOO_FEW, 0.95)
    drawn = study.design
    return run_interval(x, y, kendall_tau_b_of_rows, seed=drawn.seed, replicates=drawn.replicates)


def _apart(low: float, high: float) -> str:
    return "yes" if low > 0 or high < 0 else "no"
