"""How often 95 % intervals of prediction-powered means hold the mean that all units would have given.

`python -m tests.simulations.coverage` prints the table of the README: 2,000 tracks a setting, each of 74
topics with values of one run in [0, 1], or of 2,000 pairs of which the first ten of 40 topics count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.prediction_powered import plain_means, powered_means

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluation.core.arrays import Floats
    from evaluation.core.prediction_powered import EstimatedMeans

TRACKS_SEED, JUDGES_SEED = 20261121, 20261122  # two streams: one would bind a judge's noise to the topics
REPLICATES = 2_000
TOPICS, PAIRS = 74, 2_000
TOPIC_SIZES, PAIR_SIZES = (10, 20, 40), (250, 500, 1_000)


@dataclass(frozen=True, slots=True)
class Coverage:
    """Share of intervals that hold the true mean, and the mean half width, with the model and without."""

    powered: float
    powered_half: float
    plain: float
    plain_half: float


def good(people: Floats, random: np.random.Generator) -> Floats:
    """A judge near people."""
    return np.clip(people + random.normal(0, 0.12, people.shape), 0, 1)


def biased(people: Floats, random: np.random.Generator) -> Floats:
    """A judge that is too kind, most of all to what people think little of."""
    return np.clip(0.5 * people + 0.35 + random.normal(0, 0.15, people.shape), 0, 1)


def null(people: Floats, random: np.random.Generator) -> Floats:
    """A judge whose values have nothing to do with people's."""
    return random.beta(2, 2, people.shape)


JUDGES: dict[str, Callable[[Floats, np.random.Generator], Floats]] = {
    "good": good,
    "biased": biased,
    "null": null,
}


def topic_values(random: np.random.Generator) -> Floats:
    """Values like nDCG@10 over topics that differ in difficulty."""
    ease = 1 / (1 + np.exp(-random.normal(0, 1.4, (REPLICATES, TOPICS))))
    values: Floats = np.clip(1.5 * ease * random.beta(2, 2, ease.shape), 0, 1)
    return values


def mostly_zero(random: np.random.Generator) -> Floats:
    """The same with three topics of five at zero: a hard task."""
    values = topic_values(random)
    return np.where(random.random(values.shape) < 0.6, 0, values)


def topic_coverage(values: Floats, judge: str, n: int) -> Coverage:
    """Coverage when people judge n topics drawn at random."""
    random = np.random.default_rng(JUDGES_SEED)
    return _coverage(values, JUDGES[judge](values, random), n, random)


def pair_coverage(judge: str, n: int) -> Coverage:
    """Coverage of precision at 10 when people judge n pairs drawn at random; a run retrieved 400 of them."""
    random = np.random.default_rng(JUDGES_SEED)
    relevant = random.random((REPLICATES, PAIRS)) < 0.3
    blurred = relevant + random.normal(0, 0.4, relevant.shape)  # one pair in ten changes sides
    scores = JUDGES[judge](blurred, random)
    counts = np.arange(PAIRS) < PAIRS // 5
    gains = np.where(counts, relevant, 0.0)
    return _coverage(gains, np.where(counts, scores > 0.5, 0.0), n, random)


def _coverage(people: Floats, model: Floats, n: int, random: np.random.Generator) -> Coverage:
    units = people.shape[1]
    drawn = np.argsort(random.random(people.shape), axis=1)[:, :n]
    graded = np.take_along_axis(people, drawn, axis=1)
    guessed = np.take_along_axis(model, drawn, axis=1)
    powered = powered_means(graded, guessed, model.mean(axis=1), units=units)
    plain = plain_means(graded, units=units)
    truth = people.mean(axis=1)
    return Coverage(*_share_and_half(powered, truth), *_share_and_half(plain, truth))


def _share_and_half(found: EstimatedMeans, truth: Floats) -> tuple[float, float]:
    holds = (found.low <= truth) & (truth <= found.high)
    return float(holds.mean()), float((found.high - found.low).mean() / 2)


def main() -> None:
    """Print the table."""
    random = np.random.default_rng(TRACKS_SEED)
    populations = {"topics": topic_values(random), "topics, 3 of 5 at zero": mostly_zero(random)}
    print("| people judge | judge | n | coverage | half width | without the judge | half width |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for judge in JUDGES:
        for name, values in populations.items():
            for n in TOPIC_SIZES:
                _print(name, judge, n, topic_coverage(values, judge, n))
        for n in PAIR_SIZES:
            _print("pairs", judge, n, pair_coverage(judge, n))


def _print(name: str, judge: str, n: int, found: Coverage) -> None:
    print(
        f"| {name} | {judge} | {n} | {found.powered:.1%} | {found.powered_half:.3f} "
        f"| {found.plain:.1%} | {found.plain_half:.3f} |".replace("%", " %")
    )


if __name__ == "__main__":
    main()
