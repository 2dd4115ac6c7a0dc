"""Is the judge's order of the runs related to people's, or does the pool alone carry it?

A pool that is shallower than the measure orders the runs under any grades. So the judge is compared with its
own grades shuffled within topics, on the same pairs.
"""

from dataclasses import dataclass

import numpy as np

from trackside.arrays import Flags, Floats, value_or_none
from trackside.findings.linear import linear_measure
from trackside.findings.retrieved import means_of
from trackside.findings.use_results import Relation
from trackside.findings.uses.pairs import ComparedPairs
from trackside.measuring import parse_measure
from trackside.statistics.correlation import kendall_tau_b_of_rows

DRAWS = 199
_ABOVE, _BELOW = 194, 4  # of the sorted draws: the 195th and the 5th smallest
_SAME = 1e-12
_CHUNK = 2_000_000  # grades shuffled at once


@dataclass(frozen=True, slots=True)
class ShuffledMeans:
    """Means of the runs [draw, run] under the judge's grades shuffled within topics."""

    means: Floats

    def of_runs(self, is_in: Flags) -> "ShuffledMeans":
        """Select runs."""
        return ShuffledMeans(self.means[:, is_in])

    def relation(self, by_people: Floats, by_judge: Floats) -> Relation:
        """Compare the covariance of two tables' means [run, topic] with those of the draws."""
        people = means_of(by_people)
        people = people - people.mean()
        observed = float(people @ means_of(by_judge))
        drawn = np.sort(self.means @ people)
        if observed > drawn[_ABOVE] + _SAME:
            return Relation.SHOWN
        return Relation.REVERSE if observed < drawn[_BELOW] - _SAME else Relation.NOT_SHOWN

    def tau_range(self, by_people: Floats) -> tuple[float | None, float | None]:
        """The middle 95 % of tau under the shuffles; None if tau is defined in none."""
        people = np.broadcast_to(means_of(by_people), self.means.shape)
        taus = np.sort(kendall_tau_b_of_rows(people, self.means))
        taus = taus[~np.isnan(taus)]
        if not taus.size:
            return None, None
        low, high = (round(share * taus.size) - 1 for share in (0.025, 0.975))
        return value_or_none(taus[max(low, 0)]), value_or_none(taus[min(high, taus.size - 1)])


def shuffled_means(pairs: ComparedPairs) -> ShuffledMeans:
    """Shuffle the judge's grades within each topic, `DRAWS` times with the pairs' seed."""
    measure = parse_measure(pairs.measure)
    linear = linear_measure(measure, pairs.topics, pairs.judge, pairs.topic_count)
    weights = [linear.weights(run) / pairs.topic_count for run in pairs.results] if linear else []
    rng = np.random.default_rng(pairs.seed)
    means = np.empty((DRAWS, len(pairs.results)))
    step = max(1, _CHUNK // max(pairs.topics.size, 1))
    for start in range(0, DRAWS, step):
        rows = slice(start, min(start + step, DRAWS))
        order = np.argsort(pairs.topics + rng.random((rows.stop - start, pairs.topics.size)), axis=1)
        if linear is None:
            shuffles = pairs.judge[order]
            means[rows] = [means_of(pairs.values(grades)) for grades in shuffles]
        else:
            drawn = linear.gains[order].T
            for run, (results, weight) in enumerate(zip(pairs.results, weights, strict=True)):
                means[rows, run] = weight @ drawn[results.pairs]
    return ShuffledMeans(means)


def popularity_tau(pairs: ComparedPairs) -> float | None:
    """tau with people of a judge that grades each result by the number of runs that retrieve it."""
    retrieved = np.concatenate([run.pairs for run in pairs.results])
    counts = np.bincount(retrieved, minlength=pairs.topics.size)
    means = [means_of(values)[None] for values in (pairs.by_people, pairs.values(counts))]
    return value_or_none(kendall_tau_b_of_rows(*means)[0])
