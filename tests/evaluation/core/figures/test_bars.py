from evaluation.core.figures.axes import Frame
from evaluation.core.figures.bars import bars

# 100 wide, 50 high: easy to place by hand.
FRAME = Frame(width=120, height=70, left=10, right=110, top=10, bottom=60)


def test_bars_are_on_the_axis_with_the_largest_count_at_the_top() -> None:
    # Four places of 25; 0.7 of a place is 17.5. A count of 5 of 10 reaches half of 50 units: y = 35.
    placed = bars([("T1", 10), ("T2", 5), ("T3", 0), ("T4", 10)], frame=FRAME).bars
    assert [bar.path for bar in placed] == [
        "M10 60V10h17.5V60z",
        "M35 60V35h17.5V60z",
        "M60 60V60h17.5V60z",
        "M85 60V10h17.5V60z",
    ]


def test_bars_of_a_single_topic_are_no_wider_than_24() -> None:
    assert bars([("T1", 3)], frame=FRAME).bars[0].path == "M10 60V10h24V60z"


def test_bars_label_the_axis_with_round_counts() -> None:
    # About two steps from 0 to 1,000: 0, 500, 1000.
    assert [(tick.at, tick.text) for tick in bars([("T1", 1000)], frame=FRAME).y_ticks] == [
        (60.0, "0"),
        (35.0, "500"),
        (10.0, "1,000"),
    ]


def test_bars_without_topics_are_an_empty_chart() -> None:
    assert bars([], frame=FRAME).bars == ()
