"""The measures of the loop: a numerator of each run over a divisor that all runs share, topic by topic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.errors import InputError
from trackside.measuring.family import Measure
from trackside.measuring.names import parse_measure
from trackside.pooling.universe import Universe

OFFERED = ("nDCG", "DCG", "P", "RBP", "AP", "RR", "R")
DIFFERENCES_ONLY = ("RR", "R")  # the means of these are not offered: see docs/simulations.md
BY_LEVEL = ("P", "AP", "RR", "R")
DIVIDED = ("nDCG", "AP", "R")


def offered_measure(name: str, depth: int) -> Measure:
    """The measure of that name. Raises InputError unless the loop offers it at this depth."""
    measure = parse_measure(name)
    if measure.family.name not in OFFERED or measure.is_exponential or measure.is_judged_only:
        raise InputError(
            f"--measure {name}: the loop estimates {', '.join(OFFERED)}. Use one such as nDCG@10.",
            code="measure-not-offered",
        )
    if measure.cutoff and measure.cutoff > depth:
        raise InputError(
            f"--measure {name}: it needs more than the depth of {depth}. Use --depth {measure.cutoff:g}.",
            code="depth-too-small",
        )
    return measure


@dataclass(frozen=True)
class Target:
    """A measure on one universe. ``gains`` are those of each grade, 0 and 1 for a measure of relevance."""

    measure: Measure
    universe: Universe
    gains: Floats

    @classmethod
    def of(cls, name: str, universe: Universe, highest: int) -> Target:
        """The measure of that name. Raises InputError unless it is offered on this universe."""
        measure = offered_measure(name, universe.depth)
        grades, level = np.arange(highest + 1), 1 if measure.level is None else measure.level
        own, name = dict(measure.gains), measure.family.name
        gains = [own.get(grade, float(grade)) for grade in grades.tolist()]
        if name in BY_LEVEL or (name == "RBP" and measure.level is not None):
            gains = (grades >= level).astype(float).tolist()
        elif name == "RBP":
            gains = [gain / (max(gains) if own else highest) for gain in gains]
        if sorted(gains) != gains:
            raise InputError(f"--measure {name}: gains must rise with the grades.", code="gains-do-not-rise")
        return cls(measure, universe, np.array(gains, float))

    @property
    def name(self) -> str:
        """The family's name."""
        return self.measure.family.name

    @property
    def cutoff(self) -> int:
        """Results of a topic that count."""
        return int(self.measure.cutoff or self.universe.depth)

    @property
    def is_linear(self) -> bool:
        """Whether the numerator is a sum of gains with fixed weights."""
        return self.name not in ("AP", "RR")

    def weights(self) -> Floats:
        """The weight of each rank in a linear numerator."""
        ranks = np.arange(1.0, self.cutoff + 1)
        if self.name in ("P", "R"):
            return np.full(self.cutoff, 1 / self.cutoff if self.name == "P" else 1.0)
        if self.name == "RBP":
            p = dict(self.measure.options).get("p", self.measure.family.defaults["p"])
            return np.asarray((1 - p) * p ** (ranks - 1))
        return np.asarray(1 / np.log2(ranks + 1))

    def inverse(self, counts: Floats) -> Floats:
        """One over the divisor, from how many pairs of a topic have at least each grade [..., grade from 1];
        finite where nothing is relevant, as the numerator is 0 there.
        """
        steps = np.diff(self.gains)
        if self.name == "nDCG":
            discounts = np.concatenate([[0], np.cumsum(self.weights())])
            ideal = discounts[np.minimum(counts, self.cutoff).astype(int)] @ steps
            return np.asarray(1 / np.maximum(ideal, min(steps[steps > 0], default=1.0)))
        if self.name in DIVIDED:
            return 1 / np.maximum(counts @ steps, 1)
        return np.ones(counts.shape[:-1])

    def numerator(self, gains: Floats) -> Floats:
        """The numerator [..., topic, run] at these (expected) gains [..., pair] of independent pairs."""
        padded = np.concatenate([gains, np.zeros((*gains.shape[:-1], 1))], axis=-1)
        rows = padded[..., self.universe.places[:, :, : self.cutoff]]
        ranks = np.arange(1.0, rows.shape[-1] + 1)
        if self.name == "AP":
            sums = (rows * (1 + rows.cumsum(axis=-1) - rows) / ranks).sum(axis=-1)
        elif self.name == "RR":
            missed = np.cumprod(1 - rows, axis=-1)
            before = np.concatenate([np.ones((*missed.shape[:-1], 1)), missed[..., :-1]], axis=-1)
            sums = (rows * before / ranks).sum(axis=-1)
        else:
            sums = rows @ self.weights()
        return np.swapaxes(sums, -1, -2)

    def slopes(self, gains: Floats) -> Floats:
        """How the numerator of each run changes with each pair's gain [pair, run], at these gains [pair]."""
        full = np.zeros(self.universe.places.shape)
        rows = np.append(gains, 0.0)[self.universe.places[:, :, : self.cutoff]]
        ranks = np.arange(1.0, rows.shape[-1] + 1)
        if self.name == "AP":
            slopes = (1 + rows.cumsum(axis=2) - rows) / ranks + _sum_after(rows / ranks)
        elif self.name == "RR":
            missed = np.maximum(1 - rows, 1e-9)
            before = np.cumprod(missed, axis=2) / missed
            slopes = before / ranks - _sum_after(rows * before / ranks) / missed
        else:
            slopes = np.broadcast_to(self.weights(), rows.shape)
        full[:, :, : self.cutoff] = slopes
        return self.universe.scattered(full)

    def values(self, grades: Ints) -> Floats:
        """The exact values [topic, run] of grades [pair]; pairs without a grade count as 0."""
        known = np.maximum(grades, 0)
        counts = self.universe.by_topic @ (known[:, None] >= np.arange(1, len(self.gains))).astype(float)
        return self.numerator(self.gains[known]) * self.inverse(counts)[:, None]


def _sum_after(values: Floats) -> Floats:
    """For each place the sum of what follows it on the last axis."""
    return np.asarray(values[..., ::-1].cumsum(axis=-1)[..., ::-1] - values)
