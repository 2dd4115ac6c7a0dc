from itertools import pairwise

from evaluation.core.figures.bump import bump

RANKS = {"People": {"a": 1, "b": 2}, "Model": {"a": 2, "b": 1}}
SERIES = ["p1", "j1"]


def test_lines_go_from_rank_to_rank_with_the_focus_on_top() -> None:
    figure = bump(RANKS, SERIES, frozenset("a"))
    second, first = figure.lines
    left, right, top = figure.frame.left, figure.frame.right, figure.frame.top
    assert (first.tag, first.series) == ("a", "fam")
    assert [(stop.x, stop.y, stop.rank) for stop in first.stops] == [(left, top, 1), (right, top + 23, 2)]
    assert first.path == f"M{left:g} {top:g}L{right:g} {top + 23:g}"
    assert second.series == "oth"


def test_a_height_given_is_kept_for_any_number_of_runs() -> None:
    for count in (1, 2, 16, 100):
        ranks = {f"r{place}": place for place in range(1, count + 1)}
        figure = bump({"People": ranks, "Model": ranks}, SERIES, width=416, height=284)
        assert figure.frame.height == 284
        assert figure.frame.bottom <= 284


def test_names_of_runs_that_have_no_room_are_left_out_and_those_in_focus_are_kept() -> None:
    ranks = {f"r{place}": place for place in range(1, 101)}
    figure = bump({"People": ranks, "Model": ranks}, SERIES, frozenset({"r2"}), width=416, height=284)
    named = sorted((line.stops[0].y, line.name) for line in figure.lines if line.name)
    assert "r2" in {name for _, name in named}
    assert all(other[0] - one[0] >= 10.9 for one, other in pairwise(named))


def test_one_set_of_qrels_or_no_run_does_not_fail() -> None:
    assert len(bump({"People": {"a": 1}}, ["p1"]).lines[0].stops) == 1
    assert bump({}, []).lines == bump({"People": {}}, ["p1"]).lines == ()


def test_names_of_columns_that_would_overlap_are_in_several_rows() -> None:
    names = [f"judge number {number}" for number in range(12)]
    crowded = bump({name: {"a": 1} for name in names}, ["j1"] * 12, width=416, height=284)
    assert len({column.text_y for column in crowded.columns}) > 2
    assert len({column.text_y for column in bump(RANKS, SERIES).columns}) == 1
