"""Coverage of the library's prediction-powered estimates, as rows."""

from collections.abc import Iterator

from tests.simulations import topic_tracks
from tests.simulations.coverage import TOPIC_SIZES, Coverage, difference_coverage, topic_coverage
from tests.simulations.rows import COVERAGE, Row


def powered(tracks: int, _seed: int) -> Iterator[Row]:
    """Means and differences from people's grades of some topics.

    ``topics`` is how many topics people graded. The seeds are fixed in ``coverage``.
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
