"""Walls end for people who lose grades on them and for nobody else, in made tasks."""

from dataclasses import replace

import pytest

from tests.simulations.wall_losses import AS_GOOD, QUARTER, Setting, rows_of

pytestmark = pytest.mark.whole

TASKS = 20


@pytest.mark.parametrize(
    ("setting", "figure", "least", "most"),
    [
        (AS_GOOD, "off", 0, 0.1),
        (QUARTER, "off within 1,000 singles", 0.8, 1),
        (replace(AS_GOOD, is_random=True, others=0.2), "praised", 0, 0),
        (Setting("random grades on walls", is_random_on_walls=True, others=0.2), "off", 0.8, 1),
    ],
)
def test_share_of_made_tasks(setting: Setting, figure: str, least: float, most: float) -> None:
    (row,) = rows_of((setting,), TASKS, seed=5)
    value = row.figures[figure]
    assert value is not None
    assert least <= value <= most
