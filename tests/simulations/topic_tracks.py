"""Values of runs on the topics of simulated tracks, and judges of them."""

from collections.abc import Callable

import numpy as np

from trackside.arrays import Floats

TOPICS = 74
CHANGE = 0.1  # the share of topics on which `nearly_right` differs from people


def ndcg_like(random: np.random.Generator, tracks: int) -> Floats:
    """Values (tracks, topics) of one run like nDCG@10, on topics that differ in difficulty."""
    ease = 1 / (1 + np.exp(-random.normal(0, 1.4, (tracks, TOPICS))))
    values: Floats = np.clip(1.5 * ease * random.beta(2, 2, ease.shape), 0, 1)
    return values


def mostly_zero(random: np.random.Generator, tracks: int) -> Floats:
    """The same with three topics of five at zero: a hard task."""
    values = ndcg_like(random, tracks)
    return np.where(random.random(values.shape) < 0.6, 0, values)


def ap_like(random: np.random.Generator, tracks: int) -> Floats:
    """Low values with a few high ones, as AP has."""
    values: Floats = random.beta(0.7, 3.0, (tracks, TOPICS))
    return values


def zero_or_one(random: np.random.Generator, tracks: int) -> Floats:
    """A measure such as Success@1: 0 on one topic of three, else 1."""
    return (random.random((tracks, TOPICS)) < 2 / 3).astype(np.float64)


def good(people: Floats, random: np.random.Generator) -> Floats:
    """A judge close to people."""
    return np.clip(people + random.normal(0, 0.12, people.shape), 0, 1)


def biased(people: Floats, random: np.random.Generator) -> Floats:
    """A judge that grades too high, most of all where people's values are low."""
    return np.clip(0.5 * people + 0.35 + random.normal(0, 0.15, people.shape), 0, 1)


def null(people: Floats, random: np.random.Generator) -> Floats:
    """A judge whose values are independent of people's."""
    return random.beta(2, 2, people.shape)


def nearly_right(people: Floats, random: np.random.Generator) -> Floats:
    """A judge with people's value on nine topics of ten."""
    return np.where(random.random(people.shape) < CHANGE, random.permuted(people, axis=-1), people)


def second_run(people: Floats, random: np.random.Generator) -> Floats:
    """A run close to another one: equal on three topics of ten."""
    is_equal = random.random(people.shape) < 0.3
    return np.where(is_equal, people, np.clip(people + random.normal(0.02, 0.15, people.shape), 0, 1))


POPULATIONS: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "like nDCG@10": ndcg_like,
    "3 of 5 at zero": mostly_zero,
    "like AP": ap_like,
    "0 or 1": zero_or_one,
}
JUDGES: dict[str, Callable[[Floats, np.random.Generator], Floats]] = {
    "good": good,
    "biased": biased,
    "null": null,
    "nearly right": nearly_right,
}
