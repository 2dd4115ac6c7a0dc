"""Made tracks: runs of teams, half of them in a family, over items that people and judges grade with errors.

Runs of a family share noise, and so do runs of a team, so that they retrieve the same items as real ones do.
"""

from dataclasses import dataclass

import numpy as np

from tests.simulations.studies import Track
from trackside.arrays import Flags, Floats, Ints
from trackside.findings.retrieved import Retrieved

SCALE = (0, 1, 2)
RUNS, TOPICS, ITEMS, DEPTH = 16, 74, 100, 20
SHARES = (0.65, 0.2, 0.15)  # of the true grades
FAMILY = "A"
# Rows: the true grade; columns: how often 0, 1 and 2 are given.
CONFUSIONS = {
    "careful": ((0.88, 0.09, 0.03), (0.2, 0.6, 0.2), (0.05, 0.25, 0.7)),
    "lenient": ((0.5, 0.3, 0.2), (0.1, 0.4, 0.5), (0.02, 0.13, 0.85)),
    "harsh": ((0.97, 0.02, 0.01), (0.6, 0.35, 0.05), (0.3, 0.4, 0.3)),
    "noisy": ((0.5, 0.28, 0.22), (0.42, 0.33, 0.25), (0.36, 0.34, 0.3)),
}
UNEVEN = 0.5  # how much leniency differs between topics, on the scale of logits


@dataclass(frozen=True)
class MadeTrack:
    """A track, the true grades of its pairs, and the runs of its family."""

    track: Track
    truth: Ints
    is_in: Flags


def made_track(
    rng: np.random.Generator, *, teams: int = 5, topics: int = TOPICS, gap: float = 0.0
) -> MadeTrack:
    """Sixteen runs; ``gap`` is how much better the family's runs see true grades."""
    truth = rng.choice(SCALE, size=(topics, ITEMS), p=SHARES)
    of_run = np.sort(np.arange(RUNS) % teams)
    is_in = of_run < teams // 2
    of_family = rng.normal(size=(2, *truth.shape))
    of_team = rng.normal(size=(teams, *truth.shape))
    skill = 0.8 + 0.2 * rng.normal(size=teams)
    retrieved = []
    for team, belongs in zip(of_run.tolist(), is_in.tolist(), strict=True):
        noise = 0.8 * of_family[int(belongs)] + 0.6 * of_team[team] + 0.5 * rng.normal(size=truth.shape)
        retrieved.append(retrieved_of_scores((skill[team] + gap * belongs) * truth + noise))
    track = Track(
        scale=SCALE,
        level=1,
        topic_of_pair=np.repeat(np.arange(topics), ITEMS),
        retrieved=tuple(retrieved),
        teams=tuple(f"t{team}" for team in of_run.tolist()),
        families={FAMILY: is_in},
    )
    return MadeTrack(track, truth.ravel(), is_in)


def retrieved_of_scores(scores: Floats) -> Retrieved:
    """The first items of each topic by score [topic, item]."""
    topics, items = scores.shape
    order = np.argsort(-scores, axis=1)[:, :DEPTH] + np.arange(topics)[:, None] * items
    ranks = np.tile(np.arange(DEPTH), topics)
    return Retrieved(order.ravel(), ranks, np.full(topics, DEPTH))


def chances_of(rng: np.random.Generator, confusion: str, seen: Ints, topic_of_pair: Ints) -> Floats:
    """Chances [pair, grade] of somebody who sees these grades; the leniency differs between topics."""
    tilt = UNEVEN * rng.normal(size=int(topic_of_pair.max()) + 1)[topic_of_pair]
    chances: Floats = np.array(CONFUSIONS[confusion])[seen] * np.exp(tilt[:, None] * np.arange(-1, 2))
    chances /= chances.sum(axis=1, keepdims=True)
    return chances
