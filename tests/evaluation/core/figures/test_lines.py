import pytest

from evaluation.core.figures.axes import Frame
from evaluation.core.figures.labels import label_room
from evaluation.core.figures.lines import lines

FRAME = Frame(width=120, height=120, left=10, right=110, top=10, bottom=110)


def test_lines_are_placed_on_the_axes_given() -> None:
    # x from 0 to 1 is 10 to 90, left of the label; y from 0 to 2 is 110 to 10.
    chart = lines(
        {"a": [(0, 0), (0.5, 2), (1, 1)]}, series={"a": "fam"}, across=(0, 1), up=(0, 2), frame=FRAME
    )
    assert chart.frame.right == pytest.approx(110 - label_room(["a"]))
    right, middle = round(chart.frame.right, 1), round((10 + chart.frame.right) / 2, 1)
    assert chart.lines[0].path == f"M10 110L{middle:g} 10L{right:g} 60"
    assert [(label.text, label.x, label.y) for label in chart.labels] == [("a", right, 60)]


def test_points_that_fall_together_are_one() -> None:
    chart = lines(
        {"a": [(0, 0), (0.00001, 0), (1, 2)]}, series={"a": "fam"}, across=(0, 1), up=(0, 2), frame=FRAME
    )
    assert chart.lines[0].path.count("L") == 1


def test_a_line_without_points_draws_nothing() -> None:
    chart = lines({"a": []}, series={"a": "fam"}, across=(0, 1), up=(0, 2))
    assert (chart.lines[0].path, chart.labels) == ("", ())
