"""Coverage in a few settings of tests/simulations, by fixed seeds; docs/simulations.md has them all.

With 400 tracks the standard error of a coverage of 95 % is 1.1 points; the bounds are four of these away.
"""

import numpy as np
import pytest

from tests.simulations.intervals import SCALE, WORLDS
from trackside.statistics.agreement import coefficients
from trackside.uncertainty.intervals import jackknife_interval, matrices_without_each
from trackside.uncertainty.means import mean_intervals

TRACKS = 400
LEAST = 0.905


def test_mean_interval_covers_skewed_values_at_ten_topics_where_student_does_not() -> None:
    values = np.random.default_rng(15).beta(0.5, 3, (TRACKS, 10))
    ends, truth = mean_intervals(values), 0.5 / 3.5
    assert ((ends.low <= truth) & (truth <= ends.high)).mean() > LEAST
    half = 2.262 * values.std(axis=1, ddof=1) / np.sqrt(10)
    assert (np.abs(values.mean(axis=1) - truth) <= half).mean() < 0.91


@pytest.mark.parametrize("topics", [25, 50])
def test_interval_of_a_mean_of_mostly_zeros_covers_and_not_more(topics: int) -> None:
    random = np.random.default_rng(18)
    values = np.where(random.random((4_000, topics)) < 0.8, 0.0, random.beta(2, 3, (4_000, topics)))
    for bounds, least, most in (((0.0, 1.0), 0.94, 0.973), (None, 0.973, 1.0)):
        ends = mean_intervals(values, bounds=bounds)
        given = ~np.isnan(ends.low)
        held = (ends.low <= 0.2 * 0.4) & (ends.high >= 0.2 * 0.4)
        assert least < held[given].mean() < most


@pytest.mark.parametrize("name", ["kappa", "alpha, ordinal"])
def test_jackknife_interval_covers_the_coefficient_of_many_topics(name: str) -> None:
    draw, of = WORLDS["lenient judge"], coefficients(SCALE)[name]
    random = np.random.default_rng(16)
    truth = of(draw(random, 50_000).sum(axis=0)[None])[0]
    held = []
    for matrices in draw(random, TRACKS * 10).reshape(TRACKS, 10, 4, 4):
        value = of(matrices.sum(axis=0)[None])[0]
        found = jackknife_interval(value, of(matrices_without_each(matrices)), scale="correlation")
        assert found.low is not None
        assert found.high is not None
        held.append(found.low <= truth <= found.high)
    assert np.mean(held) > LEAST
