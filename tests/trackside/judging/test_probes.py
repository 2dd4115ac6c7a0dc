"""Losses of kappa by hand, and how often verdicts are right for judges whose eyes are known."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.refusals import refused
from trackside.judging.probes import (
    Loss,
    ProbeCode,
    exchanged,
    loss_of_pairs,
    measure_loss,
    partners,
    sample_pairs,
)

SCALE = (0, 1, 2)
Grades = NDArray[np.int64]


def test_loss_is_the_difference_of_quadratic_kappas() -> None:
    """Two grades: kappa 1 before. After, 2 of 4 agree with halves on both sides: kappa 0."""
    topics = ["a", "a", "b", "b"]
    loss = measure_loss(topics, [0, 1, 0, 1], [0, 1, 0, 1], [0, 1, 1, 0], scale=(0, 1))
    assert (loss.before, loss.after, loss.loss) == (1.0, 0.0, 1.0)
    assert (loss.pair_count, loss.topic_count, loss.changed_count) == (4, 2, 2)
    assert loss.interval.low is None  # two topics
    assert loss.code is ProbeCode.OPEN


def unchanged(pairs: int, topics: int, grade: int | None = None) -> Loss:
    grades = [number % 2 if grade is None else grade for number in range(pairs)]
    return measure_loss([str(n % topics) for n in range(pairs)], grades, grades, grades, scale=(0, 1))


def test_grades_that_all_stay_are_no_loss_of_a_sample_that_would_show_one() -> None:
    """Of 59 pairs one changes at a rate of .05 in .9515 of samples, of 58 in .9490."""
    assert (unchanged(59, 10).loss, unchanged(59, 10).code) == (0.0, ProbeCode.NO_LOSS)
    constant = unchanged(59, 10, grade=1)
    assert (constant.before, constant.loss, constant.code) == (None, None, ProbeCode.NO_LOSS)
    assert unchanged(58, 10).code is unchanged(59, 9).code is ProbeCode.OPEN


def test_few_pairs_of_a_judge_that_looks_are_hardly_ever_said_to_lose_nothing() -> None:
    """A true loss of .2: an exchange changes every tenth grade of a judge that agrees with people."""
    rng, codes = np.random.default_rng(7), []
    for _ in range(200):
        grades = rng.integers(0, 2, 24)
        after = np.where(rng.random(24) < 0.1, 1 - grades, grades)
        topics = [str(n // 2) for n in range(24)]
        codes.append(
            measure_loss(topics, grades.tolist(), grades.tolist(), after.tolist(), scale=(0, 1)).code
        )
    assert codes.count(ProbeCode.NO_LOSS) <= 10  # 5 %


def probed(seed: int, weight: float, noise: float, repeat: float = 0.0) -> Loss:
    """A judge of 25 topics x 8 pairs. Its score is ``weight`` of the picture's fit, the rest of the topic's
    ease, and ``noise``; ``repeat`` is noise that is drawn anew when a pair is asked again."""
    rng = np.random.default_rng(seed)
    ease, fit = rng.normal(size=(25, 1)), rng.normal(size=(25, 8))
    own = rng.normal(size=(25, 8)) * noise

    def grades(shown: NDArray[np.float64]) -> Grades:
        # The picture brings its own noise along when it is exchanged.
        score = weight * shown + (1 - weight) * ease + repeat * rng.normal(size=(25, 8))
        return np.digitize(score, [0.0, 0.67]).ravel()

    people = np.digitize(fit + 0.7 * ease, [0.0, 0.67]).ravel()
    topics = [str(topic) for topic in np.repeat(np.arange(25), 8)]
    before = grades(fit + own)
    after = grades(np.roll(fit + own, 1, axis=1))
    return measure_loss(topics, people.tolist(), before.tolist(), after.tolist(), scale=SCALE)


@pytest.mark.parametrize(
    ("weight", "code"),
    [(1.0, ProbeCode.DEPENDS), (0.6, ProbeCode.DEPENDS), (0.0, ProbeCode.NO_LOSS)],
    ids=["pixels only", "both", "captions only"],
)
def test_verdicts_are_right_in_95_of_100_samples_of_200_pairs(weight: float, code: ProbeCode) -> None:
    codes = [probed(seed, weight, noise=0.5).code for seed in range(100)]
    assert codes.count(code) >= 95


def test_judge_that_answers_at_random_is_hardly_ever_said_to_look() -> None:
    """The picture has no weight, and each answer is drawn anew: any loss is chance."""
    codes = [probed(seed, 0.0, noise=0.0, repeat=1.0).code for seed in range(200)]
    assert codes.count(ProbeCode.DEPENDS) <= 10  # 5 %


def test_sample_has_as_many_pairs_of_each_topic() -> None:
    pairs = [(topic, f"d{number}") for topic in "abcd" for number in range(10)] + [("e", "d0")]
    drawn = sample_pairs(pairs, most=12, seed=1)
    assert [topic for topic, _ in drawn] == [*"aaabbbcccddd"]
    assert drawn == sample_pairs(pairs[::-1], most=12, seed=1) != sample_pairs(pairs, most=12, seed=2)
    assert len({topic for topic, _ in sample_pairs(pairs, most=4, seed=1)}) == 2
    with refused("too-few-topics", match="1 topics have two judged pairs"):
        sample_pairs([("a", "d1"), ("a", "d2"), ("b", "d1")], most=12, seed=1)


def test_exchanged_names_are_others() -> None:
    assert exchanged(["a", "b", "c"]) == {"a": "b", "b": "c", "c": "a"}


def compared_with_itself(seed: int, weight: float, repeat: float) -> Loss:
    """As ``probed`` without people: beyond what is lost when the same pairs are asked again."""
    rng = np.random.default_rng(seed)
    ease, fit = rng.normal(size=(25, 1)), rng.normal(size=(25, 8))

    def grades(shown: NDArray[np.float64]) -> dict[tuple[str, str], int | None]:
        score = weight * shown + (1 - weight) * ease + repeat * rng.normal(size=(25, 8))
        found = np.digitize(score, [0.0, 0.67])
        return {(str(t), str(d)): int(found[t, d]) for t in range(25) for d in range(8)}

    first, again, after = grades(fit), grades(fit), grades(np.roll(fit, 1, axis=1))
    own = {pair: grade for pair, grade in first.items() if grade is not None}
    loss = loss_of_pairs(own, again, after, scale=SCALE)
    assert loss
    return loss


@pytest.mark.parametrize(
    ("weight", "repeat", "code"),
    [(1.0, 0.0, ProbeCode.DEPENDS), (0.6, 0.2, ProbeCode.DEPENDS), (0.0, 0.0, ProbeCode.NO_LOSS)],
    ids=["pixels only", "both, with noise", "captions only"],
)
def test_verdicts_without_people_are_right_in_95_of_100_samples(
    weight: float, repeat: float, code: ProbeCode
) -> None:
    codes = [compared_with_itself(seed, weight, repeat).code for seed in range(100)]
    assert codes.count(code) >= 95


@pytest.mark.parametrize("repeat", [0.1, 0.3, 1.0, 3.0])
def test_judge_with_noise_that_ignores_pictures_is_hardly_ever_said_to_look_without_people(
    repeat: float,
) -> None:
    codes = [compared_with_itself(seed, 0.0, repeat).code for seed in range(200)]
    assert codes.count(ProbeCode.DEPENDS) <= 10  # 5 %


def test_pairs_without_all_three_grades_are_left_out() -> None:
    people = {("a", "d1"): 0, ("a", "d2"): 1, ("b", "d1"): 1}
    before = {("a", "d1"): 0, ("a", "d2"): None, ("b", "d1"): 1}
    after: dict[tuple[str, str], int | None] = {("a", "d1"): 0, ("a", "d2"): 1, ("b", "d2"): 1}
    loss = loss_of_pairs(people, before, after, scale=(0, 1))
    assert loss
    assert (loss.pair_count, loss.changed_count) == (1, 0)
    assert loss_of_pairs(people, before, {("b", "d2"): 1}, scale=(0, 1)) is None


def test_partners_are_of_the_same_topic_or_another_one() -> None:
    pairs = [("a", "d1"), ("a", "d2"), ("b", "d1"), ("b", "d3")]
    assert partners(pairs, "document") == {
        ("a", "d1"): "d2", ("a", "d2"): "d1", ("b", "d1"): "d3", ("b", "d3"): "d1",
    }  # fmt: skip
    assert partners(pairs, "topic") == {pair: "b" if pair[0] == "a" else "a" for pair in pairs}
