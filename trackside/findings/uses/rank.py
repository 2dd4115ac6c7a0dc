"""Use 1: rank these runs with the judge's grades."""

from dataclasses import replace
from typing import Any

import numpy as np

from trackside.arrays import Flags, Floats, Ints, value_or_none
from trackside.findings.order import FEWEST_RUNS as FEWEST_IN_ORDER
from trackside.findings.retrieved import means_of
from trackside.findings.use_results import RankUse, Relation, UseCode
from trackside.findings.uses.relation import ShuffledMeans
from trackside.findings.uses.second import Difference, Trio, one_sided_ends
from trackside.findings.verdicts import Margins
from trackside.statistics.correlation import kendall_tau_b, kendall_tau_b_of_rows
from trackside.statistics.estimate import Reason
from trackside.statistics.ranks import TIE
from trackside.uncertainty.intervals import FEWEST_TOPICS
from trackside.uncertainty.ranks import draw_counts, rank_interval, sampled_means

FEWEST_RUNS = 5  # of an order
LEAST_BY_SECOND = 0.5  # the least lower end of tau where the second assessor is the yardstick
TOLD_P = 0.01
_SAME = 1e-12
_BLOCK = 500  # pairs of runs whose signs are resampled at once

Ends = tuple[float | None, float | None]


def rank_use(
    people: Floats,
    judge: Floats,
    shuffles: ShuffledMeans,
    *,
    second: Difference | None,
    is_second_whole: bool,
    popular_tau: float | None,
    counts: Ints,
    margins: Margins,
) -> RankUse:
    """Compare the orders by two tables of values [run, topic]; ``counts`` [resample, topic] are draws.

    ``second`` is tau less the second assessor's, None unless people agree with each other; it makes no code
    as people unless second assessors graded nearly all pairs of their topics.
    """
    relation = shuffles.relation(people, judge)
    tau = kendall_tau_b(means_of(people), means_of(judge))
    chance = shuffles.tau_range(people)
    seen: dict[str, Any] = {"relation": relation, "popular_tau": popular_tau}
    seen |= {"chance_low": chance[0], "chance_high": chance[1]}
    if tau is None:
        return RankUse(code=UseCode.OPEN, reason=_why_undefined(people), **seen)
    if people.shape[1] < FEWEST_TOPICS:
        return RankUse(code=UseCode.OPEN, tau=tau, reason=Reason.TOO_FEW_TOPICS, **seen)
    if len(people) == FEWEST_IN_ORDER:
        return RankUse(code=UseCode.OPEN, tau=tau, reason=Reason.TWO_RUNS, **seen)
    low, high = tau_ends(tau, people, judge, counts)
    told, told_ends = _told(people, judge, counts)
    use = RankUse(
        code=UseCode.OPEN,
        tau=tau,
        low=low,
        high=high,
        told=told,
        told_low=told_ends[0],
        told_high=told_ends[1],
        second_difference=second.value if second else None,
        second_low=second.low if second else None,
        second_high=second.high if second else None,
        **seen,
    )
    by_second = is_second_whole and second is not None and second.low > -margins.tau
    return _with_code(use, len(people), margins, by_second=by_second)


def _why_undefined(people: Floats) -> Reason:
    if not people.shape[1]:
        return Reason.NO_SHARED_TOPIC
    return Reason.ONE_RUN if len(people) < 2 else Reason.ALL_RUNS_EQUAL


def tau_ends(tau: float, people: Floats, judge: Floats, counts: Ints) -> Ends:
    """The 95 % interval of tau over topics; its ends are tau if no resample differs."""
    taus = kendall_tau_b_of_rows(*(sampled_means(values, counts) for values in (people, judge)))
    interval = rank_interval(tau, taus, people.shape[1])
    return (tau, tau) if interval.reason is Reason.NO_VARIATION else (interval.low, interval.high)


