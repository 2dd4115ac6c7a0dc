"""Coverage and size for coefficients of two orders of the same runs, and accuracy of the noise ceiling."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.statistics.bootstrap import draw_counts
from evaluation.core.statistics.correlation.rows import BOUNDS, COEFFICIENTS, SMOOTH, in_blocks
from evaluation.core.statistics.estimate import Estimate
from evaluation.core.uncertainty import (
    means_without_each,
    noise_ceiling,
    rank_difference,
    rank_interval,
    why_no_difference,
    why_no_interval,
)
from tests.simulations.means import TOPICS
from tests.simulations.percentiles import percentile_interval
from tests.simulations.real import real_tracks
from tests.simulations.rows import Coverage, Row
from tests.simulations.tracks import JUDGES, SPREADS, Judge, World, values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from evaluation.core.arrays import Floats
    from evaluation.core.statistics.correlation.rows import Statistic

    Sample = Callable[[int], tuple[Floats, Floats]]

RUNS = (8, 16, 37)
OTHERS = ("rho", "r", "tau_AP,a", "tau_AP,b", "tau_GAP", "weighted tau", "RBO")
OF_CHANCE = ("tau", "rho", "r", "tau_AP,b")
"""Coefficients that are zero where two orders have nothing in common, so that they can be stepped up."""

STATISTICS: dict[str, Statistic] = {**COEFFICIENTS, "tau": lambda x, y: untied_tau_of_rows(x, y)}

WORLDS = 20
RESAMPLES = 200
MORE = 150  # further tracks a world; the mean coefficient of all is the expected one
MATCHED = 1_000  # tracks to match two judges' expected tau: its error is a tenth of a track's or less
REAL_RUNS = 37


def untied_tau_of_rows(x: Floats, y: Floats) -> Floats:
    """Tau of each row of two (rows, runs) arrays without ties, five times faster than tau-b's."""
    one, two = np.triu_indices(x.shape[1], k=1)
    left, right = (np.ascontiguousarray(each.T, dtype=np.float32) for each in (x, y))  # indexes whole rows
    is_alike = (left[one] > left[two]) == (right[one] > right[two])
    tau: Floats = 2 * np.count_nonzero(is_alike, axis=0) / one.size - 1
    return tau


def ranks(tracks: int, seed: int) -> Iterator[Row]:
    """Tau in all settings."""
    for setting, judge in JUDGES.items():
        for spread in SPREADS:
            for runs in RUNS:
                for topics in TOPICS:
                    samples = _samplers(judge, spread, runs, topics, seed)
                    found = _coverage(samples, ("tau",), tracks, topics)
                    yield _row("tau", f"{setting}, {spread}", topics, tracks, found["tau"], runs)


def ranks_others(tracks: int, seed: int) -> Iterator[Row]:
    """The other coefficients for 16 runs under two judges."""
    for setting in ("lenient", "biased"):
        for spread in SPREADS:
            for topics in TOPICS:
                samples = _samplers(JUDGES[setting], spread, 16, topics, seed)
                for name, figures in _coverage(samples, OTHERS, tracks, topics).items():
                    yield _row(name, f"{setting}, {spread}", topics, tracks, figures, 16)


def _row(
    name: str, setting: str, topics: int, tracks: int, figures: Mapping[str, float | None], runs: int
) -> Row:
    is_printed = why_no_interval(name, topics) is None
    return Row(name, setting, topics, tracks, figures, runs, is_printed)


def _samplers(judge: Judge, spread: str, runs: int, topics: int, seed: int) -> list[Sample]:
    random = np.random.default_rng(seed)
    worlds = [World.draw(random, runs, SPREADS[spread], judge) for _ in range(WORLDS)]
    return [_sampler(world, random, topics) for world in worlds]


def ranks_real(tracks: int, seed: int) -> Iterator[Row]:
    """Tau on topics resampled from real tracks, under judges drawn from real errors without seeing runs."""
    for track in real_tracks(WORLDS, seed):
        random = np.random.default_rng(seed)
        runs = min(REAL_RUNS, len(track.people))
        for topics in TOPICS:
            samples = []
            for judge in track.judges:
                chosen = random.permutation(len(track.people))[:runs]
                samples.append(_resampler(track.people[chosen], judge[chosen], random, topics))
            for name, figures in _coverage(samples, ("tau", "rho"), tracks, topics).items():
                yield _row(name, track.name, topics, tracks, figures, runs)


def _sampler(world: World, random: np.random.Generator, topics: int) -> Sample:
    return lambda count: world.tracks(random, count, topics)


def _resampler(people: Floats, judge: Floats, random: np.random.Generator, topics: int) -> Sample:
    def draw(count: int) -> tuple[Floats, Floats]:
        places = random.integers(0, people.shape[1], (count, topics))
        return people[:, places].swapaxes(0, 1), judge[:, places].swapaxes(0, 1)

    return draw


