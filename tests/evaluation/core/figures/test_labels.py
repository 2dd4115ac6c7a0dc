"""Direct labels keep their distance, their order and their bounds."""

from itertools import pairwise

import pytest

from evaluation.core.figures.labels import place_labels, short_names, spread
from evaluation.core.figures.text_width import fitted, fitted_apart, text_width


def test_places_that_are_apart_stay() -> None:
    assert spread([10, 40, 90], low=0, high=100, gap=15) == [10, 40, 90]


def test_places_that_meet_move_apart_about_their_middle() -> None:
    # Two at 50 with a gap of 10 are moved to 45 and 55.
    assert spread([50, 50], low=0, high=100, gap=10) == [45, 55]


@pytest.mark.parametrize("wanted", [[0, 0, 0], [100, 100, 100], [0, 1, 99, 100], [50] * 30])
def test_places_stay_within_their_bounds_in_order(wanted: list[float]) -> None:
    found = spread(wanted, low=0, high=100, gap=10)
    assert found == sorted(found)
    assert min(found) >= 0
    assert max(found) <= 100
    gaps = [other - one for one, other in pairwise(found)]
    assert min(gaps) >= min(10, 100 / (len(wanted) - 1)) - 0.11


def test_labels_are_in_the_order_of_their_lines() -> None:
    labels = place_labels([("low", 9, 80), ("high", 9, 20)], low=0, high=100)
    assert [label.name for label in labels] == ["high", "low"]


def test_short_names_are_whole_words_that_distinguish_names() -> None:
    names = ["clip-four-fields", "clip-context-only", "llava-after-2024", "clip"]
    assert short_names(names) == {
        "clip-four-fields": "clip-four",
        "clip-context-only": "clip-context",
        "llava-after-2024": "llava",
        "clip": "clip",
    }


def test_fitted_text_is_cut_to_its_width() -> None:
    assert fitted("short", 100) == "short"
    cut = fitted("a-very-long-name-of-a-judge", 60)
    assert cut.endswith("…")
    assert text_width(cut) <= 60
    assert fitted("anything", 0) == ""


def test_names_that_are_cut_still_differ() -> None:
    names = ["judge-number-1.qrels", "judge-number-12.qrels", "short", "clip-four-fields-chunk-mean"]
    cut = fitted_apart(names, 100)
    assert (len(set(cut)), cut[2], cut[3][-1]) == (4, "short", "…")
    assert cut[0].endswith("1.qrels")
    assert all(text_width(text) <= 100 for text in cut)
    assert fitted_apart(["aaaa-bbbb", "aaaa-cccc"], 0) == ["", ""]
