"""Estimates with hand computed answers: 40 topics, one result each, P@1, a model that believes one half."""

import numpy as np
import pytest

from tests.trackside.loop.worlds import Fixed, random_world, single_pairs
from trackside.arrays import Flags, Floats, Ints
from trackside.loop.drawing import Batch, Beliefs, draw_batch, influences
from trackside.loop.estimating import Look, finished, look
from trackside.loop.targets import Target

TOPICS = 40
NOBODY = np.zeros(TOPICS, np.bool_)
HALF = Fixed(np.full((TOPICS, 1), 0.5))
BATCH = Batch(np.arange(20), np.full(TOPICS, 0.5))


def estimated(grades: Ints, batches: list[Batch], cannot: Flags = NOBODY, **options: bool) -> Look:
    target = Target.of("P@1", single_pairs(TOPICS), 1)
    prefixes = [finished(batch, grades, cannot) for batch in batches]
    found = look([HALF], target, grades, batches, prefixes, np.random.default_rng(0), **options)
    assert found is not None
    return found


def graded(pairs: dict[int, int]) -> Ints:
    grades = np.full(TOPICS, -1)
    grades[list(pairs)] = list(pairs.values())
    return grades


def test_one_batch_is_corrected_by_its_grades_over_their_chances() -> None:
    # 1/2 + sum of (y - 1/2) / (40 * 1/2) = the mean of the twenty grades, 15 of them 1.
    found = estimated(graded({pair: int(pair < 15) for pair in range(20)}), [BATCH])
    assert found.means[0] == pytest.approx(0.75)
    # Simple random sampling: (1 - f) s^2 / n with s^2 = 20 * .75 * .25 / 19.
    assert found.errors[0] ** 2 == pytest.approx(0.5 * 20 * 0.75 * 0.25 / 19 / 20)


def test_late_grades_leave_the_longest_finished_prefix() -> None:
    # The tenth is missing: the first ten count, with chance 1/2 * 10/20. Their mean is .6; grades after the
    # gap do not matter, and a missing grade is not 0.
    done = {pair: int(pair < 6) for pair in range(10)}
    for later in (0, 1):
        grades = graded(done | dict.fromkeys(range(11, 20), later))
        assert finished(BATCH, grades, NOBODY) == 10
        assert estimated(grades, [BATCH]).means[0] == pytest.approx(0.6)


def test_an_undo_shortens_the_prefix_and_a_changed_grade_keeps_its_chance() -> None:
    grades = graded(dict.fromkeys(range(20), 1))
    assert estimated(grades, [BATCH]).means[0] == pytest.approx(1.0)
    grades[4] = 0  # changed: 1 / (40 * 1/2) less
    assert estimated(grades, [BATCH]).means[0] == pytest.approx(1.0 - 1 / 20)
    grades[15] = -1  # undone: fifteen count, of which one is 0
    assert estimated(grades, [BATCH]).means[0] == pytest.approx(14 / 15)


def test_a_pair_that_nobody_can_grade_keeps_its_place_with_what_the_model_expects() -> None:
    cannot = np.arange(TOPICS) == 3
    grades = graded({pair: 1 for pair in range(20) if pair != 3})
    assert finished(BATCH, grades, cannot) == 20
    # 1/2 + 19 * (1/2) / 20; at 0 and at 1 the mean of the twenty.
    assert estimated(grades, [BATCH], cannot).means[0] == pytest.approx(0.975)
    for grade, mean in ((0, 0.95), (1, 1.0)):
        filled = np.where(cannot, grade, grades)
        assert estimated(filled, [BATCH]).means[0] == pytest.approx(mean)


def test_grades_of_undrawn_pairs_are_known_only_to_later_batches() -> None:
    grades = graded({pair: int(pair < 15) for pair in range(20)})
    grades[30:34] = 1  # volunteered after the draw
    assert estimated(grades, [BATCH]).means[0] == pytest.approx(0.75)
    # A later batch of 10 knows 24 pairs, 19 of them relevant, and expects 8 of the 16 open: its six of ten at
    # 10/16 add 1 * 16/10. Weights by size: 20 / (40 * 20) and 10 / (16 * 6).
    order = np.concatenate([np.arange(20, 28), [28, 29]])
    later = Batch(order, np.where(np.isin(np.arange(TOPICS), [*range(20, 30), *range(34, 40)]), 10 / 16, 0.0))
    grades[order] = np.arange(10) < 6
    found = estimated(grades, [BATCH, later], has_fixed_weights=True)
    first, second = 20 / (40 * 20), 10 / (16 * 6)
    expected = (first * 0.75 + second * (19 + 8 + 1.6) / 40) / (first + second)
    assert found.weights == pytest.approx((first / (first + second), second / (first + second)))
    assert found.means[0] == pytest.approx(expected)