def _coverage(
    samples: Sequence[Sample], names: Sequence[str], tracks: int, topics: int
) -> dict[str, dict[str, float | None]]:
    """Coverage of the expected coefficient; of the percentile interval; and of the limit with many topics."""
    each = -(-tracks // len(samples))
    ours, percentile, limit = ({name: Coverage() for name in names} for _ in range(3))
    truths: dict[str, list[float]] = {name: [] for name in names}
    for sample in samples:
        people, judge = sample(each + MORE)
        means = people.mean(axis=2), judge.mean(axis=2)
        for name in names:
            statistic = STATISTICS[name]
            found = statistic(*means)
            truths[name].append(float(np.nanmean(found)))
            many = float(statistic(means[0].mean(axis=0)[None], means[1].mean(axis=0)[None])[0])
            for track, drawn in enumerate(_resampled(statistic, people[:each], judge[:each])):
                if np.isnan(found[track]):  # tau_AP,a has no value where people's means tie
                    continue
                left_out = None
                if name in SMOOTH:
                    left_out = statistic(means_without_each(people[track]), means_without_each(judge[track]))
                bounds = BOUNDS.get(name, (-1.0, 1.0))
                value = Estimate.of(found[track])
                interval = rank_interval(value, drawn, topics, bounds=bounds, left_out=left_out)
                ours[name].add(interval, truths[name][-1])
                percentile[name].add(percentile_interval(drawn), truths[name][-1])
                limit[name].add(interval, many)
    return {
        name: {
            "truth": float(np.mean(truths[name])),
            **ours[name].figures,
            "percentile": percentile[name].figures["coverage"],
            "of infinitely many topics": limit[name].figures["coverage"],
        }
        for name in names
    }


def _resampled(statistic: Statistic, people: Floats, judge: Floats) -> Floats:
    """The statistic in resamples of each track's topics, (tracks, resamples)."""
    tracks, runs, topics = people.shape
    counts = draw_counts(topics, seed=1, replicates=RESAMPLES) / topics
    rows = [(counts @ values.swapaxes(1, 2)).reshape(-1, runs) for values in (people, judge)]
    return in_blocks(statistic, *rows).reshape(tracks, RESAMPLES)


def ranks_differences(tracks: int, seed: int) -> Iterator[Row]:
    """Coverage for the difference of two judges that agree equally well with people in expectation.

    "alike" are two judges with the same biases and their own noise. "unlike" are a biased judge and one whose
    noise is raised until its expected tau is the same.
    """
    for spread in SPREADS:
        for runs in RUNS:
            for topics in TOPICS:
                for kind in ("alike", "unlike") if runs == 16 else ("alike",):
                    random = np.random.default_rng(seed)
                    held = _difference_coverage(random, runs, SPREADS[spread], topics, tracks, kind)
                    is_printed = why_no_difference("tau", topics) is None
                    yield Row("tau", f"{kind} judges, {spread}", topics, tracks, held, runs, is_printed)


def _difference_coverage(
    random: np.random.Generator, runs: int, spread: float, topics: int, tracks: int, kind: str
) -> dict[str, float | None]:
    tau, each = STATISTICS["tau"], -(-tracks // WORLDS)
    coverage = Coverage()
    for _ in range(WORLDS):
        one = World.draw(random, runs, spread, JUDGES["biased" if kind == "unlike" else "lenient"])
        two = one if kind == "alike" else _as_good(one, random, topics)
        latent = one.people(random, each, topics)
        people, first, second = (
            values_of(each) for each in (latent, one.judged(random, latent), two.judged(random, latent))
        )
        samples = _resampled(tau, people, first) - _resampled(tau, people, second)
        for track in range(each):
            means = [values[track].mean(axis=1)[None] for values in (people, first, second)]
            value = tau(means[0], means[1])[0] - tau(means[0], means[2])[0]
            coverage.add(rank_difference(Estimate.of(value), samples[track], topics), 0.0)
    return coverage.figures


def _as_good(world: World, random: np.random.Generator, topics: int) -> World:
    """A world without bias, with as much noise of the judge as gives the same expected tau."""
    wanted = _expected_tau(world, random, topics)
    low, high = 0.05, 20.0
    for _ in range(12):
        noise = (low * high) ** 0.5
        judge = replace(world.judge, noise=noise)
        other = World(world.strength, np.zeros_like(world.bias), judge)
        low, high = (noise, high) if _expected_tau(other, random, topics) > wanted else (low, noise)
    return other


def _expected_tau(world: World, random: np.random.Generator, topics: int) -> float:
    people, judge = world.tracks(random, MATCHED, topics)
    return float(STATISTICS["tau"](people.mean(axis=2), judge.mean(axis=2)).mean())


def ceiling(tracks: int, seed: int) -> Iterator[Row]:
    """How far the noise ceiling is from the expected coefficient of two independent sets of topics."""
    for spread in SPREADS:
        for runs in RUNS:
            for topics in TOPICS:
                random = np.random.default_rng(seed)
                names = OF_CHANCE if runs == 16 else OF_CHANCE[:1]
                errors: dict[str, list[float]] = {name: [] for name in names}
                truths: dict[str, list[float]] = {name: [] for name in names}
                each = -(-tracks // WORLDS)
                for _ in range(WORLDS):
                    world = World.draw(random, runs, SPREADS[spread], JUDGES["lenient"])
                    values = values_of(world.people(random, each + 2 * MORE, topics))
                    one, two = np.split(values[each:].mean(axis=2), 2)
                    for name in names:
                        statistic = STATISTICS[name]
                        truth = float(np.nanmean(statistic(one, two)))
                        truths[name].append(truth)
                        found = [
                            noise_ceiling(track, statistic, seed=seed, is_tau=name.startswith("tau"))
                            for track in values[:each]
                        ]
                        errors[name] += [
                            ceiling.all_topics.value - truth
                            for ceiling in found
                            if ceiling.all_topics.value is not None
                        ]
                for name in names:
                    figures = {
                        "truth": float(np.mean(truths[name])),
                        "bias": float(np.mean(errors[name])),
                        "error": float(np.std(errors[name])),
                    }
                    yield Row(name, spread, topics, tracks, figures, runs)
