from evaluation.core.figures.bump import Column, bump

RANKS = {"People": {"a": 1, "b": 2}, "Model": {"a": 2, "b": 1}}


def test_lines_go_from_rank_to_rank() -> None:
    figure = bump(RANKS, {"a": 1, "b": 2})
    assert figure.columns == (Column("People", 180), Column("Model", 660))
    first, second = figure.lines
    assert (first.tag, [(stop.x, stop.y, stop.rank) for stop in first.stops]) == (
        "a",
        [(180, 52, 1), (660, 75, 2)],
    )
    # Level where they leave and arrive: 480 * 0.4375 = 210 from each end.
    assert first.path == "M180 52C390 52 450 75 660 75"
    assert first.stops[0].path is None
    assert second.stops[0].path is not None


def test_the_frame_grows_by_a_row_a_run() -> None:
    sixteen = {f"r{place}": place for place in range(1, 17)}
    figure = bump({"People": sixteen, "Model": sixteen}, dict.fromkeys(sixteen, 1))
    assert figure.frame.height == 52 + 15 * 23 + 19


def test_one_set_of_qrels_or_no_run_does_not_fail() -> None:
    assert [stop.x for stop in bump({"People": {"a": 1}}, {"a": 1}).lines[0].stops] == [180]
    assert bump({}, {}).lines == bump({"People": {}}, {}).lines == ()


def test_names_that_would_meet_stand_in_two_lines() -> None:
    names = ["people", "second assessor", "clip-context-only", "clipscore-2021", "tiny-llava", "served"]
    crowded = bump({name: {"a": 1} for name in names}, {"a": 1})
    assert [column.name_y for column in crowded.columns] == [30, 13] * 3
    assert {column.name_y for column in bump(RANKS, {"a": 1, "b": 2}).columns} == {24}
