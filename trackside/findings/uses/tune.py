"""Use 4: tune on the judge. Of what a run gains by pleasing it, how much do people see?"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.findings.retrieved import Retrieved
from trackside.findings.use_results import TuneUse, UseCode
from trackside.findings.uses.pairs import ComparedPairs
from trackside.findings.uses.second import Difference, Trio, one_sided_ends
from trackside.findings.verdicts import Margins
from trackside.statistics.estimate import Reason
from trackside.uncertainty.intervals import FEWEST_TOPICS, jackknife_error, t_quantile

DEPTH = 20  # first results of a run that are re-ordered
BLIND_DRAWS = 5
LEAST_GAIN = 1e-9


def first_results(pairs: ComparedPairs) -> list[Retrieved]:
    """The first `DEPTH` results of each run."""
    return [_at(run, run.pairs[run.ranks < DEPTH], run.ranks[run.ranks < DEPTH]) for run in pairs.results]


def reordered(pairs: ComparedPairs, results: Sequence[Retrieved], grades: Ints) -> list[Retrieved]:
    """Re-order each run's graded results by the grade, among the ranks that they hold; others stay."""
    runs = []
    for run in results:
        order = np.lexsort((run.ranks, -grades[run.pairs], pairs.topics[run.pairs]))
        runs.append(_at(run, run.pairs[order], run.ranks))
    return runs


def _at(run: Retrieved, pairs: Ints, ranks: Ints) -> Retrieved:
    return Retrieved(pairs, ranks, run.counts)


def gains_of_pleasing(pairs: ComparedPairs, grades: Ints) -> tuple[Floats, Floats]:
    """Gains [topic] by these grades and by people's, mean over runs, of runs re-ordered by the grades."""
    before = first_results(pairs)
    after = reordered(pairs, before, grades)
    by_grades, by_people = (
        (pairs.values(by, after) - pairs.values(by, before)).mean(axis=0) for by in (grades, pairs.people)
    )
    return by_grades, by_people


def rate_of(by_grades: Floats, by_people: Floats) -> float | None:
    """People's share of the gain; None where the grades gain nothing."""
    gain = float(by_grades.sum())
    return float(by_people.sum()) / gain if gain > LEAST_GAIN else None


def _left_out(by_grades: Floats, by_people: Floats) -> Floats:
    """The rate without each topic; NaN where nothing is gained without it."""
    gains = by_grades.sum() - by_grades
    left_out: Floats = np.divide(
        by_people.sum() - by_people, gains, out=np.full(gains.size, np.nan), where=gains > LEAST_GAIN
    )
    return left_out


def tune_use(
    pairs: ComparedPairs, *, second: Difference | None, is_second_whole: bool, margins: Margins
) -> TuneUse:
    """The exchange rate with its interval.

    ``second`` is the rate less the second assessor's, None unless people agree with each other; it makes no
    code as people unless second assessors graded nearly all pairs of their topics.
    """
    if not pairs.topic_count or not pairs.results:
        return TuneUse(code=UseCode.OPEN, reason=Reason.NO_SHARED_TOPIC)
    promised, seen = gains_of_pleasing(pairs, pairs.judge)
    rate = rate_of(promised, seen)
    if not np.ptp(pairs.people):
        return TuneUse(code=UseCode.OPEN, reason=Reason.CONSTANT_GRADES)
    if rate is None:
        return TuneUse(code=UseCode.OPEN, reason=Reason.NO_GAIN_SEEN)
    known: dict[str, Any] = {
        "rate": rate,
        "promised": 100 * float(promised.mean()),
        "seen": 100 * float(seen.mean()),
        "blind_rate": _blind_rate(pairs),
    }
    left_out = _left_out(promised, seen)
    if pairs.topic_count < FEWEST_TOPICS or np.isnan(left_out).any():
        few = pairs.topic_count < FEWEST_TOPICS
        reason = Reason.TOO_FEW_TOPICS if few else Reason.HANGS_ON_ONE_TOPIC
        return TuneUse(code=UseCode.OPEN, reason=reason, **known)
    half_width = float(t_quantile(pairs.topic_count - 1.0)) * jackknife_error(left_out)
    low, high = rate - half_width, rate + half_width
    code = UseCode.OPEN
    by_second = is_second_whole and second is not None and second.low > -margins.second_rate
    if low > margins.rate or by_second:
        code = UseCode.AS_PEOPLE
    elif second and high < margins.rate and second.high < -margins.second_rate:
        code = UseCode.DIFFERS
    return TuneUse(
        code=code,
        low=low,
        high=high,
        second_difference=second.value if second else None,
        second_low=second.low if second else None,
        second_high=second.high if second else None,
        **known,
    )


def _blind_rate(pairs: ComparedPairs) -> float | None:
    """The mean rate of judges whose grades are shuffled within topic and people's grade."""
    rng = np.random.default_rng(pairs.seed)
    rates = [rate_of(*gains_of_pleasing(pairs, pairs.cells.shuffled(rng))) for _ in range(BLIND_DRAWS)]
    defined = [rate for rate in rates if rate is not None]
    return float(np.mean(defined)) if defined else None


def second_rate_difference(trios: Sequence[Trio]) -> Difference | None:
    """The judge's rate less the second assessor's, each on its own pairs, weighted by their numbers.

    None with fewer than ten topics, or where a rate is undefined.
    """
    topics = np.unique(np.concatenate([np.arange(0), *(trio.topics for trio in trios)]))
    if topics.size < FEWEST_TOPICS:
        return None
    weights = np.array([trio.weight for trio in trios], dtype=np.float64)
    value, left_out = 0.0, np.zeros(topics.size)
    for trio, weight in zip(trios, weights / weights.sum(), strict=True):
        own = np.searchsorted(topics, trio.topics)
        for grades, sign in ((trio.pairs.judge, 1), (trio.second, -1)):
            gains = gains_of_pleasing(trio.pairs, grades)
            rate = rate_of(*gains)
            if rate is None:
                return None
            without = np.full(topics.size, rate)  # the rate does not change without a topic of other pairs
            without[own] = _left_out(*gains)
            value += sign * weight * rate
            left_out += sign * weight * without
    if np.isnan(left_out).any():
        return None
    return one_sided_ends(value, jackknife_error(left_out), topics.size)
