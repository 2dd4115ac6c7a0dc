from trackside.figures.axes import Frame
from trackside.figures.bars import count_bars, gap_bars

# 100 wide, 50 high: easy to place by hand.
FRAME = Frame(width=120, height=70, left=10, right=110, top=10, bottom=60)


def test_bars_are_on_the_axis_with_the_largest_count_at_the_top() -> None:
    # Four places of 25; 0.7 of a place is 17.5. A count of 5 of 10 reaches half of 50 units: y = 35.
    placed = count_bars([("T1", 10), ("T2", 5), ("T3", 0), ("T4", 10)], frame=FRAME).bars
    assert [bar.path for bar in placed] == [
        "M10 60V10h17.5V60z",
        "M35 60V35h17.5V60z",
        "",
        "M85 60V10h17.5V60z",
    ]


def test_bars_of_a_single_topic_are_no_wider_than_24() -> None:
    assert count_bars([("T1", 3)], frame=FRAME).bars[0].path == "M10 60V10h24V60z"


def test_bars_label_the_axis_with_round_counts() -> None:
    # About two steps from 0 to 1,000: 0, 500, 1000.
    assert [(tick.at, tick.text) for tick in count_bars([("T1", 1000)], frame=FRAME).y_ticks] == [
        (60.0, "0"),
        (35.0, "500"),
        (10.0, "1,000"),
    ]


def test_bars_without_topics_are_an_empty_chart() -> None:
    assert count_bars([], frame=FRAME).bars == ()


# 100 wide, 100 high.
SQUARE = Frame(width=120, height=120, left=10, right=110, top=10, bottom=110)


def test_gap_bars_go_up_from_zero_for_a_gain_and_down_for_a_loss() -> None:
    # From -0.5 to 0.5 on 100 units: zero at 60, +0.25 at 35, -0.5 at 110. Four places of 25, bars of 17.5.
    chart = gap_bars([("T1", 0.25), ("T2", -0.5), ("T3", 0.0), ("T4", None)], up=(-0.5, 0.5), frame=SQUARE)
    assert chart.zero == 60
    assert [bar.path for bar in chart.bars] == ["M10 60V35h17.5V60z", "M35 60V110h17.5V60z", "", ""]
    assert [bar.series for bar in chart.bars] == [1, 2, 1, 1]


def test_gap_bars_always_show_zero() -> None:
    # All losses: the axis goes from -0.4 up to 0, at the top.
    assert gap_bars([("T1", -0.4)], up=(-0.4, -0.1), frame=SQUARE).zero == 10
