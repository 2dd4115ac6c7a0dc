"""Non-inferiority to a second assessor: verdicts by the one-sided ends of the difference of kappas."""

import numpy as np
import pytest
from scipy.stats import t

from trackside.arrays import Ints
from trackside.findings.grades import _verdict, second_finding, second_tau
from trackside.findings.results import SecondFinding, SecondTau
from trackside.findings.verdicts import GradeVerdict, Margins
from trackside.statistics.estimate import Reason
from trackside.uncertainty.ranks import draw_counts

MARGINS = Margins()
UNSAID = SecondTau(verdict=GradeVerdict.NOT_SAID)


def matrices(agreement: float, topics: int = 20, seed: int = 1) -> Ints:
    """Confusion matrices [topic, people, other] of 40 pairs with two grades."""
    rng = np.random.default_rng(seed)
    people = rng.integers(0, 2, (topics, 40))
    other = np.where(rng.random(people.shape) < agreement, people, 1 - people)
    cells = (np.arange(topics)[:, None] * 2 + people) * 2 + other
    return np.bincount(cells.ravel(), minlength=topics * 4).reshape(topics, 2, 2).astype(np.int64)


def found(by_judge: Ints, by_second: Ints) -> SecondFinding:
    return second_finding("second", by_judge, by_second, (0, 1), tau=UNSAID, margins=MARGINS)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-0.049, 0.2, GradeVerdict.NOT_WORSE),
        (-0.05, 0.2, GradeVerdict.NOT_PRECISE),
        (-0.04, -0.01, GradeVerdict.NOT_WORSE),  # worse, but by less than the margin
        (-0.3, 0.0, GradeVerdict.NOT_PRECISE),
        (-0.3, -0.01, GradeVerdict.WORSE),
        (None, None, GradeVerdict.NOT_SAID),
    ],
)
def test_verdict_changes_at_the_margin_and_at_zero(
    low: float | None, high: float | None, verdict: GradeVerdict
) -> None:
    assert _verdict((low, high), MARGINS.kappa) is verdict


def test_ends_are_one_sided_at_95_percent_by_the_jackknife() -> None:
    by_judge, by_second = matrices(0.8), matrices(0.75, seed=2)
    finding = found(by_judge, by_second)
    assert finding.difference is not None
    without = np.array(
        [
            _kappa(by_judge.sum(axis=0) - by_judge[topic]) - _kappa(by_second.sum(axis=0) - by_second[topic])
            for topic in range(20)
        ]
    )
    error = np.sqrt(19 / 20 * ((without - without.mean()) ** 2).sum())
    half = t.ppf(0.95, 19) * error
    assert finding.low_difference == pytest.approx(finding.difference - half)
    assert finding.high_difference == pytest.approx(finding.difference + half)


def _kappa(matrix: Ints) -> float:
    total = matrix.sum()
    chance = (matrix.sum(axis=0) * matrix.sum(axis=1)).sum() / total**2
    return float((np.trace(matrix) / total - chance) / (1 - chance))


def test_good_and_poor_judges_get_other_verdicts_than_each_other() -> None:
    second = matrices(0.8, seed=2)
    assert found(matrices(0.95), second).verdict is GradeVerdict.NOT_WORSE
    assert found(matrices(0.6), second).verdict is GradeVerdict.WORSE
    assert found(matrices(0.8), second).verdict is GradeVerdict.NOT_PRECISE


def test_nothing_is_said_without_ten_topics_variation_or_two_grades() -> None:
    for topics, verdict in ((9, GradeVerdict.NOT_SAID), (10, GradeVerdict.NOT_WORSE)):
        assert found(matrices(0.99, topics), matrices(0.7, topics, seed=2)).verdict is verdict
    same = matrices(0.8)
    assert found(same, same).reason is Reason.NO_VARIATION
    constant = np.zeros((20, 2, 2), np.int64)
    constant[:, 0, 0] = 40
    assert found(constant, constant).reason is Reason.CONSTANT_GRADES


def test_taus_are_compared_if_the_second_assessor_graded_nine_tenths() -> None:
    rng = np.random.default_rng(3)
    people = np.linspace(0.2, 0.8, 8)[:, None] + rng.normal(0, 0.05, (8, 20))
    judge, second = (people + rng.normal(0, noise, people.shape) for noise in (0.05, 0.6))
    counts = draw_counts(20, seed=1, replicates=200)

    def compared(share: float, *sides: object) -> SecondTau:
        return second_tau(people, *sides, counts=counts, triple_share=share, margins=MARGINS)  # type: ignore[arg-type]

    assert compared(0.9, judge, second).verdict is GradeVerdict.NOT_WORSE
    assert compared(0.9, -judge, second).verdict is GradeVerdict.WORSE
    part = compared(0.89, judge, second)
    assert (part.verdict, part.reason) == (GradeVerdict.NOT_SAID, Reason.SECOND_ASSESSOR_GRADED_A_PART)
