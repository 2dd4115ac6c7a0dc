"""Batches: the chance of each open pair, the draw, and the order in which people grade it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trackside.arrays import Flags, Floats, Ints
from trackside.loop.effects import Expectation
from trackside.loop.judges import features_of, guessed_tails
from trackside.loop.targets import Target
from trackside.pooling.universe import Universe
from trackside.statistics.calibration import Calibration
from trackside.statistics.sampling import capped_chances, pareto_sample

FLOOR = 0.2  # of the mean influence, added to each pair's; .1 leaves heavy tails
DRAWS = 30  # of the posterior
FEWEST_UNSURE = 20  # open pairs with a chance below 1
FEWEST_KNOWN = 30  # grades that a calibration needs
REFIT = 2  # rounds of EM without a batch, from the fit to all: they forget nine tenths of it
OUTSIDE = 0.02  # weight of runs that the first places do not concern
NEAR = 2.5  # standard errors within which a run may be at place k


@dataclass(frozen=True)
class Batch:
    """Pairs in the order of grading, the chance of each pair of the universe (0: it was not open), and which
    version of the judges was there.
    """

    order: Ints
    chance: Floats
    version: int = 0


class Beliefs:
    """A model of the open pairs: calibrated to people's grades, or a guess while these are few."""

    def __init__(self, universe: Universe, scores: Floats, highest: int) -> None:
        self.topic, self.scores, self.highest = universe.topic, scores, highest
        self.empty = self.all = Calibration(*features_of(universe, scores), universe.topic, highest)

    def learn(self, grades: Ints) -> None:
        """Calibrate to all grades; negative is no grade."""
        if (grades >= 0).sum() >= FEWEST_KNOWN:
            self.all = self.all.fitted(grades, grades >= 0)

    def tails(
        self, pairs: Ints, rng: np.random.Generator, without: tuple[Ints, Ints] | None = None
    ) -> Floats:
        """Tails [draw, pair, grade from 1] of some pairs; ``without`` refits to these grades less a batch."""
        calibration = self.all
        if without is not None:
            grades, batch = without
            is_fit = grades >= 0
            is_fit[batch] = False
            enough = is_fit.sum() >= FEWEST_KNOWN
            calibration = self.all.fitted(grades, is_fit, rounds=REFIT) if enough else self.empty
        if calibration.fits:
            return calibration.drawn_tails(pairs, rng, DRAWS)
        shifts = rng.normal(0, 0.7, (DRAWS, self.topic.max() + 1))
        return guessed_tails(self.scores, self.highest, self.topic, shifts)[:, pairs]


def draw_batch(
    sizes: Floats, is_open: Flags, count: int, rng: np.random.Generator, version: int = 0
) -> Batch:
    """Draw so many open pairs with chances proportional to ``sizes`` [pair] plus a floor; all open ones if
    fewer than ``FEWEST_UNSURE`` would be left.
    """
    if is_open.sum() - count < FEWEST_UNSURE:
        return Batch(rng.permutation(np.flatnonzero(is_open)), is_open.astype(float), version)
    floor = FLOOR * sizes[is_open].mean() or 1.0
    while True:
        chance = capped_chances(np.where(is_open, sizes + floor, 0.0), count)
        if (is_open & (chance < 1)).sum() >= FEWEST_UNSURE:
            return Batch(rng.permutation(pareto_sample(chance, count, rng)), chance, version)
        floor *= 2


def influences(
    beliefs: Beliefs, target: Target, grades: Ints, rng: np.random.Generator, weights: Floats | None = None
) -> Floats:
    """How much each pair's grade is expected to move the runs [pair]; ``weights`` [run] say which matter."""
    is_known = grades >= 0
    expected = Expectation(target, grades, is_known, beliefs.tails(np.flatnonzero(~is_known), rng), rng)
    sizes = np.zeros(len(grades))
    sizes[expected.open] = np.sqrt(expected.influence(weights))
    return sizes


def run_weights(estimate: Floats, covariance: Floats, top: int) -> Floats:
    """Weights of runs for the first ``top`` places: those near the run at one of these or the next place
    matter; the rest hardly.
    """
    near = np.zeros(len(estimate), np.bool_)
    for run in np.argsort(-estimate, kind="stable")[: top + 1].tolist():
        variance = np.diag(covariance) + covariance[run, run] - 2 * covariance[run]
        near |= np.abs(estimate - estimate[run]) <= NEAR * np.sqrt(np.maximum(variance, 0))
    return np.where(near, 1.0, OUTSIDE)
