from evaluation.core.figures.scatter import Line, RunPoint, scatter

FIRST, SECOND = RunPoint("first", 1, 0.5, 0.6), RunPoint("second", 2, 0.2, 0.4)


def test_runs_stand_where_their_values_say() -> None:
    figure = scatter([FIRST, SECOND], across=(0.0, 1.0), up=(0.0, 1.0))
    circle, triangle = figure.marks
    # The plot is 262 wide from 30 and 242 high from 264 upwards.
    assert (circle.x, circle.y, circle.path) == (161.0, 118.8, None)
    assert (triangle.x, triangle.y) == (82.4, 167.2)
    assert triangle.path is not None
    assert triangle.run is SECOND


def test_the_line_of_equal_values_is_the_diagonal_of_shared_axes() -> None:
    assert scatter([FIRST, SECOND]).identity == Line(30, 264, 292, 22)


def test_the_line_of_equal_values_is_cut_to_what_both_axes_show() -> None:
    assert scatter([FIRST], across=(0.0, 1.0), up=(0.5, 1.0)).identity == Line(161, 264, 292, 22)
    assert scatter([FIRST], across=(0.0, 0.3), up=(0.5, 1.0)).identity is None


def test_no_run_or_one_run_still_has_axes() -> None:
    assert scatter([]).marks == ()
    assert len(scatter([FIRST]).x_ticks) > 0
