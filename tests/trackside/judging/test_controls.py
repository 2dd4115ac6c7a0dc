"""Whether grades fall when the picture is exchanged: the test, and how often it is right."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from trackside.judging.controls import Looked, Looks, control_count, falls, looked
from trackside.judging.forms import answer_form

GRADES, HUNDRED = answer_form("grade-0-2"), answer_form("relevance-1-100")


@pytest.mark.parametrize(
    ("pairs", "controls"),
    [(15, 0), (199, 0), (200, 20), (2_000, 20), (2_001, 21), (9_818, 99), (50_000, 500)],
)
def test_controls_are_one_in_a_hundred_at_least_20_and_at_most_a_tenth(pairs: int, controls: int) -> None:
    assert control_count(pairs) == controls


def test_a_fall_is_a_lower_grade_or_a_tenth_of_a_wide_scale() -> None:
    assert falls(GRADES, 2, 1)
    assert not falls(GRADES, 1, 1)
    assert not falls(GRADES, 1, 2)
    assert not falls(HUNDRED, 85, 80)  # an answer at another temperature
    assert falls(HUNDRED, 85, 75)
    assert falls(answer_form("score-0-1"), 0.9, 0.8)


def test_result_of_counts_that_can_be_checked_by_hand() -> None:
    """1.8 ** 17 * 0.2 ** 3 = 175 and 1.8 ** 16 * 0.2 ** 4 = 19: of 20 grades 17 must stay."""
    stays = {count: Looked(20, count).looks for count in (20, 19, 17, 16, 4, 3, 0)}
    assert [stays[count] for count in (20, 19, 17)] == [Looks.STAYS] * 3
    assert [stays[count] for count in (16, 4, 3, 0)] == [Looks.OPEN] * 4
    assert Looked(19, 19).looks is Looks.NOT_TESTED
    assert Looked(5_000, 5_000).looks is Looks.STAYS
    assert Looked(20, 19).sentence == "its grades stay when the picture is exchanged: 19 of 20"
    assert "not tested: 7" in Looked(7, 7).sentence
    assert "8 of 20 grades fall" in Looked(20, 12).sentence
    assert looked(GRADES, [(2, 0), (1, 1), (1, 2)]) == Looked(3, 2)


def test_of_a_judge_that_answers_at_random_nothing_is_said_that_sounds_like_looking() -> None:
    """Half of its grades above the lowest fall when it answers again, with the same picture too."""
    draw = np.random.default_rng(4)
    before, after = draw.integers(1, 3, 100), draw.integers(0, 3, 100)
    found = looked(GRADES, list(zip(before.tolist(), after.tolist(), strict=True)))
    assert found.fall_count >= 40
    assert found.looks is Looks.OPEN
    assert "random answers fall, too" in found.sentence


def draw_falls(
    rng: np.random.Generator, *, jobs: int, controls: int, looks: float, noise: float, zeros: float
) -> NDArray[np.bool_]:
    """Draw the controls of jobs in grades 0 to 2, (jobs, controls): whether each fell.

    The judge looks at the share ``looks`` of the pairs of a topic on the average (by topic from 0 to 1), else
    it repeats what the text says; each answer is another grade with the probability ``noise``; the share
    ``zeros`` of the pairs does not fit. A shard of 64 pairs has one topic, so some five controls do.
    """
    most = 40 * controls  # pairs, so that enough are above the lowest grade
    truth = np.where(rng.random((jobs, most)) < zeros, 0, rng.integers(1, 3, (jobs, most)))

    def answers(grades: NDArray[np.int64]) -> NDArray[np.int64]:
        other = (grades + rng.integers(1, 3, grades.shape)) % 3
        return np.where(rng.random(grades.shape) < noise, other, grades)

    before = answers(truth)
    topic_count = most // 5
    shares = rng.beta(4 * looks + 1e-9, 4 * (1 - looks) + 1e-9, (jobs, topic_count)).repeat(5, axis=1)
    is_looking = rng.random((jobs, most)) < shares
    after = answers(np.where(is_looking, 0, truth))
    order = np.argsort(before == 0, axis=1, kind="stable")[:, :controls]  # usable pairs in their order
    rows = np.arange(jobs)[:, None]
    assert (before[rows, order] > 0).mean() > 0.99
    fell: NDArray[np.bool_] = after[rows, order] < before[rows, order]
    return fell


@cache
def first_alarms(controls: int) -> NDArray[np.bool_]:
    """Whether a job is paused at each count of controls (rows) of which so many stay (columns)."""
    rows = range(1, controls + 1)
    return np.array(
        [
            [stay <= count and Looked(count, stay).looks is Looks.STAYS for stay in range(controls + 1)]
            for count in rows
        ]
    )


def share_of_alarms(fell: NDArray[np.bool_]) -> float:
    """The share of jobs that are paused, looked at after each control."""
    stays, count = (~fell).cumsum(axis=1), fell.shape[1]
    return float(first_alarms(count)[np.arange(count), stays].any(axis=1).mean())


JOBS = 400
LOOKING = [
    (1.0, 0.0, 0.5),
    (1.0, 0.2, 0.9),
    (1.0, 0.4, 0.5),
    (0.9, 0.2, 0.9),
    (0.7, 0.1, 0.5),
    (0.6, 0.0, 0.9),
]
# Shares of pairs looked at, noise, and the least share of jobs of 20 and 100 controls that are paused.
BLIND = [(0.0, 0.0, 1.0, 1.0), (0.1, 0.0, 0.8, 1.0), (0.2, 0.0, 0.4, 0.9), (0.0, 0.1, 0.45, 0.95)]


def paused(controls: int, looks: float, noise: float, zeros: float) -> float:
    rng = np.random.default_rng(44)
    return share_of_alarms(
        draw_falls(rng, jobs=JOBS, controls=controls, looks=looks, noise=noise, zeros=zeros)
    )


@pytest.mark.parametrize(("looks", "noise", "zeros"), LOOKING)
@pytest.mark.parametrize("controls", [20, 100, pytest.param(500, marks=pytest.mark.whole)])
def test_a_judge_that_looks_is_paused_in_at_most_one_of_a_hundred_jobs(
    controls: int, looks: float, noise: float, zeros: float
) -> None:
    assert paused(controls, looks, noise, zeros) <= 0.01


@pytest.mark.whole
def test_a_judge_that_looks_at_half_of_the_pairs_is_paused_as_rarely() -> None:
    share = np.mean([paused(controls, 0.5, 0.0, zeros) for controls in (100, 500) for zeros in (0.5, 0.9)])
    assert share <= 0.01


@pytest.mark.parametrize(("looks", "noise", "of_20", "of_100"), BLIND)
def test_a_judge_that_does_not_look_is_paused(
    looks: float, noise: float, of_20: float, of_100: float
) -> None:
    """One that varies by chance is not found where nearly all pairs are of the lowest grade."""
    assert paused(20, looks, noise, 0.5) >= of_20
    assert paused(100, looks, noise, 0.5) >= of_100
    assert paused(100, 0.0, 0.2, 0.9) <= 0.05
