import pytest

from evaluation.core.figures.marks import SERIES, mark_path


def test_the_first_series_is_a_circle_and_each_other_a_different_path() -> None:
    assert mark_path(1, 10, 10) is None
    paths = [mark_path(series, 10, 10) for series in range(2, SERIES + 1)]
    assert len(set(paths)) == SERIES - 1
    assert mark_path(2, 131.4, 60.6) == "M131.4 54.8l5.8 9.9h-11.6z"


def test_a_series_without_a_marker_is_refused() -> None:
    with pytest.raises(ValueError, match="series 5 has no marker"):
        mark_path(5, 0, 0)
