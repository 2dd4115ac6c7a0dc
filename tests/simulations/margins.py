"""Codes of judges exactly on a margin, intervals of the exchange rate, and how often good judges close.

Rank, best and families: values of runs on topics are drawn, so that what people and the judge have over all
topics is known. Tune: the judge's share of errors is fitted on 10,000 topics. Label: the kappas are computed.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.optimize import brentq

from tests.simulations.evidence import CLOSED
from tests.simulations.made import SCALE
from tests.simulations.rates import compared, true_rates
from tests.simulations.rows import Row
from tests.simulations.studies import drawn_grades
from tests.simulations.uses import ITEMS, MISSES, REPLICATES
from trackside.arrays import Flags, Floats, Ints
from trackside.findings.grades import grade_finding
from trackside.findings.use_results import UseCode
from trackside.findings.uses.best import best_use
from trackside.findings.uses.families import families_use
from trackside.findings.uses.label import label_use
from trackside.findings.uses.pairs import ComparedPairs
from trackside.findings.uses.rank import rank_use, second_tau_difference
from trackside.findings.uses.relation import ShuffledMeans
from trackside.findings.uses.second import Trio, assay_of, trios_of
from trackside.findings.uses.tune import second_rate_difference, tune_use
from trackside.findings.verdicts import Margins
from trackside.statistics.agreement import confusions_by_topic, kappa_of_matrices
from trackside.uncertainty.ranks import draw_counts

SHAPES = ((16, 74), (8, 20), (40, 43))  # runs, topics
MARGINS = Margins()
NOISE, ALIKE = 0.25, 0.6  # spread of a run's values over topics, and its correlation between people and judge
SECOND_TAU = 0.9  # of all topics
SHRUNK = 1.15  # over 43 or 74 topics taus differ by less than over all: by .1 if it is .115 over all
Draw = Callable[[np.random.Generator, int, int], UseCode]


def margins(tracks: int, seed: int, *, is_tune: bool = False) -> Iterator[Row]:
    """Shares of the codes on each margin, for three shapes of tracks; of tune alone, or of the other uses."""
    for part, (name, draw) in enumerate(ON_MARGIN.items()):
        if name.startswith("tune") != is_tune:
            continue
        for runs, topics in SHAPES:
            counts = Counter(
                draw(np.random.default_rng([seed, 20, part, runs, at]), runs, topics) for at in range(tracks)
            )
            figures = {str(code): counts[code] / tracks for code in CLOSED}
            yield Row(name, f"{runs} runs", tracks, figures, topics, runs)


def _values(rng: np.random.Generator, topics: int, people: Floats, *judges: Floats) -> list[Floats]:
    """Values [run, topic] by people and judges around these means; topics differ, and noise is shared."""
    shape = people.size, topics
    hard, shared = 0.2 * rng.normal(size=topics), NOISE * rng.normal(size=shape)
    noises = [shared] + [
        ALIKE * shared + np.sqrt(1 - ALIKE**2) * NOISE * rng.normal(size=shape) for _ in judges
    ]
    means = (people, *judges)
    return [mean[:, None] + hard + noise for mean, noise in zip(means, noises, strict=True)]


def _with_inversions(rng: np.random.Generator, runs: int, count: int) -> Ints:
    """An order of the runs in which ``count`` pairs, near or far apart, are reversed: runs are moved."""
    while True:
        order = np.arange(runs)
        while (reversed_count := _inversions(order)) < count:
            moved = int(rng.integers(runs))
            order = np.insert(np.delete(order, moved), int(rng.integers(runs)), order[moved])
        if reversed_count == count:
            return order


def _inversions(order: Ints) -> int:
    return int((np.triu(order[:, None] > order, 1)).sum())


def _reversed_count(runs: int, tau: float, *, is_above: bool) -> int:
    """Reversed pairs of the nearest tau that is not below (or not above) this one."""
    count = (1 - tau) / 2 * runs * (runs - 1) / 2
    return int(np.floor(count + 1e-9) if is_above else np.ceil(count - 1e-9))


def _rank(rng: np.random.Generator, runs: int, topics: int, *, step: float, is_above: bool) -> UseCode:
    """Tau .8 over all topics, also of the pairs of runs that people tell apart."""
    people = 0.3 + step * np.arange(runs, dtype=np.float64)[::-1]
    order = _with_inversions(rng, runs, _reversed_count(runs, MARGINS.order, is_above=is_above))
    judge = np.empty(runs)
    judge[order] = people
    values = _values(rng, topics, people, judge)
    return rank_use(
        values[0],
        values[1],
        _shuffles(rng, runs, topics),
        second=None,
        is_second_whole=False,
        popular_tau=None,
        counts=draw_counts(topics, seed=int(rng.integers(1 << 30)), replicates=REPLICATES),
        margins=MARGINS,
    ).code


def _shuffles(rng: np.random.Generator, runs: int, topics: int) -> ShuffledMeans:
    """Means under shuffles, which show any relation: the guard is not what is on its margin here."""
    return ShuffledMeans(0.5 + NOISE / np.sqrt(topics) * 1e-3 * rng.normal(size=(199, runs)))


@dataclass(frozen=True)
class _Values:
    """Values of runs in place of pairs: what the yardstick of tau reads."""

    by_people: Floats
    by_judge: Floats
    by_second: Floats

    def values(self, _grades: Ints) -> Floats:
        return self.by_second


def _rank_by_second(rng: np.random.Generator, runs: int, topics: int) -> UseCode:
    """The judge's tau over equally many topics is .1 below the second assessor's."""
    people = 0.3 + 0.02 * np.arange(runs, dtype=np.float64)[::-1]
    means = []
    for tau in (SECOND_TAU, SECOND_TAU - SHRUNK * MARGINS.tau):
        order = _with_inversions(rng, runs, _reversed_count(runs, tau, is_above=tau > MARGINS.order))
        mean = np.empty(runs)
        mean[order] = people
        means.append(mean)
    by_people, by_second, by_judge = _values(rng, topics, people, *means)
    drawn = _Values(by_people, by_judge, by_second)
    trio = Trio(drawn, np.zeros(1, np.int64), np.arange(topics), 1)  # type: ignore[arg-type]
    seed = int(rng.integers(1 << 30))
    return rank_use(
        by_people,
        by_judge,
        _shuffles(rng, runs, topics),
        second=second_tau_difference([trio], seed, REPLICATES),
        is_second_whole=True,
        popular_tau=None,
        counts=draw_counts(topics, seed=seed, replicates=REPLICATES),
        margins=MARGINS,
    ).code


def _best(rng: np.random.Generator, runs: int, topics: int, *, first: int, better: int) -> UseCode:
    """People's best runs are ``better`` ones, others .05 below; the judge puts ``first`` of those first."""
    people = np.where(np.arange(runs) < better, 0.5, 0.5 - MARGINS.best)
    judge = np.where((np.arange(runs) >= better) & (np.arange(runs) < better + first), 0.6, 0.35)
    values = _values(rng, topics, people, judge)
    tags = [str(run) for run in range(runs)]
    return best_use(values[0], values[1], tags, margin=MARGINS.best, is_related=True).code


