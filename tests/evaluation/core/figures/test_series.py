"""Series keep their class, mark and rules."""

import re

import pytest

from evaluation.core.figures.series import PLACES, RULES, mark_place, series_classes, series_mark


def test_people_come_first_and_judges_are_counted_among_themselves() -> None:
    kinds = ["human", "second", "model", "model"]
    assert series_classes(kinds) == ["p1", "p2", "j1", "j2"]


def test_the_thirteenth_judge_looks_like_the_first() -> None:
    assert series_classes(["human", *["model"] * 13])[-1] == "j1"


def test_every_place_has_a_mark_of_its_own_around_its_middle() -> None:
    paths = [series_mark(place, 100, 50) for place in range(1, PLACES + 1)]
    assert len(set(paths)) == PLACES
    for path in paths[1:]:
        corners = [tuple(map(float, each.split())) for each in re.findall(r"[-\d.]+ [-\d.]+", path)]
        for place, middle in ((0, 100), (1, 50)):
            ends = [corner[place] for corner in corners]
            assert middle - 8 < min(ends) < middle < max(ends) < middle + 8


def test_people_have_the_mark_of_the_first_place() -> None:
    assert mark_place("p1") == 1
    assert mark_place("j7") == 7


@pytest.mark.parametrize("name", ["p1", "p2", *(f"j{place}" for place in range(1, PLACES + 1)), "fam", "oth"])
def test_a_file_of_its_own_has_rules_for_every_class(name: str) -> None:
    for kind in ("sl", "sf", "sh"):
        assert f".{name}.{kind}{{" in RULES
