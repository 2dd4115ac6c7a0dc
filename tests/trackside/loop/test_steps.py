from dataclasses import replace

import numpy as np
import pytest

from tests.refusals import refused
from tests.trackside.loop.worlds import random_world
from trackside.arrays import Ints
from trackside.errors import InputError
from trackside.loop.claims import Aim
from trackside.loop.drawing import Batch
from trackside.loop.hybrid import hybrid_of, hybrid_values
from trackside.loop.plan import Grades, Plan
from trackside.loop.steps import State
from trackside.pooling.universe import Universe

PLAN = Plan(("nDCG@5",), 5, 2, (40, 40, 40), seed=3)


def world() -> tuple[Universe, Ints]:
    return random_world(8, topics=30, docs=14)


def state(plan: Plan = PLAN, batches: int = 0) -> tuple[State, Ints]:
    """A plan whose first batches are drawn and graded."""
    universe, grades = world()
    nothing = Grades(np.full(len(grades), -1), np.zeros(len(grades), np.bool_))
    now = State(plan, universe, [np.empty((0, len(grades)))], [], nothing)
    for _ in range(batches):
        batch = now.next_batch()
        seen = now.grades.values.copy()
        seen[batch.order] = grades[batch.order]
        now = replace(now, batches=[*now.batches, batch], grades=replace(nothing, values=seen))
    return now, grades


def test_the_same_plan_and_grades_draw_the_same_pairs() -> None:
    one, _ = state(batches=2)
    other, _ = state(batches=2)
    assert [batch.order.tolist() for batch in one.batches] == [
        batch.order.tolist() for batch in other.batches
    ]
    assert one.next_batch().order.tolist() == other.next_batch().order.tolist()
    assert state(replace(PLAN, seed=4))[0].next_batch().order.tolist() != one.batches[0].order.tolist()


def test_a_batch_is_never_drawn_again() -> None:
    now, _ = state(batches=1)
    ungraded = replace(now, grades=replace(now.grades, values=np.full(len(now.grades.values), -1)))
    with refused("batch-not-graded"):
        ungraded.next_batch()
    whole, _ = state(batches=3)
    with refused("plan-drawn"):
        whole.next_batch()


def test_known_and_ungradable_pairs_are_not_drawn() -> None:
    now, grades = state()
    known = np.arange(len(grades)) < 60
    cannot = (np.arange(len(grades)) >= 60) & (np.arange(len(grades)) < 80)
    before = replace(now, grades=Grades(np.where(known, grades, -1), cannot))
    batch = before.next_batch()
    assert (batch.chance[:80] == 0).all()
    assert batch.order.min() >= 80


def test_a_withdrawn_run_no_longer_draws() -> None:
    # Of P@5, pairs that run4 alone has move nothing once it is withdrawn: all keep the same floor of chances.
    now, grades = state(replace(PLAN, measures=("P@5",)))
    alone = np.isfinite(now.universe.ranks[:, 4]) & (np.isfinite(now.universe.ranks).sum(axis=1) == 1)
    without = replace(now, withdrawn=frozenset({"run4"})).next_batch().chance
    assert len(without) == len(grades)
    assert np.ptp(without[alone]) < 1e-12
    assert without[alone].max() < now.next_batch().chance[alone].min()
    with pytest.raises(InputError, match="no run has the tag x"):
        replace(now, withdrawn=frozenset({"x"}))
    with pytest.raises(InputError, match="every run is withdrawn"):
        replace(now, withdrawn=frozenset(now.universe.tags))


def test_looks_beyond_the_plan_cost_more() -> None:
    now, _ = state(batches=1)
    assert now.z(1) == now.z(3) == pytest.approx(2.394, abs=1e-3)  # .05 / 3
    assert now.z(4) == pytest.approx(2.498, abs=1e-3)  # .05 / 4


def test_a_width_aim_holds_without_claims_on_values() -> None:
    now, _ = state(replace(PLAN, aim=Aim(half_width=1.0)), batches=2)
    estimate = now.estimate("nDCG@5", 2.289)
    assert estimate.stop(now.plan, has_claims=False)
    ordered = replace(now.plan, aim=Aim(tau=0.01))
    assert estimate.stop(ordered, has_claims=True)
    assert not estimate.stop(ordered, has_claims=False)


