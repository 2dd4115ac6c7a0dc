"""Series keep their class, mark and rules."""

import re
from itertools import combinations

import numpy as np
import pytest

from trackside.figures.series import PLACES, RULES, mark_kind, mark_place, series_classes, series_mark

JUDGES = [f"j{place}" for place in range(1, PLACES + 1)]


def _classes(*sets: tuple[str, int | None]) -> list[str]:
    """Classes of sets by kind and number."""
    return list(series_classes((f"set {place}", *each) for place, each in enumerate(sets)).values())


def test_people_come_first_and_judges_are_counted_among_themselves() -> None:
    kinds = ["human", "second", "model", "model"]
    assert _classes(*((kind, None) for kind in kinds)) == ["p1", "p2", "j1", "j2"]


def test_a_judge_keeps_its_class_when_another_comes_before_it_by_name() -> None:
    assert _classes(("human", None), ("model", 1)) == ["p1", "j1"]
    assert _classes(("human", None), ("model", 2), ("model", 1)) == ["p1", "j2", "j1"]


def test_the_thirteenth_judge_looks_like_the_first() -> None:
    assert _classes(("human", None), *(("model", number) for number in range(1, 14)))[-1] == "j1"


def test_every_place_has_its_own_centred_mark() -> None:
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


def test_a_second_assessor_is_a_ring_of_people_and_the_family_in_focus_a_triangle() -> None:
    assert (mark_kind("p2"), mark_kind("p1"), mark_kind("j3", is_filled=False)) == ("p2 sh", "p1 sf", "j3 sh")
    assert mark_place("fam") == 2


@pytest.mark.parametrize("name", ["p1", "p2", *(f"j{place}" for place in range(1, PLACES + 1)), "fam", "oth"])
def test_standalone_file_has_rules_for_every_class(name: str) -> None:
    for kind in ("sl", "sf", "sh"):
        assert f".{name}.{kind}{{" in RULES


def drawn_mark(place: int) -> np.ndarray:
    """Pixels of a mark's area: those with an odd number of its edges to the right."""
    x, y = np.meshgrid(*[np.linspace(-1.6, 1.6, 65) + 1e-6] * 2)
    if place == 1:
        disc: np.ndarray = x**2 + y**2 <= 1
        return disc
    path = series_mark(place, 0, 0, radius=1)
    corners = [tuple(map(float, each.split())) for each in re.findall(r"[-\d.]+ [-\d.]+", path)]
    is_in = np.zeros(x.shape, dtype=bool)
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if y1 != y2:
            is_in ^= ((y1 > y) != (y2 > y)) & (x < (x2 - x1) * (y - y1) / (y2 - y1) + x1)
    return is_in


def drawn_line(name: str) -> np.ndarray:
    """A line of 480 px in quarters of a pixel: True where it has ink."""
    rule = re.search(rf"\.{name}\.sl{{[^}}]*stroke-dasharray:([\d ]+)", RULES)
    ends = np.cumsum([float(each) for each in rule[1].split()] if rule else [480])
    has_ink: np.ndarray = np.searchsorted(ends, np.arange(0, 480, 0.25) % ends[-1], side="right") % 2 == 0
    return has_ink


def contrast_with_white(name: str) -> float:
    """WCAG's contrast of a line's luminance: a grey print shows nothing else of its colour."""
    rule = re.search(rf"\.{name}\.sl{{stroke:#(\w{{6}})", RULES)
    assert rule
    parts = [int(rule[1][at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts]
    return 1.05 / (float(np.dot(linear, [0.2126, 0.7152, 0.0722])) + 0.05)


@pytest.mark.parametrize(("one", "other"), [*combinations(range(1, PLACES + 1), 2)])
def test_two_judges_differ_in_a_grey_print(one: int, other: int) -> None:
    first, second = drawn_mark(one), drawn_mark(other)
    assert (first ^ second).sum() / (first | second).sum() > 0.12, "marks"
    line, beside = drawn_line(f"j{one}"), drawn_line(f"j{other}")
    least = min((line != np.roll(beside, shift)).mean() for shift in range(0, 200, 2))
    assert least > 0.15, "dashes, however they are shifted"


@pytest.mark.parametrize("name", JUDGES)
def test_judges_are_seen_in_a_grey_print(name: str) -> None:
    assert contrast_with_white(name) > 3
