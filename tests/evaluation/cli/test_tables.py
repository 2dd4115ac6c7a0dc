from evaluation.cli.tables import aligned, tabbed


def test_columns_of_numbers_stand_right_and_others_left() -> None:
    rows = [["run", "items"], ["a", "1,234"], ["longer", "5"]]
    assert list(aligned(rows)) == ["run     items", "a       1,234", "longer      5"]
    assert list(aligned([])) == []


def test_tabs_and_line_ends_in_cells_become_blanks() -> None:
    assert list(tabbed([["a\tb", "c\nd"]])) == ["a b\tc d"]