def _families(rng: np.random.Generator, runs: int, topics: int, *, sides: int) -> UseCode:
    """Excess 5: the judge's Relative Delta is 5 points above that of run-blind judges; or of both sides."""
    is_in = np.arange(runs) % 2 == 0
    by_judge = 0.5 * (1 + np.where(is_in, 1, -1) * MARGINS.points / 200)
    blind, judge = _values(rng, topics, np.full(runs, 0.5), by_judge)
    families: dict[str, Flags] = {"one": is_in, "other": ~is_in}
    return families_use(
        blind,
        judge,
        blind,
        dict(list(families.items())[:sides]),
        points=MARGINS.points,
        is_constant=False,
        is_related=True,
    ).code


@cache
def _error_at(missed: tuple[float, float], target: float, runs: int, *, is_difference: bool) -> float:
    """The judge's share of errors at which its rate, or that less the second assessor's, is the target."""

    def distance(error: float) -> float:
        rates = true_rates(missed, error, runs)
        return (rates[0] - rates[1] if is_difference else rates[0]) - target

    return float(brentq(distance, 0.0, 1.0, xtol=1e-3))


def _tune(rng: np.random.Generator, runs: int, topics: int, *, by_second: bool) -> UseCode:
    """A rate of .5, or one that is .1 below the second assessor's, both below .5."""
    missed = MISSES["at random"] if not by_second else (0.5, 0.5)
    target = -MARGINS.second_rate if by_second else MARGINS.rate
    error = _error_at(missed, target, runs, is_difference=by_second)
    pairs = compared(rng, topics, missed, error, runs)
    second = second_rate_difference(trios_of(pairs)) if by_second else None
    return tune_use(pairs, second=second, is_second_whole=True, margins=MARGINS).code