def _with_code(use: RankUse, run_count: int, margins: Margins, *, by_second: bool) -> RankUse:
    """The code by the ends of the intervals; open below five runs, which have no order to speak of.

    ``by_second`` says whether tau is hardly below the second assessor's.
    """
    if run_count < FEWEST_RUNS:
        return _coded(use, UseCode.OPEN, Reason.TOO_FEW_RUNS)
    if use.low is None or use.high is None:
        return _coded(use, UseCode.OPEN, Reason.NO_REPLICATES)
    is_told_apart = use.told_high is not None and use.told_high < margins.order
    if use.high < margins.order and is_told_apart:
        return _coded(use, UseCode.DIFFERS)
    is_close = use.low >= margins.order or (by_second and use.low >= LEAST_BY_SECOND)
    if use.relation is not Relation.SHOWN:
        return _coded(use, UseCode.OPEN, Reason.NO_RELATION)
    return _coded(use, UseCode.AS_PEOPLE if is_close else UseCode.OPEN)


def _coded(use: RankUse, code: UseCode, reason: Reason | None = None) -> RankUse:
    return replace(use, code=code, reason=reason)


def _told(people: Floats, judge: Floats, counts: Ints) -> tuple[float | None, Ends]:
    """Share of same less other sign of the pairs of runs that people tell apart, and its interval."""
    one, two, signs = _told_pairs(people)
    if not signs.size:
        return None, (None, None)
    means = judge.mean(axis=1)
    value = float((_signs(means[None], one, two)[0] * signs).mean())
    samples = np.zeros(len(counts))
    drawn = sampled_means(judge, counts)
    for start in range(0, signs.size, _BLOCK):
        block = slice(start, start + _BLOCK)
        samples += _signs(drawn, one[block], two[block]) @ signs[block]
    samples /= signs.size
    if samples.std(ddof=1) <= _SAME:
        return value, (value, value)
    interval = rank_interval(value, samples, people.shape[1])
    return value, (interval.low, interval.high)


def _signs(means: Floats, one: Ints, two: Ints) -> Floats:
    gaps = means[:, one] - means[:, two]
    return np.where(np.abs(gaps) < TIE, 0.0, np.sign(gaps))


def _told_pairs(people: Floats) -> tuple[Ints, Ints, Floats]:
    """The pairs of runs with people's paired t at p <= .01, and the signs of their differences."""
    from scipy.special import stdtr  # scipy is slow to load

    one, two = np.triu_indices(len(people), k=1)
    topics = people.shape[1]
    means, errors = np.zeros(one.size), np.zeros(one.size)
    for start in range(0, one.size, _BLOCK):
        block = slice(start, start + _BLOCK)
        gaps = people[one[block]] - people[two[block]]
        means[block], errors[block] = gaps.mean(axis=1), gaps.std(axis=1, ddof=1)
    is_varied = errors > _SAME
    t = np.divide(means, errors / np.sqrt(topics), out=np.zeros(one.size), where=is_varied)
    is_told: Flags = is_varied & (2 * stdtr(topics - 1, -np.abs(t)) <= TOLD_P)
    return one[is_told], two[is_told], np.sign(means[is_told])


def second_tau_difference(trios: list[Trio], seed: int, replicates: int) -> Difference | None:
    """tau(judge) less tau(second assessor) with people, each on its own pairs, weighted by their numbers.

    None with fewer than ten topics, or where a tau is undefined.
    """
    topics = np.unique(np.concatenate([np.arange(0), *(trio.topics for trio in trios)]))
    if topics.size < FEWEST_TOPICS:
        return None
    counts = draw_counts(topics.size, seed=seed, replicates=replicates)
    weights = np.array([trio.weight for trio in trios], dtype=np.float64)
    weights /= weights.sum()
    value, samples = 0.0, np.zeros(len(counts))
    for trio, weight in zip(trios, weights, strict=True):
        tables = [trio.pairs.by_people, trio.pairs.by_judge, trio.pairs.values(trio.second)]
        own = np.searchsorted(topics, trio.topics)
        of_judge, of_second = (
            kendall_tau_b_of_rows(*(means_of(table)[None] for table in (tables[0], other)))[0]
            for other in tables[1:]
        )
        value += weight * (of_judge - of_second)
        drawn = [sampled_means(table, counts[:, own]) for table in tables]
        samples += weight * (
            kendall_tau_b_of_rows(drawn[0], drawn[1]) - kendall_tau_b_of_rows(drawn[0], drawn[2])
        )
    defined = samples[~np.isnan(samples)]
    if value_or_none(value) is None or defined.size < 2:
        return None
    return one_sided_ends(float(value), float(defined.std(ddof=1)), topics.size)
