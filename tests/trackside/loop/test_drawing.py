import numpy as np
import pytest

from tests.trackside.loop.worlds import random_world, single_pairs
from trackside.loop.drawing import FEWEST_UNSURE, OUTSIDE, Beliefs, draw_batch, influences, run_weights
from trackside.loop.judges import features_of, guessed_tails
from trackside.loop.targets import Target


def test_batches_have_their_size_and_chances_that_sum_to_it() -> None:
    sizes, is_open = np.linspace(0, 1, 200), np.arange(200) >= 50
    batch = draw_batch(sizes, is_open, 40, np.random.default_rng(1))
    assert len(set(batch.order.tolist())) == 40
    assert is_open[batch.order].all()
    assert batch.chance.sum() == pytest.approx(40)
    assert (batch.chance[~is_open] == 0).all()
    # Proportional to size plus two tenths of the mean of the open.
    floor = 0.2 * sizes[is_open].mean()
    assert batch.chance[100] / batch.chance[60] == pytest.approx((sizes[100] + floor) / (sizes[60] + floor))


def test_the_same_seed_draws_the_same_pairs() -> None:
    sizes, is_open = np.ones(100), np.ones(100, np.bool_)
    first, again = (draw_batch(sizes, is_open, 30, np.random.default_rng([7, 1])) for _ in range(2))
    assert first.order.tolist() == again.order.tolist()


def test_chances_stay_below_one_for_some_pairs_or_all_are_drawn() -> None:
    sizes = np.where(np.arange(100) < 90, 1.0, 0.0)
    batch = draw_batch(sizes, np.ones(100, np.bool_), 79, np.random.default_rng(1))
    assert (batch.chance < 1).sum() >= FEWEST_UNSURE
    whole = draw_batch(sizes, np.ones(100, np.bool_), 81, np.random.default_rng(1))
    assert len(whole.order) == 100
    assert (whole.chance == 1).all()


def test_only_runs_near_the_first_places_weigh() -> None:
    # Differences have the standard error .014: the first two are near, the third is 6.4 errors away from
    # the run at place two, the fourth 13.
    estimate = np.array([0.50, 0.49, 0.40, 0.30])
    weights = run_weights(estimate, np.eye(4) * 1e-4, 1)
    assert weights.tolist() == [1, 1, OUTSIDE, OUTSIDE]
    assert run_weights(estimate, np.eye(4), 1).tolist() == [1, 1, 1, 1]


def test_without_grades_the_model_is_a_prior_and_for_a_quarter_the_judge() -> None:
    # The prior of two grades is 1 to .35, so that P(1) = (3 * .35 / 1.35 + 1) / 4 where the judge says 1.
    scores, topic = np.array([[1.0, 0.0, np.nan]]), np.zeros(3, int)
    tails = guessed_tails(scores, 1, topic, np.zeros((1, 1)))[0, :, 0]
    prior = 0.35 / 1.35
    assert tails == pytest.approx([(3 * prior + 1) / 4, 3 * prior / 4, prior], abs=1e-6)


def test_scores_beyond_the_scale_are_read_by_their_order() -> None:
    # One in four of the prior's grades is 1: of four scores the highest.
    scores = np.array([[0.1, 0.2, 0.3, 99.5]])
    tails = guessed_tails(scores, 1, np.zeros(4, int), np.zeros((1, 1)))[0, :, 0]
    assert (tails > 0.35 / 1.35).tolist() == [False, False, False, True]


def test_a_constant_judge_and_none_are_the_same() -> None:
    universe, _ = random_world(1)
    nothing = features_of(universe, np.empty((0, universe.pair_count)))
    constant = features_of(universe, np.full((1, universe.pair_count), 2.0))
    assert [part.tolist() for part in nothing] == [part.tolist() for part in constant]


def test_gaps_get_a_column_and_no_score() -> None:
    universe, grades = random_world(1)
    scores = grades.astype(float)
    scores[:10] = np.nan
    columns, penalties, random = features_of(universe, scores[None])
    assert columns.shape[1] == len(penalties)
    assert (random[:10, 1] == 0).all()
    assert (columns[:10, -2] == 1).all()


def test_pairs_that_move_more_runs_are_drawn_more_often() -> None:
    # All pairs of one topic count alike, but for how many runs have them: the first is in both.
    universe, _ = random_world(1)
    target, grades = Target.of("P@5", universe, 2), np.full(universe.pair_count, -1)
    beliefs = Beliefs(universe, np.empty((0, universe.pair_count)), 2)
    sizes = influences(beliefs, target, grades, np.random.default_rng(0))
    found = np.isfinite(universe.ranks).sum(axis=1)
    assert sizes[found == 3].mean() > sizes[found == 1].mean()
    one = single_pairs(40)
    even = influences(
        Beliefs(one, np.empty((0, 40)), 1),
        Target.of("P@1", one, 1),
        np.full(40, -1),
        np.random.default_rng(0),
    )
    assert even == pytest.approx(np.full(40, even[0]), rel=0.3)
