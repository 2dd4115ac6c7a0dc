"""Non-inferiority to a second assessor: verdicts on kappa and tau by the true difference."""

from collections.abc import Iterator

import numpy as np

from tests.simulations.made import SCALE, SHARES, TOPICS, made_track
from tests.simulations.rows import Row
from trackside.arrays import Floats, Ints
from trackside.findings.grades import second_finding, second_tau
from trackside.findings.results import SecondTau
from trackside.findings.verdicts import GradeVerdict, Margins
from trackside.uncertainty.ranks import draw_counts

SECOND = 0.6  # kappa of the second assessor
JUDGES = {"on the margin": 0.55, "as good": 0.6, "better": 0.65, "0.1 below": 0.5}
OF_TOPICS = (12, 25, 53, 74)
UNEVEN = {"equal on all topics": None, "uneven over topics": 8.0}
PAIRS = 200  # of a topic
TAU_JUDGES = (0.3, 0.45, 0.6, 0.8)  # chances that a judge sees the true grade
TAU_SECOND = 0.6
RESAMPLES = 500
UNSAID = SecondTau(verdict=GradeVerdict.NOT_SAID)


def kappas(tracks: int, seed: int) -> Iterator[Row]:
    """Kappa of a judge and of a second assessor with people.

    Both give people's grade with a chance that is their kappa, and else any grade with its share.
    """
    for setting, alike in UNEVEN.items():
        for topics in OF_TOPICS:
            for name, kappa in JUDGES.items():
                rng = np.random.default_rng(seed)
                found = [kappa_verdict(rng, topics, kappa, alike) for _ in range(tracks)]
                yield Row(name, setting, tracks, _shares(found), topics)


def kappa_verdict(rng: np.random.Generator, topics: int, kappa: float, alike: float | None) -> GradeVerdict:
    """The verdict on one track; ``alike`` is how little people's shares and both kappas differ by topic."""
    shares = (
        np.tile(SHARES, (topics, 1)) if alike is None else rng.dirichlet(np.array(SHARES) * alike, topics)
    )
    people = (rng.random((topics, PAIRS, 1)) > shares.cumsum(axis=1)[:, None]).sum(axis=2)
    judge, second = (_confusions(people, _mixed(rng, people, of, alike)) for of in (kappa, SECOND))
    return second_finding("second", judge, second, SCALE, tau=UNSAID, margins=Margins()).verdict


def _mixed(rng: np.random.Generator, people: Ints, kappa: float, alike: float | None) -> Ints:
    chance: float | Floats = kappa
    if alike is not None:
        chance = rng.beta(kappa * alike, (1 - kappa) * alike, (len(people), 1))
    guesses = rng.choice(SCALE, people.shape, p=SHARES)
    mixed: Ints = np.where(rng.random(people.shape) < chance, people, guesses)
    return mixed


def _confusions(one: Ints, other: Ints) -> Ints:
    size = len(SCALE)
    cells = (np.arange(len(one))[:, None] * size + one) * size + other
    return np.bincount(cells.ravel(), minlength=len(one) * size**2).reshape(-1, size, size).astype(np.int64)


def taus(tracks: int, seed: int) -> Iterator[Row]:
    """Tau with people of a judge and of a second assessor, 16 runs."""
    counts = draw_counts(TOPICS, seed=1, replicates=RESAMPLES)
    for chance in TAU_JUDGES:
        found = [tau_finding(np.random.default_rng([seed, at]), chance, counts) for at in range(tracks)]
        figures = {
            "difference": float(np.mean([finding.difference or 0.0 for finding in found])),
            **_shares([finding.verdict for finding in found]),
        }
        yield Row(
            f"judge right on {chance:.0%}, second on {TAU_SECOND:.0%}", "16 runs", tracks, figures, TOPICS
        )


def tau_finding(rng: np.random.Generator, chance: float, counts: Ints) -> SecondTau:
    """The finding on one track; people are right on 85 % of the pairs, all others guess by the shares."""
    made = made_track(rng)
    grades = [
        np.where(
            rng.random(made.truth.size) < right, made.truth, rng.choice(SCALE, made.truth.size, p=SHARES)
        )
        for right in (0.85, chance, TAU_SECOND)
    ]
    people, judge, second = (made.track.values(each, ("nDCG@10",))[0] for each in grades)
    return second_tau(people, judge, second, counts=counts, triple_share=1.0, margins=Margins())


def _shares(verdicts: list[GradeVerdict]) -> dict[str, float | None]:
    return {
        verdict.value.replace("_", " "): float(np.mean([each is verdict for each in verdicts]))
        for verdict in (GradeVerdict.NOT_WORSE, GradeVerdict.WORSE, GradeVerdict.NOT_PRECISE)
    }
