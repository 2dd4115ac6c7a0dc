"""Numbers of a stratum: by hand, with an interval that covers, and none where there is too little."""

import numpy as np
import pytest

from trackside.arrays import Floats, Ints
from trackside.findings.strata import FEWEST_PAIRS, StratumFinding, scores_of, stratum_finding
from trackside.statistics.estimate import Reason

ZEROS = np.zeros(4, np.int64)
PEOPLE, JUDGE = np.array([0, 0, 1, 2]), np.array([0, 1, 1, 1])


def found(
    people: Ints, judge: Ints, scores: Floats | None = None, topics: Ints | None = None
) -> StratumFinding:
    heights = judge.astype(float) if scores is None else scores
    places = np.arange(people.size) if topics is None else topics
    return stratum_finding(people, judge, heights, places, scale=(0, 1, 2), level=1)


def test_numbers_by_hand() -> None:
    # Equal 2 of 4. By chance (2 * 1 + 1 * 3 + 1 * 0) / 16 = 5/16, so kappa (1/2 - 5/16) / (11/16) = 3/11.
    # Scores .9 (0), .8 (1), .7 (2), .6 (0): precision 1/2 and 2/3 at the two relevant ones.
    numbers = found(PEOPLE, JUDGE, np.array([0.6, 0.9, 0.8, 0.7]), ZEROS)
    assert (numbers.topic_count, numbers.pair_count) == (1, 4)
    assert numbers.same_grade.value == 0.5
    assert numbers.kappa.value == pytest.approx(3 / 11)
    assert numbers.auprc.value == pytest.approx((1 / 2 + 2 / 3) / 2)
    for number in (numbers.kappa, numbers.same_grade, numbers.auprc):
        assert number.missing is Reason.TOO_FEW_PAIRS


def test_one_grade_on_a_side_has_no_kappa_and_no_curve() -> None:
    for people, judge in ((PEOPLE, ZEROS + 1), (ZEROS + 2, JUDGE)):
        numbers = found(people, judge)
        assert numbers.kappa.reason is numbers.auprc.reason is Reason.CONSTANT_GRADES
        assert numbers.auprc_by_chance is None
        assert numbers.same_grade.value is not None
    assert found(ZEROS, JUDGE).auprc.reason is Reason.NO_RELEVANT
    empty = found(ZEROS[:0], ZEROS[:0])
    assert empty.kappa.reason is empty.same_grade.reason is empty.auprc.reason is Reason.NO_OVERLAP


def test_raw_scores_count_if_each_pair_has_one() -> None:
    assert scores_of(np.array([0.1, np.nan]), np.array([2, 1])).tolist() == [2.0, 1.0]
    assert scores_of(np.array([0.1, 0.2]), np.array([2, 1])).tolist() == [0.1, 0.2]


def drawn(draw: np.random.Generator, topic_count: int) -> StratumFinding:
    """Three pairs a topic, a third of them relevant; a topic's share and the judge's leniency there vary."""
    topics = np.repeat(np.arange(topic_count), 3)
    shares, leniency = draw.beta(1, 2, topic_count)[topics], draw.normal(0, 0.5, topic_count)[topics]
    people = (draw.random(topics.size) < shares).astype(np.int64)
    scores = people + leniency + draw.normal(size=topics.size)
    return found(people, (scores > 0.6).astype(np.int64), scores, topics)


@pytest.mark.parametrize("name", ["kappa", "same_grade", "auprc"])
def test_intervals_of_thirty_pairs_of_ten_topics_cover(name: str) -> None:
    draw = np.random.default_rng(4)
    truth = getattr(drawn(draw, 100_000 // FEWEST_PAIRS), name).value
    numbers = [getattr(drawn(draw, 10), name) for _ in range(300)]
    held = [number.low <= truth <= number.high for number in numbers if number.low is not None]
    assert len(held) > 250
    assert np.mean(held) > 0.92
