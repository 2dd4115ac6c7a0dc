from evaluation.core.figures.axes import Frame
from evaluation.core.figures.lines import lines

FRAME = Frame(width=120, height=120, left=10, right=110, top=10, bottom=110)


def test_lines_are_placed_on_the_axes_given() -> None:
    # x from 0 to 1 is 10 to 110, y from 0 to 2 is 110 to 10.
    chart = lines({"a": [(0, 0), (0.5, 2), (1, 1)]}, across=(0, 1), up=(0, 2), frame=FRAME)
    assert chart.lines[0].path == "M10 110L60 10L110 60"


def test_points_that_fall_together_are_one() -> None:
    chart = lines({"a": [(0, 0), (0.00001, 0), (1, 2)]}, across=(0, 1), up=(0, 2), frame=FRAME)
    assert chart.lines[0].path == "M10 110L110 10"


def test_a_line_without_points_draws_nothing() -> None:
    assert lines({"a": []}).lines[0].path == ""
