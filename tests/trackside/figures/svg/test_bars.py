import re
from typing import Any

from trackside.figures.axes import Frame
from trackside.figures.svg.bars import counts_svg, gaps_svg

NAMES: Any = {"name": "n", "title": "Title", "desc": "Desc."}
# 100 wide, 50 high: easy to place by hand.
FRAME = Frame(width=120, height=70, left=10, right=110, top=10, bottom=60)


def bars(svg: str) -> list[tuple[str, str, str]]:
    """Hover, series and path of each bar."""
    return re.findall(r'<title>([^<]*)</title><path class="(\w+) sb" d="([^"]*)"', svg)


def test_bars_are_on_the_axis_with_the_largest_count_at_the_top() -> None:
    # Four places of 25; 0.7 of a place is 17.5. A count of 5 of 10 reaches half of 50 units: y = 35.
    svg = counts_svg([("T1", 10), ("T2", 5), ("T3", 0), ("T4", 10)], frame=FRAME, **NAMES)
    assert bars(svg) == [
        ("T1: 10", "j1", "M10 60V10h17.5V60z"),
        ("T2: 5", "j1", "M35 60V35h17.5V60z"),
        ("T4: 10", "j1", "M85 60V10h17.5V60z"),
    ]


def test_bars_of_a_single_topic_are_no_wider_than_24() -> None:
    ((_, _, path),) = bars(counts_svg([("T1", 3)], frame=FRAME, **NAMES))
    assert path == "M10 60V10h24V60z"


def test_bars_label_the_axis_with_round_counts() -> None:
    # About two steps from 0 to 1,000: 0, 500, 1000.
    svg = counts_svg([("T1", 1000)], frame=FRAME, **NAMES)
    assert re.findall(r'y="([\d.]+)" class="e t2">([\d,]+)<', svg) == [
        ("64", "0"),
        ("39", "500"),
        ("14", "1,000"),
    ]


def test_bars_without_topics_are_an_empty_chart() -> None:
    assert bars(counts_svg([], frame=FRAME, **NAMES)) == []


# 100 wide, 100 high.
SQUARE = Frame(width=120, height=120, left=10, right=110, top=10, bottom=110)


def test_gap_bars_go_up_from_zero_for_a_gain_and_down_for_a_loss() -> None:
    # From -0.5 to 0.5 on 100 units: zero at 60, +0.25 at 35, -0.5 at 110. Four places of 25, bars of 17.5.
    gaps = [("T1", 0.25), ("T2", -0.5), ("T3", 0.0), ("T4", None)]
    svg = gaps_svg(gaps, up=(-0.5, 0.5), frame=SQUARE, **NAMES)
    assert bars(svg) == [
        ("T1: +0.2500", "j1", "M10 60V35h17.5V60z"),
        ("T2: −0.5000", "fam", "M35 60V110h17.5V60z"),
    ]
    assert 'class="ax" d="M10 60H110"' in svg


def test_gap_bars_always_show_zero() -> None:
    # All losses: the axis goes from -0.4 up to 0, at the top.
    svg = gaps_svg([("T1", -0.4)], up=(-0.4, -0.1), frame=SQUARE, **NAMES)
    assert 'class="ax" d="M10 10H110"' in svg
