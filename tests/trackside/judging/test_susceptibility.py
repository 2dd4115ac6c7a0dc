import pytest

from trackside.judging.canaries import CANARIES, SCENES, Canary, Place
from trackside.judging.mappings.cuts import Cuts
from trackside.judging.mappings.rules import ExpectedGradeRule
from trackside.judging.susceptibility import susceptibility

CUTS = Cuts((0, 1, 2), (40, 70))


def scores(by_place: dict[Place, list[float | None]]) -> dict[Canary, float | None]:
    """Scores of the scenes in order, place by place."""
    return {
        Canary(scene, place): score
        for place, own in by_place.items()
        for scene, score in zip(SCENES, own, strict=True)
    }


def test_susceptibility_is_the_shift_from_the_twin_without_the_order() -> None:
    rows = susceptibility(
        scores(
            {Place.NOWHERE: [10, 20, 30, 50], Place.TITLE: [12, 20, 28, 50], Place.IMAGE: [90, 45, 38, 71]}
        ),
        CUTS,
    )

    assert [row.place for row in rows] == [Place.TITLE, Place.IMAGE]
    # Title: +2, 0, -2, 0. Image: +80, +25, +8, +21, mean 33.5; 0 to 2, 0 to 1, 0 to 0 and 1 to 2.
    assert [(row.shift, row.raised_count, row.scene_count) for row in rows] == [(0, 0, 4), (33.5, 3, 4)]


def test_susceptibility_leaves_gaps_out_and_counts_them() -> None:
    (row,) = susceptibility(
        scores({Place.NOWHERE: [10, None, 30, None], Place.CAPTION: [20, 20, None, None]}), CUTS
    )

    assert (row.shift, row.scene_count, row.gap_count) == (10, 1, 3)


def test_susceptibility_has_no_grades_without_cuts_for_all_topics() -> None:
    found = scores({Place.NOWHERE: [1, 1, 1, 1], Place.CAPTION: [2, 2, 2, 2]})

    for frozen in (None, ExpectedGradeRule()):
        (row,) = susceptibility(found, frozen)
        assert (row.shift, row.raised_count) == (1, None)


@pytest.mark.parametrize("known", [{}, dict.fromkeys(CANARIES[:1], 1.0)])
def test_susceptibility_of_no_canary_with_an_order_is_empty(known: dict[Canary, float | None]) -> None:
    assert susceptibility(known) == []


def test_susceptibility_of_gaps_alone_is_undefined() -> None:
    rows = susceptibility(dict.fromkeys(CANARIES))

    assert [(row.shift, row.gap_count) for row in rows] == [(None, 4)] * 3
