import numpy as np
import pytest

from tests.trackside.loop.worlds import random_world
from trackside.loop.replay import Point, averaged, judgments_for, replayed
from trackside.loop.targets import Target

NOTHING = np.empty((0, 0))


def test_depth_ends_at_the_truth() -> None:
    universe, grades = random_world(3)
    target = Target.of("nDCG@5", universe, 2)
    points = replayed(target, grades, NOTHING, [len(grades) // 2, len(grades)], "depth", 0, 3)
    assert [point.judged for point in points] == [len(grades) // 2, len(grades)]
    assert points[-1].tau == pytest.approx(1.0)
    assert points[-1].error == pytest.approx(0.0)
    assert (points[-1].top, points[-1].first) == (1.0, 1.0)
    assert np.isnan(points[0].half_width)


@pytest.mark.parametrize("recipe", ["mtf", "maxmean", "rrf", "mnz", "rbp"])
def test_every_recipe_reaches_the_truth(recipe: str) -> None:
    universe, grades = random_world(3)
    points = replayed(Target.of("P@5", universe, 2), grades, NOTHING, [len(grades)], recipe, 0, 3)
    assert points[0].error == pytest.approx(0.0)


def test_drawn_recipes_state_their_error() -> None:
    universe, grades = random_world(3, topics=25)
    target = Target.of("P@5", universe, 2)
    none = np.empty((0, len(grades)))
    replays = [replayed(target, grades, none, [60] * 3, "influence", seed, 3) for seed in range(6)]
    means, errors = averaged(replays)
    assert [point.judged for point in means] == [60, 120, 180]
    assert means[0].half_width > means[1].half_width > means[2].half_width
    assert 0.8 < means[-1].cover <= 1
    assert errors[-1].judged == 0
    perfect = replayed(target, grades, grades[None].astype(float), [60] * 3, "influence", 0, 3)
    assert perfect[-1].half_width < means[-1].half_width / 2


def test_judgments_are_read_off_the_line_between_points() -> None:
    points = [Point(judged, tau, 0, 0, 0, 0) for judged, tau in ((100, 0.8), (200, 0.9), (300, 0.95))]
    assert judgments_for(points, 0.85) == pytest.approx(150)
    assert judgments_for(points, 0.7) == 100
    assert judgments_for(points, 0.99) is None