def test_estimates_print_ungradable_pairs_at_both_ends() -> None:
    now, grades = state(batches=2)
    pair = int(now.batches[0].order[5])
    values, cannot = now.grades.values.copy(), np.arange(len(grades)) == pair
    values[pair] = -1
    found = replace(now, grades=Grades(values, cannot)).estimate("nDCG@5", 2.289)
    low, high = found.extremes
    expected = [
        replace(now, grades=Grades(np.where(cannot, grade, values), np.zeros_like(cannot))).estimate(
            "nDCG@5", 2.289
        )
        for grade in (0, 2)
    ]
    assert low == pytest.approx(expected[0].claims.look.means)
    assert high == pytest.approx(expected[1].claims.look.means)
    assert now.estimate("nDCG@5", 2.289).extremes == ()


def test_recipes_without_chances_have_values_and_no_errors() -> None:
    now, grades = state(replace(PLAN, recipe="depth"), batches=2)
    drawn = np.concatenate([batch.order for batch in now.batches])
    best = np.where(np.isfinite(now.universe.ranks), now.universe.ranks, 99).min(axis=1)
    assert best[drawn].max() <= np.sort(best)[79]
    found = now.estimate("P@5", 2.289)
    ranks = now.universe.ranks
    known = np.isin(np.arange(len(grades)), drawn) & (grades > 0)
    assert found.claims.look.means == pytest.approx(
        (np.isfinite(ranks) & known[:, None]).sum(axis=0) / 5 / 30
    )
    assert np.isnan(found.claims.look.errors).all()
    assert np.isnan(found.tau[0])


@pytest.mark.parametrize("recipe", ["mtf", "maxmean", "rrf", "mnz", "rbp", "uniform"])
def test_other_recipes_draw_new_pairs(recipe: str) -> None:
    now, _ = state(replace(PLAN, recipe=recipe), batches=2)
    first, second = now.batches
    assert not set(first.order.tolist()) & set(second.order.tolist())
    assert len(first.order) == len(second.order) == 40
    if recipe == "uniform":
        assert np.unique(first.chance).tolist() == [pytest.approx(40 / len(first.chance))]


def test_a_batch_keeps_the_judges_that_it_was_drawn_with() -> None:
    now, grades = state(batches=2)
    told = grades[None].astype(float)  # a judge that has seen everything
    later = replace(now, judges=[*now.judges, told])
    assert later.estimate("nDCG@5", 2.289).claims.look.means == pytest.approx(
        now.estimate("nDCG@5", 2.289).claims.look.means
    )
    moved = [Batch(batch.order, batch.chance, 1) for batch in now.batches]
    unseen = replace(later, batches=moved).estimate("nDCG@5", 2.289)
    assert unseen.claims.look.errors.mean() < now.estimate("nDCG@5", 2.289).claims.look.errors.mean()


def test_hybrid_values_are_the_looks_and_expected_ones_between_the_grades(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    now, grades = state(batches=3)
    path = tmp_path_factory.mktemp("hybrid") / "h"
    hybrid = hybrid_of(now)
    hybrid.write(path)
    read = type(hybrid).read(path)
    assert read.names == hybrid.names
    assert read.grades.tolist() == now.grades.values.tolist()
    assert read.tails == pytest.approx(hybrid.tails, abs=1e-4)
    assert read.rest == pytest.approx(hybrid.rest, abs=1e-4)
    heads = {
        tag: {
            topic: [now.universe.names[pair][1] for pair in row if pair < len(grades)]
            for topic, row in zip(now.universe.topics, places.tolist(), strict=True)
        }
        for tag, places in zip(now.universe.tags, now.universe.places, strict=True)
    }
    heads["late"] = {topic: ["unknown", *docnos[:4]] for topic, docnos in heads["run0"].items()}
    *values, late = hybrid_values(read, heads, "P@5", 5)
    looked = now.look("P@5")
    assert looked is not None
    # The same estimator, with the stored spread of the chances instead of their whole posterior.
    gaps = np.abs([value.estimate - mean for value, mean in zip(values, looked.means, strict=True)])
    assert (gaps < looked.errors / 3).all()
    assert gaps.mean() < 0.01
    assert [value.error for value in values] == pytest.approx(looked.errors, rel=0.1)
    known = [(now.grades.values[row[row < len(grades)]] > 0).sum() / 5 for row in now.universe.places[0]]
    assert np.mean(known) < values[0].expected < 1
    assert late.missing == pytest.approx(0.2)
    assert late.expected < values[0].expected


def test_everything_graded_gives_the_truth_and_people_alone() -> None:
    now, grades = state(batches=1)
    whole = replace(now, grades=Grades(grades, np.zeros(len(grades), np.bool_)))
    found = whole.estimate("nDCG@5", 2.289).claims.look
    assert found.errors.tolist() == [0.0] * 5
    with pytest.raises(InputError, match="nothing is left to draw"):
        whole.next_batch()
