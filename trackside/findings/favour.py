"""What it would take for a family's excess to be people's errors, not the judge's favour.

A judge that is right where people miss relevant results also rates better runs above people. With a second
assessor, each person's grades are the instrument for the other's, and tell how far both would have to grade
too low; without one, the tipping point counts the errors needed.
Exposure of a pair: the share of the family's runs with it in their first ten, less the others' share.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from trackside.arrays import Flags, Floats, Ints
from trackside.findings.results import DirectionFinding, TakesFinding, TippingFinding
from trackside.findings.retrieved import Retrieved
from trackside.findings.run_blind import Cells
from trackside.findings.verdicts import FamilyVerdict
from trackside.statistics.estimate import Reason
from trackside.statistics.ranks import TIE
from trackside.uncertainty.intervals import FEWEST_TOPICS, LEVEL, t_quantile

FIRST = 10  # ranks that count as retrieved
LEAST_EFFECT = 1e-12
LEAST_F = 5.0  # of the first stage
LEAST_SLOPE = 0.2  # of the judge on a person's corrected grades


def exposure_of(results: Sequence[Retrieved], is_in: Flags, pair_count: int) -> Floats:
    """The exposure of each shared pair; ``is_in`` flags the family's runs."""
    shares = np.zeros((2, pair_count))
    for run, belongs in zip(results, is_in, strict=True):
        shares[int(belongs)] += np.bincount(run.pairs[run.ranks < FIRST], minlength=pair_count)
    exposure: Floats = shares[1] / max(is_in.sum(), 1) - shares[0] / max((~is_in).sum(), 1)
    return exposure


def visible_share(cells: Cells, exposure: Floats) -> float | None:
    """How much of a favour of one grade for all results that the family has more of the excess can show."""
    is_own = (exposure > 0).astype(np.float64)
    total = float((exposure * is_own).sum())
    return 1 - float((exposure * cells.means(is_own)).sum()) / total if total > 0 else None


@dataclass(frozen=True)
class _Coefficient:
    """The coefficient of exposure, the mean of the others, and columns within topics, exposure last.

    ``influence`` [topic] is that of each topic on ``value``.
    """

    value: float
    slope: float
    influence: Floats
    regressors: Floats
    instruments: Floats
    topics: Ints


def takes_finding(
    cells: Cells, second: Ints, exposure: Floats, *, verdict: FamilyVerdict, reason: Reason | None
) -> TakesFinding:
    """How far both people would have to grade too low for the family's excess to be no favour.

    ``second`` [pair] are the second assessor's grades, negative without one. ``verdict`` and ``reason`` are
    those of the excess; if the excess has a reason, it was not tested, and nothing is computed.
    """
    is_twice = second >= 0
    topics = int(np.unique(cells.topics[is_twice]).size)
    if reason is None and topics < FEWEST_TOPICS:
        reason = Reason.TOO_FEW_TOPICS if topics else Reason.NO_SHARED_PAIR
    if reason is not None:
        return TakesFinding(reason=reason)
    people = _direction(cells, second, exposure, is_twice)
    other = _direction(replace(cells, people=second), cells.people, exposure, is_twice)
    if people is None or other is None:
        return TakesFinding(reason=Reason.CONSTANT_GRADES)
    numbers = TakesFinding(people=people, second=other, pair_count=int(is_twice.sum()), topic_count=topics)
    if reason := _unsaid(verdict, people, other):
        return replace(numbers, reason=reason)
    return replace(
        numbers,
        too_low=min(direction.corrected / direction.slope for direction in (people, other)),
        at_least=min(direction.low / direction.slope for direction in (people, other)),
    )


def _unsaid(verdict: FamilyVerdict, *directions: DirectionFinding) -> Reason | None:
    """Why nothing is said of the size of people's errors; None if it is."""
    if min(direction.first_stage for direction in directions) < LEAST_F:
        return Reason.WEAK_FIRST_STAGE
    if min(direction.slope for direction in directions) < LEAST_SLOPE:
        return Reason.FLAT_JUDGE
    if not verdict.is_above or min(direction.low for direction in directions) <= 0:
        return Reason.NOT_ABOVE_ZERO
    return None


