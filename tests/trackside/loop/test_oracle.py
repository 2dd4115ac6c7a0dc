"""The loop beside the independent reference simulator of the shared folder."""

import importlib
import sys
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.oracles.shared import real_runs, shared_folder
from tests.simulations.loop import hidden
from trackside.loop.drawing import Batch, Beliefs
from trackside.loop.effects import Expectation
from trackside.loop.estimating import look
from trackside.loop.targets import Target

NAME, BATCH, BATCHES = "robust03", 300, 3


# The reference leaves files open.
pytestmark = [pytest.mark.whole, pytest.mark.filterwarnings("ignore::ResourceWarning")]


@cache
def oracle() -> ModuleType:
    sys.path.insert(0, str(shared_folder("loop4")))
    try:
        return importlib.import_module("loop")
    finally:
        sys.path.pop(0)


@cache
def worlds() -> tuple[Any, Any]:
    """The reference's world and ours, of the same pairs in the same order."""
    ours = hidden(real_runs(), NAME)
    theirs = oracle().robust()
    assert theirs.y.tolist() == ours.grades.tolist()
    assert theirs.tags == list(ours.universe.tags)
    return theirs, ours


@pytest.fixture(scope="module")
def drawn() -> dict[str, Any]:
    """Three batches of the reference, and what it says of them."""
    theirs, _ = worlds()
    rng = np.random.default_rng(5)
    judge = oracle().judge(theirs, "four-prompts-70b", rng)
    history: list[Any] = []
    kept = oracle().estimate

    def spy(world: Any, model: Any, hist: Any, judged: Any, rng: Any, draws: int) -> Any:
        history[:] = [model, list(hist), judged.copy()]
        return kept(world, model, hist, judged, rng, 200)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(oracle(), "estimate", spy)
        (found,) = oracle().run_loop(theirs, judge, [BATCH] * BATCHES, rng)
    return {"judge": judge, "model": history[0], "batches": history[1], "judged": history[2], **found}


def test_values_are_the_references() -> None:
    theirs, ours = worlds()
    values = ours.target("nDCG@10").values(ours.grades).mean(axis=0)
    assert values == pytest.approx(theirs.truth, abs=1e-12)


def test_the_calibration_agrees(drawn: dict[str, Any]) -> None:
    # Another number of rounds, the same optimum: chances within a few hundredths, on average a thousandth.
    _, ours = worlds()
    grades = np.where(drawn["judged"], ours.grades, -1)
    beliefs = Beliefs(ours.universe, drawn["judge"][None].astype(float), 2)
    beliefs.learn(grades)
    pairs = np.flatnonzero(grades < 0)
    mine = beliefs.all.drawn_tails(pairs, np.random.default_rng(0), 200).mean(axis=0)
    reference = drawn["model"].draw(pairs, np.random.default_rng(1), 200).mean(axis=0)
    assert np.abs(mine - reference).mean() < 0.01
    assert np.corrcoef(mine.ravel(), reference.ravel())[0, 1] > 0.998


def test_effects_are_the_references_for_the_same_chances(drawn: dict[str, Any]) -> None:
    theirs, ours = worlds()
    judged = drawn["judged"]
    pairs = np.flatnonzero(~judged)
    tails = drawn["model"].draw(pairs, np.random.default_rng(1), 400)
    grades = np.where(judged, ours.grades, -1)
    reference = oracle().Model(theirs, tails, judged, np.random.default_rng(2))
    expected = Expectation(ours.target("nDCG@10"), grades, judged, tails, np.random.default_rng(3))
    # Counts are drawn, 400 times: errors of about a hundredth of the values.
    assert expected.values == pytest.approx(reference.theta, abs=0.02)
    assert expected.values.mean(axis=0) == pytest.approx(reference.theta.mean(axis=0), abs=0.002)
    some = pairs[::40]
    mine = expected.phi(some, ours.grades[some])
    assert mine == pytest.approx(reference.phi(theirs, some), abs=0.03)
    assert np.sqrt(expected.influence(centred=0.75)) == pytest.approx(
        np.sqrt(reference.msq(theirs)), rel=0.15, abs=1e-5
    )
    assert np.diag(expected.remainder(np.random.default_rng(0))).mean() == pytest.approx(
        reference.rem2.sum() / theirs.T**2, rel=0.2
    )


def test_estimates_agree_on_the_references_draws(drawn: dict[str, Any]) -> None:
    _, ours = worlds()
    grades = np.where(drawn["judged"], ours.grades, -1)
    rng = np.random.default_rng(7)
    beliefs = Beliefs(ours.universe, drawn["judge"][None].astype(float), 2)
    beliefs.learn(grades)
    batches = [
        Batch(rng.permutation(order), np.where(before, 0.0, chance))
        for order, chance, before, _ in drawn["batches"]
    ]
    target: Target = ours.target("nDCG@10")
    found = look([beliefs], target, grades, batches, [BATCH] * BATCHES, rng)
    assert found is not None
    errors = np.sqrt(np.diag(drawn["cov"]))
    assert np.abs(found.means - drawn["estimate"]).max() < 0.5 * errors.max()
    assert np.abs(found.means - drawn["estimate"]).mean() < 0.2 * errors.mean()
    assert found.errors == pytest.approx(errors, rel=0.15)
    assert found.weights == pytest.approx(drawn["lam"], abs=0.05)
