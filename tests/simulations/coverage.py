"""How often intervals of prediction-powered estimates hold the value by people's grades of everything."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from tests.simulations import topic_tracks
from tests.simulations.rows import COVERAGE, Row
from trackside.arrays import Floats
from trackside.statistics.saving.prediction_powered import EstimatedMeans, powered_means

TRACKS_SEED, JUDGES_SEED = 20261121, 20261122  # two streams: a judge's noise is independent of topics
TRACKS = 4_000  # of topics: all at once
TOPIC_SIZES = (20, 40)


@dataclass(frozen=True, slots=True)
class Coverage:
    """The share of intervals that are printed, and the share of these that hold the truth.

    ``half`` is their mean half width. Both are NaN where none is printed.
    """

    printed: float
    holds: float
    half: float


def coverage(found: Iterable[tuple[EstimatedMeans, Floats]]) -> Coverage:
    """Over all estimates, each beside its true value."""
    is_printed, holds, halves = [], [], []
    for each, truth in found:
        is_known = ~np.isnan(each.low)
        is_printed.append(is_known.ravel())
        low, high = each.low[is_known], each.high[is_known]
        holds.append((low <= truth[is_known] + 1e-9) & (truth[is_known] <= high + 1e-9))
        halves.append((high - low) / 2)
    held = np.concatenate(holds)
    if not held.size:
        return Coverage(0.0, np.nan, np.nan)
    return Coverage(
        float(np.concatenate(is_printed).mean()), float(held.mean()), float(np.concatenate(halves).mean())
    )


def topic_coverage(population: str, judge: str, n: int, *, tracks: int = TRACKS) -> Coverage:
    """One run's mean when people judge n topics drawn at random."""
    values = topic_tracks.POPULATIONS[population](np.random.default_rng(TRACKS_SEED), tracks)
    random = np.random.default_rng(JUDGES_SEED)
    return _drawn(values, topic_tracks.JUDGES[judge](values, random), n, random)


def difference_coverage(population: str, judge: str, n: int, *, tracks: int = TRACKS) -> Coverage:
    """The difference of two runs' means, as `topic_coverage`."""
    random = np.random.default_rng(TRACKS_SEED)
    first = topic_tracks.POPULATIONS[population](random, tracks)
    second = topic_tracks.second_run(first, random)
    random = np.random.default_rng(JUDGES_SEED)
    own = [topic_tracks.JUDGES[judge](each, random) for each in (first, second)]
    return _drawn(first - second, own[0] - own[1], n, random)


def _drawn(people: Floats, model: Floats, n: int, random: np.random.Generator) -> Coverage:
    drawn = np.argsort(random.random(people.shape), axis=1)[:, :n]
    graded, guessed = (np.take_along_axis(each, drawn, axis=1) for each in (people, model))
    found = powered_means(graded, guessed, model.mean(axis=1), units=people.shape[1])
    return coverage([(found, people.mean(axis=1))])


def powered(tracks: int, _seed: int) -> Iterator[Row]:
    """Means and differences from people's grades of some topics.

    ``topics`` is how many topics people graded. The seeds are fixed above.
    """
    for population in topic_tracks.POPULATIONS:
        for judge in topic_tracks.JUDGES:
            for n in TOPIC_SIZES:
                setting = f"{population}, {judge} judge"
                mean = topic_coverage(population, judge, n, tracks=tracks)
                difference = difference_coverage(population, judge, n, tracks=tracks)
                yield Row("mean, topics", setting, tracks, _figures(mean), n)
                yield Row("difference, topics", setting, tracks, _figures(difference), n)


def _figures(found: Coverage) -> dict[str, float | None]:
    is_any = found.printed > 0
    return {
        "given": found.printed,
        COVERAGE: found.holds if is_any else None,
        "half": found.half if is_any else None,
    }