def _direction(cells: Cells, instrument: Ints, exposure: Floats, is_twice: Flags) -> DirectionFinding | None:
    """Correct one person's errors by the other's grades: the instrument, pooled with least squares on all.

    ``cells.people`` are the grades to correct, negative without one. None without rank.
    """
    stage = _coefficient(cells, instrument, exposure, is_twice)
    if stage is None:
        return None
    corrected, influence = stage.value, stage.influence
    if (is_graded := cells.people >= 0).sum() > is_twice.sum():
        plain = _coefficient(cells, cells.people, exposure, is_graded)
        part = _coefficient(cells, cells.people, exposure, is_twice)
        if plain is None or part is None:
            return None
        corrected += plain.value - part.value
        influence = influence + plain.influence - part.influence
    low, high = _ends(corrected, influence, int(np.unique(cells.topics[is_twice]).size))
    return DirectionFinding(
        corrected=corrected, low=low, high=high, slope=stage.slope, first_stage=_first_stage(stage)
    )


def _ends(value: float, influence: Floats, topics: int) -> tuple[float, float]:
    """Ends of the 95 % interval from the influence of each topic; ``topics`` of them are in the sample."""
    error = float(np.sqrt((influence**2).sum() * influence.size / (influence.size - 1)))
    half_width = float(t_quantile(topics - 1.0, LEVEL)) * error
    return value - half_width, value + half_width


def _coefficient(cells: Cells, instrument: Ints, exposure: Floats, is_in: Flags) -> _Coefficient | None:
    """Two-stage least squares of the judge's grades on people's and exposure, with effects of topics.

    ``instrument`` are the grades that stand for people's; people's own give least squares. None without rank,
    and if all of people's grades are equal.
    """
    topics, topic_of_row = np.unique(cells.topics[is_in], return_inverse=True)
    people, proxy = cells.people[is_in], instrument[is_in]

    sizes = np.bincount(topic_of_row, minlength=topics.size)[:, None]

    def within(columns: Floats) -> Floats:
        return columns - (_by_topic(columns, topic_of_row, topics.size) / sizes)[topic_of_row]

    regressors = within(np.column_stack((_dummies(people), exposure[is_in])))
    instruments = within(np.column_stack((_dummies(proxy), exposure[is_in])))
    count = regressors.shape[1]
    if count < 2 or min(map(np.linalg.matrix_rank, (regressors, instruments))) < count:
        return None
    grades = within(cells.judge[is_in].astype(np.float64)[:, None])[:, 0]
    fitted = instruments @ np.linalg.lstsq(instruments, regressors, rcond=None)[0]
    inverse = np.linalg.inv(fitted.T @ regressors)
    coefficients = inverse @ (fitted.T @ grades)
    residuals = grades - regressors @ coefficients
    scores = _by_topic(fitted * residuals[:, None], topic_of_row, topics.size)
    influence = np.zeros(cells.topic_count)
    influence[topics] = (scores @ inverse.T)[:, -1]
    value, slope = float(coefficients[-1]), float(coefficients[:-1].mean())
    return _Coefficient(value, slope, influence, regressors, instruments, topic_of_row)


def _dummies(grades: Ints) -> Floats:
    """One column [grade >= v] for each grade v that occurs but the lowest."""
    return (grades[:, None] >= np.unique(grades)[1:]).astype(np.float64)


def _by_topic(columns: Floats, topics: Ints, topic_count: int) -> Floats:
    sums = [np.bincount(topics, weights=column, minlength=topic_count) for column in columns.T]
    by_topic: Floats = np.array(sums, dtype=np.float64).T
    return by_topic


