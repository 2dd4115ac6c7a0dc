"""Calibration: continuation logits of grades on what is known of a unit, with effects of its group."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from trackside.arrays import Flags, Floats, Ints

COLD, WARM = 8, 3  # rounds of EM from nothing, and from an earlier fit
LARGEST_STEP = 3.0
_PRIOR = np.array([0.3, 0.1])  # variances of the two effects, counted as two topics


class Fit(NamedTuple):
    """One continuation logit: coefficients, effects by topic [topic, 2], and the joint Laplace posterior:
    ``shared`` is the covariance of the coefficients, ``inner`` [topic, 2, 2] that of a topic's effects given
    these, ``link`` [topic, column, 2] how effects follow coefficients. ``variances`` are those of effects.
    """

    coefficients: Floats
    effects: Floats
    shared: Floats
    inner: Floats
    link: Floats
    variances: Floats


class Calibration:
    """The chances P(grade >= g) of every pair, fitted to the grades that people gave.

    ``columns`` [pair, column] are what is known of each pair, with the ridge penalty of each; ``random``
    [pair, 2] are one, and the column whose weight varies by topic. ``topic`` [pair] is the topic of each.
    """

    def __init__(
        self,
        columns: Floats,
        penalties: Floats,
        random: Floats,
        topic: Ints,
        highest: int,
        fits: tuple[Fit, ...] = (),
    ) -> None:
        self.columns, self.penalties, self.random = columns, penalties, random
        self.topic, self.highest, self.fits = topic, highest, fits
        self.topic_count = int(topic.max()) + 1

    def fitted(self, grades: Ints, is_known: Flags, rounds: int = 0) -> Calibration:
        """Fitted to the known grades, starting from this fit if there is one."""
        fits = []
        for level in range(1, self.highest + 1):
            pairs = np.flatnonzero(is_known & (grades >= level - 1))
            reached = (grades[pairs] >= level).astype(float)
            start = self.fits[level - 1] if self.fits else self._start(reached)
            fits.append(self._fitted(pairs, reached, start, rounds or (WARM if self.fits else COLD)))
        known = self.columns, self.penalties, self.random, self.topic, self.highest
        return Calibration(*known, tuple(fits))

    def _start(self, reached: Floats) -> Fit:
        share = (reached.sum() + 0.5) / (len(reached) + 1)
        coefficients = np.zeros(len(self.penalties))
        coefficients[0] = np.log(share / (1 - share))
        none = np.empty(0)
        return Fit(coefficients, np.zeros((self.topic_count, 2)), none, none, none, np.array([0.5, 0.2]))

    def _fitted(self, pairs: Ints, reached: Floats, fit: Fit, rounds: int) -> Fit:
        for _ in range(rounds):
            fit = self._newton(pairs, reached, self._newton(pairs, reached, fit))
            spread = np.einsum("taa->ta", fit.inner)
            spread = spread + np.einsum("tqa,qr,tra->ta", fit.link, fit.shared, fit.link)
            total = (fit.effects**2 + spread).sum(axis=0)
            variances = np.clip((total + 2 * _PRIOR) / (self.topic_count + 2), 0.01, 9)
            fit = fit._replace(variances=variances)
        return fit

    def _newton(self, pairs: Ints, reached: Floats, fit: Fit) -> Fit:
        """One step of Newton on coefficients and effects together, and the posterior there."""
        topic, fixed, varying = self.topic[pairs], self.columns[pairs], self.random[pairs]
        chance = logistic(fixed @ fit.coefficients + (varying * fit.effects[topic]).sum(axis=1))
        weight, residual = chance * (1 - chance) + 1e-6, reached - chance
        weighted = varying * weight[:, None]
        inner = np.linalg.inv(self._by_topic(topic, varying, weighted) + np.diag(1 / fit.variances))
        cross = self._by_topic(topic, fixed, weighted)
        link = cross @ inner
        curvature = (fixed * weight[:, None]).T @ fixed + np.diag(self.penalties)
        shared = np.linalg.inv(curvature - np.einsum("tqa,tra->qr", link, cross))
        slope = fixed.T @ residual - self.penalties * fit.coefficients
        slopes = self._by_topic(topic, varying, residual[:, None])[:, :, 0] - fit.effects / fit.variances
        step = shared @ (slope - np.einsum("tqa,ta->q", link, slopes))
        steps = np.einsum("tab,tb->ta", inner, slopes - np.einsum("tqa,q->ta", cross, step))
        size = min(1.0, LARGEST_STEP / max(np.abs(step).max(), np.abs(steps).max(), 1e-9))
        coefficients, effects = fit.coefficients + size * step, fit.effects + size * steps
        return Fit(coefficients, effects, np.asarray(shared), np.asarray(inner), link, fit.variances)

    def _by_topic(self, topic: Ints, left: Floats, right: Floats) -> Floats:
        """Sums over each topic's pairs of the outer products [topic, column, column]."""
        count = self.topic_count
        sums = [[np.bincount(topic, one * other, count) for other in right.T] for one in left.T]
        return np.moveaxis(np.array(sums), 2, 0)

    def drawn_tails(self, pairs: Ints, rng: np.random.Generator, draws: int) -> Floats:
        """Chances [draw, pair, grade from 1] of at least a grade, from the joint posterior."""
        topic, columns, score = (
            self.topic[pairs],
            self.columns[pairs],
            self.random[pairs, 1],
        )
        tails, product = [], np.ones(())
        for fit in self.fits:
            shifts = rng.normal(size=(draws, len(fit.coefficients))) @ _root(fit.shared).T
            noise = rng.normal(size=(draws, self.topic_count, 2))
            effects = fit.effects + np.einsum("tab,stb->sta", _root(fit.inner), noise)
            effects = effects - np.einsum("tqa,sq->sta", fit.link, shifts)
            logits = (fit.coefficients + shifts) @ columns.T + effects[:, topic, 0]
            product = product * logistic(logits + effects[:, topic, 1] * score)
            tails.append(product)
        return np.stack(tails, axis=2)


def _root(covariance: Floats) -> Floats:
    return np.asarray(np.linalg.cholesky(covariance + 1e-10 * np.eye(covariance.shape[-1])))


def logistic(logits: Floats) -> Floats:
    """1 / (1 + e^-x), without overflow."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))))
