"""Coverage of tau's interval, and the words on the order of the runs by the judge's true tau.

Estimand: the tau expected on equally many other topics, with the same runs.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tests.simulations.real import NAMES, errors_of, real_folder, real_track
from tests.simulations.rows import Coverage, Row
from tests.simulations.tracks import JUDGES, SPREADS, UNLIKE_PEOPLE, World
from trackside.arrays import Floats
from trackside.findings.order import order_finding
from trackside.findings.results import OrderFinding
from trackside.findings.verdicts import Margins, OrderVerdict
from trackside.statistics.correlation import kendall_tau_b_of_rows
from trackside.uncertainty.ranks import draw_counts

Sample = Callable[[int], tuple[Floats, Floats]]  # values [track, run, topic] of people and judge

WORLDS = 20
EXPECTED = 400  # further tracks a world; the mean tau of all is the expected one
RESAMPLES = 500
RUNS = 16
TOPICS = (10, 25, 74)
REAL_RUNS = 37
CLASSES = (-1.0, -0.02, 0.02, 0.2, 0.4, 0.6, 0.8, 1.0)  # of the expected tau
RELATED = (OrderVerdict.ALMOST, OrderVerdict.DIFFERENCES)


@dataclass(frozen=True)
class Tracks:
    """The findings on tracks of one world, and the tau expected of them."""

    expected: float
    findings: list[OrderFinding]


def orders(tracks: int, seed: int) -> Iterator[Row]:
    """Coverage in all settings, then the verdicts of all tracks by expected tau."""
    every: list[Tracks] = []
    for setting, judge in (JUDGES | UNLIKE_PEOPLE).items():
        for topics in TOPICS:
            random = np.random.default_rng(seed)
            spreads = np.resize(list(SPREADS.values()), WORLDS).tolist()
            samples = [_sampler(World.draw(random, RUNS, each, judge), random, topics) for each in spreads]
            drawn = [_tracks(sample, -(-tracks // WORLDS)) for sample in samples]
            every += drawn
            yield Row("tau", setting, tracks, coverage(drawn), topics, RUNS)
    yield from verdict_rows("made tracks", every)


def orders_real(tracks: int, seed: int) -> Iterator[Row]:
    """The same on topics drawn with replacement from real tracks, under judges with real errors."""
    folder = real_folder()
    for name in NAMES if folder else ():
        assert folder is not None
        real, every = real_track(folder, name), []
        random = np.random.default_rng(seed)
        errors = errors_of(folder, real.track.scale[-1])
        people = real.track.values(real.people, ("nDCG@10",))[0]
        judges = [
            real.track.values(real.drawn_judge(random, errors[at % len(errors)]), ("nDCG@10",))[0]
            for at in range(WORLDS)
        ]
        for topics in TOPICS:
            samples = []
            for judge in judges:
                chosen = random.permutation(len(people))[:REAL_RUNS]
                samples.append(_resampler(people[chosen], judge[chosen], random, topics))
            drawn = [_tracks(sample, -(-tracks // WORLDS)) for sample in samples]
            every += drawn
            yield Row("tau", name, tracks, coverage(drawn), topics, min(REAL_RUNS, len(people)))
        yield from verdict_rows(name, every)


def _sampler(world: World, random: np.random.Generator, topics: int) -> Sample:
    return lambda count: world.tracks(random, count, topics)


def _resampler(people: Floats, judge: Floats, random: np.random.Generator, topics: int) -> Sample:
    def draw(count: int) -> tuple[Floats, Floats]:
        places = random.integers(0, people.shape[1], (count, topics))
        return people[:, places].swapaxes(0, 1), judge[:, places].swapaxes(0, 1)

    return draw


def _tracks(sample: Sample, count: int) -> Tracks:
    people, judge = sample(count + EXPECTED)
    taus = kendall_tau_b_of_rows(people.mean(axis=2), judge.mean(axis=2))
    counts = draw_counts(people.shape[2], seed=1, replicates=RESAMPLES)
    teams = ["one"] * people.shape[1]
    findings = [
        order_finding("nDCG@10", one, two, teams=teams, counts=counts, margins=Margins())
        for one, two in zip(people[:count], judge[:count], strict=True)
    ]
    return Tracks(float(np.nanmean(taus)), findings)


def coverage(drawn: list[Tracks]) -> dict[str, float | None]:
    """How often the interval holds the expected tau."""
    counted = Coverage()
    for tracks in drawn:
        for finding in tracks.findings:
            counted.add(finding.low, finding.high, tracks.expected)
    return {"truth": float(np.mean([tracks.expected for tracks in drawn])), **counted.figures}


def verdict_rows(setting: str, drawn: list[Tracks]) -> Iterator[Row]:
    """Shares of the verdicts of judges by their expected tau, over all settings."""
    by_class: dict[tuple[int, int], list[OrderVerdict]] = defaultdict(list)
    for tracks in drawn:
        place = int(np.searchsorted(CLASSES[1:-1], tracks.expected))
        for finding in tracks.findings:
            by_class[finding.topic_count, place].append(finding.verdict)
    for (topics, place), verdicts in sorted(by_class.items()):
        ends = f"tau {CLASSES[place]:g} to {CLASSES[place + 1]:g}"
        figures = {
            "related": float(np.mean([verdict in RELATED for verdict in verdicts])),
            "almost": float(np.mean([verdict is OrderVerdict.ALMOST for verdict in verdicts])),
            "no relation": float(np.mean([verdict is OrderVerdict.NO_RELATION for verdict in verdicts])),
            "in reverse": float(np.mean([verdict is OrderVerdict.REVERSE for verdict in verdicts])),
        }
        yield Row(ends, setting, len(verdicts), figures, topics)