def _first_stage(stage: _Coefficient) -> float:
    """The least conditional F of the dummies (Sanderson and Windmeijer, J. Econometrics 190, 2016).

    Clustered by topic, with exposure partialled out; the divisor is instruments - dummies + 1.
    """
    topic_count = int(stage.topics.max()) + 1
    exposure = stage.instruments[:, -1:]
    instruments = _residuals(stage.instruments[:, :-1], exposure)
    dummies = _residuals(stage.regressors[:, :-1], exposure)
    fitted = dummies - _residuals(dummies, instruments)
    inverse = np.linalg.inv(instruments.T @ instruments)
    spare = instruments.shape[1] - dummies.shape[1] + 1
    least = np.inf
    for column in range(dummies.shape[1]):
        others = np.delete(np.arange(dummies.shape[1]), column)
        slope = np.linalg.lstsq(fitted[:, others], dummies[:, column], rcond=None)[0]
        residual = dummies[:, column] - dummies[:, others] @ slope
        coefficients = np.linalg.lstsq(instruments, residual, rcond=None)[0]
        errors = residual - instruments @ coefficients
        scores = _by_topic(instruments * errors[:, None], stage.topics, topic_count)
        spread = inverse @ (scores.T @ scores) @ inverse * topic_count / (topic_count - 1)
        least = min(least, float(coefficients @ np.linalg.pinv(spread) @ coefficients) / spare)
    return least


def _residuals(columns: Floats, on: Floats) -> Floats:
    residuals: Floats = columns - on @ np.linalg.lstsq(on, columns, rcond=None)[0]
    return residuals


def tipping_finding(cells: Cells, exposure: Floats, pair_order: Ints) -> TippingFinding:
    """Set people's grade to the judge's, largest effect first, until there is no excess in grades.

    ``pair_order`` [pair] is the rank of each pair by topic and docno, which orders equal effects. The
    count is a lower bound of the errors needed: it cannot prove favour.
    """
    if not cells.topic_count:
        return TippingFinding()
    products = exposure * (cells.judge - cells.means(cells.judge.astype(np.float64)))
    excess = float(products.sum()) / (FIRST * cells.topic_count)
    if abs(excess) < TIE:
        return TippingFinding()
    sign = 1.0 if excess > 0 else -1.0
    candidates = by_effect(sign * exposure * (cells.judge - cells.people), pair_order)
    fewest = _fewest(cells, exposure, candidates.tolist(), sign)
    return TippingFinding(candidate_count=candidates.size, fewest=fewest)


def by_effect(effects: Floats, pair_order: Ints) -> Ints:
    """The pairs with an effect above 0, the largest first, equal ones by ``pair_order``."""
    candidates = np.flatnonzero(effects > LEAST_EFFECT)
    ordered: Ints = candidates[np.lexsort((pair_order[candidates], -np.round(effects[candidates], 9)))]
    return ordered


def _fewest(cells: Cells, exposure: Floats, candidates: Sequence[int], sign: float) -> int | None:
    """How many of the candidates, in this order, end the sum of exposure x (judge - its cell's mean)."""
    width = int(max(cells.people.max(), cells.judge.max())) + 1
    cell_of, size = cells.topics * width + cells.people, cells.topic_count * width
    counts = np.bincount(cell_of, minlength=size).tolist()
    grades = np.bincount(cell_of, weights=cells.judge, minlength=size).tolist()
    exposures = np.bincount(cell_of, weights=exposure, minlength=size).tolist()
    judge, topics, cell = cells.judge.tolist(), cells.topics.tolist(), cell_of.tolist()
    exposure_of_pair = exposure.tolist()

    def expected(index: int) -> float:
        return float(exposures[index] * grades[index] / counts[index]) if counts[index] else 0.0

    excess = float((exposure * cells.judge).sum()) - sum(expected(index) for index in range(size))
    for count, pair in enumerate(candidates, start=1):
        before, after = cell[pair], topics[pair] * width + judge[pair]
        excess += expected(before) + expected(after)
        for index, step in ((before, -1), (after, 1)):
            counts[index] += step
            grades[index] += step * judge[pair]
            exposures[index] += step * exposure_of_pair[pair]
        excess -= expected(before) + expected(after)
        if sign * excess <= TIE:
            return count
    return None
