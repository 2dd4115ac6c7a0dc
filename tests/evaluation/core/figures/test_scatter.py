from evaluation.core.figures.scatter import Line, RunPoint, scatter
from evaluation.core.figures.series import series_mark

FIRST, SECOND = RunPoint("first", "j1", True, 0.5, 0.6), RunPoint("second", "j2", False, 0.2, 0.4)


def test_runs_are_placed_by_their_values() -> None:
    figure = scatter([FIRST, SECOND], across=(0.0, 1.0), up=(0.0, 1.0))
    disc, triangle = figure.marks
    # The plot is 240 wide from 40 and 242 high from 264 upwards.
    assert disc.path == series_mark(1, 160.0, 118.8)
    assert triangle.path == series_mark(2, 88.0, 167.2)
    assert triangle.run is SECOND


def test_the_line_of_equal_values_is_the_diagonal_of_shared_axes() -> None:
    assert scatter([FIRST, SECOND]).identity == Line(40, 264, 280, 22)


def test_the_line_of_equal_values_is_cut_to_what_both_axes_show() -> None:
    assert scatter([FIRST], across=(0.0, 1.0), up=(0.5, 1.0)).identity == Line(160, 264, 280, 22)
    assert scatter([FIRST], across=(0.0, 0.3), up=(0.5, 1.0)).identity is None


def test_no_run_or_one_run_still_has_axes() -> None:
    assert scatter([]).marks == ()
    assert len(scatter([FIRST]).x_ticks) > 0