def test_few_finished_pairs_give_no_estimate() -> None:
    target = Target.of("P@1", single_pairs(TOPICS), 1)
    grades = graded(dict.fromkeys(range(9), 1))
    assert look([HALF], target, grades, [BATCH], [9], np.random.default_rng(0)) is None


def test_all_grades_give_the_exact_values() -> None:
    grades = graded({pair: int(pair < 10) for pair in range(TOPICS)})
    found = estimated(grades, [BATCH])
    assert found.means.tolist() == [0.25]
    assert found.errors.tolist() == [0.0]


def test_estimates_of_a_sum_are_unbiased_over_draws() -> None:
    # A model that is wrong everywhere, chances that follow it: the mean over 300 draws is the truth.
    universe, grades = random_world(4)
    target = Target.of("DCG@5", universe, 2)
    truth = target.values(grades).mean(axis=0)
    wrong = Fixed(np.tile([0.8, 0.6], (universe.pair_count, 1)))
    sizes = np.random.default_rng(1).random(universe.pair_count)
    found = []
    for draw in range(300):
        batch = draw_batch(sizes, grades >= 0, 40, np.random.default_rng(draw))
        seen = np.where(np.isin(np.arange(len(grades)), batch.order), grades, -1)
        one = look([wrong], target, seen, [batch], [40], np.random.default_rng(0))
        assert one is not None
        found.append((one.means, one.errors))
    means, errors = (np.array(column) for column in zip(*found, strict=True))
    assert np.abs(means.mean(axis=0) - truth).max() < 4 * means.std(axis=0).max() / 300**0.5
    # The stated errors are those of the draws, to 15 %.
    assert np.sqrt((errors**2).mean(axis=0)) == pytest.approx(means.std(axis=0), rel=0.15)


def test_a_batch_is_predicted_without_its_own_grades() -> None:
    # All its grades 0 or all 2: a fit to all grades follows them, the refit hardly.
    universe, grades = random_world(5)
    batch, followed = np.arange(20), dict[bool, list[Floats]]({True: [], False: []})
    for own in (0, 2):
        grades[batch] = own
        beliefs = Beliefs(universe, np.empty((0, universe.pair_count)), 2)
        beliefs.learn(grades)
        for is_refit, rows in followed.items():
            without = (grades, batch) if is_refit else None
            rows.append(beliefs.tails(batch, np.random.default_rng(0), without))
    leak, whole = (float(np.abs(followed[key][0] - followed[key][1]).mean()) for key in (True, False))
    assert leak < whole / 5


def test_withdrawn_runs_leave_and_new_runs_join_without_moving_the_others() -> None:
    universe, grades = random_world(6)
    beliefs = Beliefs(universe, np.empty((0, universe.pair_count)), 2)
    target = Target.of("nDCG@5", universe, 2)
    sizes = influences(beliefs, target, np.full(len(grades), -1), np.random.default_rng(0))
    batch = draw_batch(sizes, grades >= 0, 45, np.random.default_rng(0))
    seen = np.where(np.isin(np.arange(len(grades)), batch.order), grades, -1)
    beliefs.learn(seen)
    copy = {
        "copy": {
            topic: [universe.names[pair][1] for pair in row if pair < len(grades)]
            for topic, row in zip(universe.topics, universe.places[2].tolist(), strict=True)
        }
    }
    means = []
    for other in (universe, universe.without({"run0"}), universe.with_runs(copy)):
        one = look([beliefs], Target.of("nDCG@5", other, 2), seen, [batch], [45], np.random.default_rng(3))
        assert one is not None
        means.append(one.means)
    assert means[1] == pytest.approx(means[0][1:])
    assert means[2][:5] == pytest.approx(means[0])
    assert means[2][5] == pytest.approx(means[0][2])
