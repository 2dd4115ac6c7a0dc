"""What a calibrated model expects of a measure, and what each open pair's grade would change."""

from __future__ import annotations

import numpy as np

from trackside.arrays import Flags, Floats, Ints
from trackside.loop.targets import DIVIDED, Target

CENTRED = 0.25  # share of the runs' common part that influence leaves out


class Expectation:
    """The expected values of one target, given tails [draw, open pair, grade from 1] of the open pairs.

    ``values`` [topic, run] are the expected ones, ``numerators`` [topic, run] expected too. Notation as in
    docs/loop.md: the effect phi of a pair's grade y is (E[values | y] - E[values]).
    """

    def __init__(
        self, target: Target, grades: Ints, is_known: Flags, tails: Floats, rng: np.random.Generator
    ) -> None:
        universe = target.universe
        self.target, self.topic, self.grades, self.is_known = target, universe.topic, grades, is_known
        self.open = np.flatnonzero(~is_known)
        self.tails, steps = tails, np.diff(target.gains)
        self._count(rng)
        mean = tails.mean(axis=0)
        self.chances = (
            np.diff(np.concatenate([np.ones((len(mean), 1)), mean, np.zeros((len(mean), 1))], 1)) * -1
        )
        self.mean_gain = np.where(is_known, target.gains[np.maximum(grades, 0)], 0.0)
        self.mean_gain[self.open] = target.gains[0] + mean @ steps
        self.slopes, self.numerators = target.slopes(self.mean_gain), target.numerator(self.mean_gain)
        self._change_divisors(mean)
        self._expect(target.gains[0] + tails @ steps)

    def _count(self, rng: np.random.Generator) -> None:
        """Draw how many pairs of each topic have at least each grade: binomial, mean and variance matched."""
        by_topic, shape = self.target.universe.by_topic, self.tails.shape
        flat = self.tails.transpose(0, 2, 1).reshape(-1, shape[1])
        sums = by_topic[:, self.open]
        mean, square = ((sums @ rows.T).T.reshape(shape[0], shape[2], -1) for rows in (flat, flat**2))
        sizes = np.ceil(mean**2 / np.maximum(square, 1e-9) - 1e-9).astype(int)
        chance = np.where(sizes > 0, np.minimum(mean / np.maximum(sizes, 1), 1), 0)
        drawn = rng.binomial(sizes, chance).transpose(0, 2, 1)
        levels = np.arange(1, shape[2] + 1)
        known = by_topic[:, self.is_known] @ (self.grades[self.is_known, None] >= levels).astype(float)
        self.counts = np.minimum.accumulate(known + drawn, axis=2)
        self.extra = self.counts - known
        self.inverses = self.target.inverse(self.counts)
        self.inverse = self.inverses.mean(axis=0)

    def _change_divisors(self, mean: Floats) -> None:
        """How E[1/D] changes with the grade of each open pair [pair, grade], centred: one more document of
        that grade beside the others, which are the count less the pair's own share of it.
        """
        levels = self.tails.shape[2]
        forward, own = np.zeros((2, len(self.inverse), levels + 1))
        if self.target.name in DIVIDED:
            for grade in range(1, levels + 1):
                more = (np.arange(1, levels + 1) <= grade).astype(float)
                up = self.target.inverse(self.counts + more) - self.inverses
                down = self.inverses - self.target.inverse(np.maximum(self.counts - more, 0))
                extra = self.extra[:, :, grade - 1]
                share = extra / np.maximum(extra.mean(axis=0), 1e-9)
                forward[:, grade], own[:, grade] = up.mean(axis=0), (share * (down - up)).mean(axis=0)
        topic = self.topic[self.open]
        change = forward[topic]
        change[:, 1:] += mean * own[topic][:, 1:]
        change -= (self.chances * change).sum(axis=1, keepdims=True)
        self.change = np.zeros((len(self.topic), levels + 1))
        self.change[self.open] = change
        self.shared_change = np.zeros(len(self.topic))
        self.shared_change[self.open] = (self.chances * self.target.gains * change).sum(axis=1)
        self._curve = np.diff(forward, axis=1)

    def _expect(self, gains: Floats) -> None:
        """The expected values: over draws numerator times inverse, plus what a pair's gain shares with it."""
        target, by_topic = self.target, self.target.universe.by_topic
        if target.is_linear:
            share = self.mean_gain * self.inverse[self.topic] + self.shared_change
            share[self.open] += (gains * self.inverses[:, self.topic[self.open]]).mean(axis=0)
            share[self.open] -= (self.mean_gain * self.inverse[self.topic])[self.open]
            self.values = by_topic @ (share[:, None] * self.slopes)
            return
        total = np.zeros_like(self.numerators)
        row = self.mean_gain.copy()
        for one, inverse in zip(gains, self.inverses, strict=True):
            row[self.open] = one
            total += target.numerator(row) * inverse[:, None]
        self.values = total / len(gains) + by_topic @ (self.shared_change[:, None] * self.slopes)

    def _own(self, pairs: Ints, grades: Ints) -> tuple[Floats, Floats]:
        """The parts of phi: the factor of a pair's slopes, and that of the numerators."""
        change, inverse, mean = (
            self.change[pairs, grades],
            self.inverse[self.topic[pairs]],
            self.mean_gain[pairs],
        )
        gain = self.target.gains[grades]
        return gain * (inverse + change) - inverse * mean - self.shared_change[pairs] - mean * change, change

    def phi(self, pairs: Ints, grades: Ints) -> Floats:
        """The effect of these pairs' grades on the value of their topic [pair, run]."""
        own, change = self._own(pairs, grades)
        return self.slopes[pairs] * own[:, None] + self.numerators[self.topic[pairs]] * change[:, None]

    def influence(self, weights: Floats | None = None, centred: float = CENTRED) -> Floats:
        """The variance of phi under the model, averaged over runs by weights, of each open pair. ``centred``
        is the share of the runs' mean that is left out.
        """
        topic, slopes = self.topic[self.open], self.slopes[self.open]
        count = slopes.shape[1]
        weights = np.full(count, 1 / count) if weights is None else weights / weights.sum()
        first, numerator = slopes @ weights, self.numerators @ weights
        squares = slopes**2 @ weights - centred * first**2
        products = (
            np.einsum("mr,mr->m", slopes * weights, self.numerators[topic])
            - centred * first * numerator[topic]
        )
        numerators = (self.numerators**2 @ weights - centred * numerator**2)[topic]
        total = np.zeros(len(self.open))
        for grade in range(len(self.target.gains)):
            own, change = self._own(self.open, np.full(len(self.open), grade))
            part = own**2 * squares + 2 * own * change * products + change**2 * numerators
            total += self.chances[:, grade] * part
        return np.maximum(total, 0) / len(self.numerators) ** 2

    def remainder(self, rng: np.random.Generator) -> Floats:
        """Covariance of the runs' means [run, run] that the first-order effects leave out."""
        if not self.target.is_linear:
            return self._drawn_remainder(rng)
        line = ((self.counts - self.counts.mean(axis=0)) * self._curve).sum(axis=2)
        spread = (self.inverses - self.inverse - line).var(axis=0)
        numerators = np.maximum(self.numerators, 0) / len(spread)
        return np.asarray((numerators * spread[:, None]).T @ numerators)

    def _drawn_remainder(self, rng: np.random.Generator) -> Floats:
        """The same from drawn grades: the exact values less the expected ones and the effects phi."""
        grades, rows = self.grades.copy(), []
        by_topic = self.target.universe.by_topic[:, self.open]
        topic = self.topic[self.open]
        for tails in self.tails:
            drawn = (rng.random((len(self.open), 1)) < tails).sum(axis=1)
            grades[self.open] = drawn
            own, change = self._own(self.open, drawn)
            line = by_topic @ (self.slopes[self.open] * own[:, None])
            line += self.numerators * np.bincount(topic, change, len(self.inverse))[:, None]
            rows.append(self.target.values(grades) - line)
        left = np.array(rows)
        left -= left.mean(axis=0)
        shared = np.einsum("str,stu->ru", left, left, optimize=True)
        return np.asarray(shared / len(rows) / len(self.inverse) ** 2)
