from evaluation.core.figures.axes import Frame
from evaluation.core.figures.histogram import histogram

FRAME = Frame(width=120, height=120, left=10, right=110, top=10, bottom=110)


def test_bars_are_as_high_as_their_count() -> None:
    # Two steps of fifty units; the fuller one fills the height of a hundred, the other a quarter of it.
    chart = histogram([(0.0, 0.5, 4), (0.5, 1.0, 1)], frame=FRAME)
    assert [(bar.x, bar.y, bar.width, bar.height) for bar in chart.bars] == [
        (10.0, 10.0, 49.0, 100.0),
        (60.0, 85.0, 49.0, 25.0),
    ]


def test_empty_steps_have_no_bar() -> None:
    chart = histogram([(0.0, 0.5, 0), (0.5, 1.0, 2)], frame=FRAME)
    assert [bar.count for bar in chart.bars] == [2]
    assert histogram([(1.0, 1.0, 0)], frame=FRAME).bars == ()
