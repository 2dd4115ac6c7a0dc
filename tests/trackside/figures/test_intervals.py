from trackside.figures.intervals import CELL, interval_column


def test_intervals_share_an_axis_over_all_of_them() -> None:
    # From 0.2 to 0.7, a 25th of 0.5 more at each end: 0.18 to 0.72 over 162 units from 4: 300 a unit.
    column = interval_column([(0.5, 0.4, 0.7, 1), (0.3, 0.2, 0.35, 2)])
    first, second = column.rows
    assert (first.low, first.dot, first.high) == (70.0, 100.0, 160.0)
    assert (second.low, second.dot, second.high) == (10.0, 40.0, 55.0)
    assert first.path != second.path.replace("40", "100")
    assert [tick.text for tick in column.ticks] == ["0.2", "0.4", "0.6"]


def test_a_run_without_value_draws_nothing() -> None:
    [row] = interval_column([(None, None, None, 2)]).rows
    assert (row.low, row.dot, row.high, row.path) == (None, None, None, "")
    assert CELL.width == 170
