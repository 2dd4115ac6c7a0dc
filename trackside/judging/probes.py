"""Probes of a judge: how much agreement its grades lose when a part of what it reads is changed."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from trackside.errors import InputError
from trackside.statistics.agreement import confusions_by_topic, kappa_of_matrices
from trackside.statistics.estimate import Interval, Reason
from trackside.uncertainty.intervals import FEWEST_TOPICS, jackknife_interval, matrices_without_each

MARGIN = 0.05  # a loss of kappa that is small
SAMPLE = 200  # judged pairs
FEWEST_A_TOPIC = 2  # pairs, so that their parts can be exchanged
CHANCE = 0.05  # that no grade of a sample changes if a share of MARGIN of all grades would


Pair = tuple[str, str]  # topic, docno


class Probe(StrEnum):
    """What is exchanged, changed, or asked again, as people read it; LEFT_OUT with ": " and a field."""

    PICTURES = "pictures exchanged"
    TEXTS = "texts exchanged"
    AGAIN = "same pair again"
    GREY = "grey pictures"
    LEFT_OUT = "left out"
    OPTIONS = "options turned"
    PAINTED = "words painted"
    HALF = "half resolution"


class ProbeCode(StrEnum):
    """What a probe shows: a loss above the margin, one within it, that none could show, or nothing."""

    DEPENDS = "depends"
    NO_LOSS = "no_loss"
    NO_AGREEMENT = "no_agreement"
    OPEN = "open"


WORDS = {
    ProbeCode.DEPENDS: "a loss",
    ProbeCode.NO_LOSS: "no loss",
    ProbeCode.NO_AGREEMENT: "open, no agreement before is shown",
    ProbeCode.OPEN: "open",
}
UNGRADED = "no pair has a grade before and after"


@dataclass(frozen=True, slots=True)
class Loss:
    """Quadratic kappa with people before and after an exchange, over ``pair_count`` pairs of all topics.

    ``loss`` is their difference, None if a kappa is undefined; its interval is the jackknife's over topics,
    at 95 %. ``changed_count`` pairs have another grade than before.
    """

    pair_count: int
    topic_count: int
    before: float | None
    after: float | None
    loss: float | None
    interval: Interval
    changed_count: int
    code: ProbeCode

    @property
    def says(self) -> str:
        """The loss with its interval, and the grades that change."""
        low, high = self.interval.low, self.interval.high
        ends = f"[{low:.2f}, {high:.2f}]" if low is not None and high is not None else "no interval"
        value = "undefined" if self.loss is None else f"{self.loss:.2f}"
        share = f"{self.changed_count:,} of {self.pair_count:,} grades change"
        return f"{value} {ends}, {share}"


def loss_of_pairs(
    people: Mapping[Pair, int],
    before: Mapping[Pair, int | None],
    after: Mapping[Pair, int | None],
    *,
    scale: tuple[int, ...],
    margin: float = MARGIN,
) -> Loss | None:
    """Return ``measure_loss`` over the pairs with all three grades; None if there is none."""
    rows = [
        (pair[0], people[pair], first, second)
        for pair, second in after.items()
        if pair in people and second is not None and (first := before.get(pair)) is not None
    ]
    if not rows:
        return None
    topics, of_people, firsts, seconds = zip(*rows, strict=True)
    return measure_loss(topics, of_people, firsts, seconds, scale=scale, margin=margin)


def measure_loss(
    topics: Sequence[str],
    people: Sequence[int],
    before: Sequence[int],
    after: Sequence[int],
    *,
    scale: tuple[int, ...],
    margin: float = MARGIN,
) -> Loss:
    """Compare the grades of pairs, one entry each, before and after an exchange.

    DEPENDS if the interval's lower end is above the margin. NO_LOSS if its upper end is below it and kappa
    before is shown to be above it, else NO_AGREEMENT: what is not there cannot be lost. NO_LOSS, too, if no
    grade changed of at least ``fewest_unchanged`` pairs of FEWEST_TOPICS topics. Raises InputError for grades
    off the scale.
    """
    index = np.unique(np.asarray(topics), return_inverse=True)[1]
    stacks = [confusions_by_topic(people, grades, index, scale) for grades in (before, after)]
    kappas = [float(kappa_of_matrices(stack.sum(axis=0)[None], scale, "quadratic")[0]) for stack in stacks]
    without = [kappa_of_matrices(matrices_without_each(stack), scale, "quadratic") for stack in stacks]
    loss = kappas[0] - kappas[1]
    interval = jackknife_interval(loss, without[0] - without[1])
    changed = int(np.sum(np.asarray(before) != np.asarray(after)))
    code = ProbeCode.OPEN
    if not changed and len(without[0]) >= FEWEST_TOPICS and len(people) >= fewest_unchanged(margin):
        code = ProbeCode.NO_LOSS
    elif _is_above(margin, loss, interval):
        code = ProbeCode.DEPENDS
    elif interval.high is not None and interval.high < margin:
        is_agreeing = _is_above(margin, kappas[0], jackknife_interval(kappas[0], without[0]))
        code = ProbeCode.NO_LOSS if is_agreeing else ProbeCode.NO_AGREEMENT
    values = [None if np.isnan(value) else value for value in (*kappas, loss)]
    return Loss(len(people), int(index.max()) + 1, values[0], values[1], values[2], interval, changed, code)


def _is_above(margin: float, value: float, interval: Interval) -> bool:
    """Return whether the interval is above the margin, or a value that no topic changes."""
    if interval.reason is Reason.NO_VARIATION:
        return value > margin
    return interval.low is not None and interval.low > margin


def fewest_unchanged(margin: float) -> int:
    """Return how many pairs show, in 95 of 100 samples, that a share ``margin`` of all grades changes."""
    return math.ceil(math.log(CHANCE) / math.log1p(-margin))


def sample_pairs(pairs: Sequence[Pair], *, most: int = SAMPLE, seed: int) -> list[Pair]:
    """Draw about as many pairs of each topic, ``most`` in all or a few less, in order of their topics.

    A topic has at least two. Raises too-few-topics if fewer than two topics have two pairs.
    """
    rng = random.Random(seed)  # noqa: S311 - keeps no secret
    by_topic: dict[str, list[Pair]] = {}
    for pair in sorted(pairs):
        by_topic.setdefault(pair[0], []).append(pair)
    usable = [topic for topic, of_topic in by_topic.items() if len(of_topic) >= FEWEST_A_TOPIC]
    if len(usable) < FEWEST_A_TOPIC:
        raise InputError(
            f"{len(usable)} topics have two judged pairs, and a probe exchanges parts within a topic and "
            "among topics. Judge more pairs.",
            code="too-few-topics",
        )
    topics = sorted(rng.sample(usable, min(len(usable), most // FEWEST_A_TOPIC)))
    share = most // len(topics)
    drawn = (rng.sample(by_topic[topic], min(share, len(by_topic[topic]))) for topic in topics)
    return [pair for of_topic in drawn for pair in of_topic]


def exchanged(names: Sequence[str]) -> dict[str, str]:
    """Return another one of the names for each: the next in order, the first for the last."""
    return dict(zip(names, [*names[1:], *names[:1]], strict=True))


def partners(pairs: Sequence[Pair], side: str) -> dict[Pair, str]:
    """Return the item whose part each pair gets: another document of its topic, or another topic."""
    if side == "topic":
        others = exchanged(list(dict.fromkeys(topic for topic, _ in pairs)))
        return {pair: others[pair[0]] for pair in pairs}
    docnos: dict[str, list[str]] = {}
    for topic, docno in pairs:
        docnos.setdefault(topic, []).append(docno)
    return {
        (topic, docno): other
        for topic, of_topic in docnos.items()
        for docno, other in exchanged(of_topic).items()
    }