EASY, HARD = (0.5, 0.3, 0.2), (0.9, 0.07, 0.03)  # how often each grade is true on half of the topics each
MISSED = 0.15


def _chances(error: float, prevalence: tuple[float, ...]) -> Floats:
    """Chances [true, given] of somebody who misses relevant pairs, and errs by the prevalence."""
    seen = np.array([[1, 0, 0], [MISSED, 1 - MISSED, 0], [MISSED, 0, 1 - MISSED]])
    return (1 - error) * seen + error * np.array(prevalence)


def _kappa_at(error: float, kinds: tuple[tuple[float, ...], ...]) -> float:
    table = sum(_chances(0.0, kind).T @ (np.array(kind)[:, None] * _chances(error, kind)) for kind in kinds)
    return float(kappa_of_matrices(np.asarray(table)[None], SCALE)[0])


@cache
def _label_error(kinds: tuple[tuple[float, ...], ...]) -> float:
    """The judge's share of errors at which its kappa is .05 below that of a person like the first."""
    target = _kappa_at(0.0, kinds) - MARGINS.kappa
    return float(brentq(lambda error: _kappa_at(error, kinds) - target, 0.0, 0.9, xtol=1e-9))


def _label(
    rng: np.random.Generator,
    topics: int,
    error: float,
    *,
    kinds: tuple[tuple[float, ...], ...],
    items: int = ITEMS,
) -> UseCode:
    """Two people who miss alike, and a judge with more errors; topics are of several kinds."""
    of_topic = np.repeat(np.arange(topics), items)
    kind_of_pair = rng.integers(0, len(kinds), topics)[of_topic]
    truth = drawn_grades(rng, np.array(kinds)[kind_of_pair])
    people, second, judge = (
        drawn_grades(rng, np.array([_chances(share, kind) for kind in kinds])[kind_of_pair, truth])
        for share in (0.0, 0.0, error)
    )
    pairs = ComparedPairs("nDCG@10", SCALE, 1, 1, of_topic, topics, people, judge, (second,), ())
    grades = grade_finding(confusions_by_topic(people, judge, of_topic, SCALE), SCALE)
    return label_use(pairs, grades, assay_of(pairs), margin=MARGINS.kappa).code


def _label_on_margin(rng: np.random.Generator, _runs: int, topics: int) -> UseCode:
    kinds = (EASY, HARD)
    return _label(rng, topics, _label_error(kinds), kinds=kinds)


ON_MARGIN: dict[str, Draw] = {
    "rank, tau .8 from below, runs close": lambda *drawn: _rank(*drawn, step=0.005, is_above=False),
    "rank, tau .8 from below, runs apart": lambda *drawn: _rank(*drawn, step=0.02, is_above=False),
    "rank, tau .8 from above, runs close": lambda *drawn: _rank(*drawn, step=0.005, is_above=True),
    "rank, tau .8 from above, runs apart": lambda *drawn: _rank(*drawn, step=0.02, is_above=True),
    "rank, .1 below the second assessor": _rank_by_second,
    "best, one first run": lambda *drawn: _best(*drawn, first=1, better=1),
    "best, first runs that are alike": lambda *drawn: _best(*drawn, first=6, better=1),
    "best, half of the runs better": lambda *drawn: _best(*drawn, first=1, better=drawn[1] // 2),
    "families, one": lambda *drawn: _families(*drawn, sides=1),
    "families, both sides": lambda *drawn: _families(*drawn, sides=2),
    "tune, rate .5": lambda *drawn: _tune(*drawn, by_second=False),
    "tune, .1 below the second assessor": lambda *drawn: _tune(*drawn, by_second=True),
    "label, kappa .05 below": _label_on_margin,
}
ZEROS = (0.7, 0.9, 0.95, 0.99)
POWER_TOPICS, POWER_ITEMS = 74, 60


def powers(tracks: int, seed: int) -> Iterator[Row]:
    """How often the label of a judge that errs as a second assessor does is as people's."""
    for zeros in ZEROS:
        kinds = ((zeros, 0.6 * (1 - zeros), 0.4 * (1 - zeros)),)
        codes = Counter(
            _label(np.random.default_rng([seed, 22, at]), POWER_TOPICS, 0.0, kinds=kinds, items=POWER_ITEMS)
            for at in range(tracks)
        )
        figures = {str(code): codes[code] / tracks for code in CLOSED}
        yield Row("label", f"as good as the second, {zeros:.0%} zeros", tracks, figures, POWER_TOPICS)
