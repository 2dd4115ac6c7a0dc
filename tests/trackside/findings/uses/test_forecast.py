"""How many topics would tell: always more than there are, at most ten times as many, never of rank."""

from dataclasses import replace

import pytest

from tests.evaluation.made_uses import made_uses
from trackside.findings.use_results import TuneUse, UseCode
from trackside.findings.uses.forecast import with_forecasts
from trackside.findings.verdicts import Margins


def tuned(rate: float, half_width: float) -> int | None:
    """The forecast of an open rate on twelve topics, with the margin of a half."""
    use = TuneUse(code=UseCode.OPEN, rate=rate, low=rate - half_width, high=rate + half_width)
    return with_forecasts(made_uses(tune=use), Margins(), is_second_whole=True).tune.topics_needed


@pytest.mark.parametrize(
    ("half_width", "expected"),
    [
        (0.1001, 15),  # 12.02 topics, which is more than there are: rounded up
        (0.2, 50),  # (.2 / .1)^2 x 12 = 48
        (0.3162, 120),  # 119.98: nearly ten times
        (0.32, None),  # 122.9: more than ten times
    ],
)
def test_topics_grow_with_the_square_of_the_half_width(half_width: float, expected: int | None) -> None:
    assert tuned(0.6, half_width) == expected


def test_a_second_assessor_of_part_of_the_pairs_makes_no_forecast() -> None:
    """More topics of the same kind never close the use by them."""
    use = TuneUse(
        code=UseCode.OPEN,
        rate=0.4,
        low=0.1,
        high=0.7,
        second_difference=0.1,
        second_low=-0.15,
        second_high=0.35,
    )
    found = [
        with_forecasts(made_uses(tune=use), Margins(), is_second_whole=is_whole).tune.topics_needed
        for is_whole in (True, False)
    ]
    assert found == [20, None]  # (.25 / .2)^2 x 12 = 18.75


def test_a_closed_use_and_rank_have_no_forecast() -> None:
    uses = with_forecasts(made_uses(), Margins(), is_second_whole=True)
    assert uses.rank.topics_needed is None
    closed = replace(made_uses().best, code=UseCode.AS_PEOPLE)
    assert with_forecasts(made_uses(best=closed), Margins(), is_second_whole=True).best.topics_needed is None
