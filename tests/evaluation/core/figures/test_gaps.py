from evaluation.core.figures.axes import Frame
from evaluation.core.figures.gaps import gap_bars

# 100 wide, 100 high: easy to place by hand.
FRAME = Frame(width=120, height=120, left=10, right=110, top=10, bottom=110)


def test_gap_bars_go_up_from_zero_for_a_gain_and_down_for_a_loss() -> None:
    # From -0.5 to 0.5 on 100 units: zero at 60, +0.25 at 35, -0.5 at 110. Four places of 25, bars of 17.5.
    chart = gap_bars([("T1", 0.25), ("T2", -0.5), ("T3", 0.0), ("T4", None)], up=(-0.5, 0.5), frame=FRAME)
    assert chart.zero == 60
    assert [bar.path for bar in chart.bars] == ["M10 60V35h17.5V60z", "M35 60V110h17.5V60z", "", ""]
    assert [bar.series for bar in chart.bars] == [1, 2, 1, 1]


def test_gap_bars_always_show_zero() -> None:
    # All losses: the axis goes from -0.4 up to 0, at the top.
    assert gap_bars([("T1", -0.4)], up=(-0.4, -0.1), frame=FRAME).zero == 10
