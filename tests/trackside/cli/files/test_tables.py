from trackside.cli.files.tables import aligned, tabbed
from trackside.text.latex import latex_escaped


def test_columns_of_numbers_are_aligned_right_and_others_left() -> None:
    rows = [["run", "items"], ["a", "1,234"], ["longer", "5"]]
    assert list(aligned(rows)) == ["run     items", "a       1,234", "longer      5"]
    assert list(aligned([])) == []


def test_tabs_and_line_ends_in_cells_become_blanks() -> None:
    assert list(tabbed([["a\tb", "c\nd"]])) == ["a b\tc d"]


def test_formulas_are_escaped_and_numbers_are_not() -> None:
    row = ["=1+1", "-x", "@SUM(A1)", "-0.05", "-0.05 to 0.01", "−3", "-1+1", "<0.0001 *"]
    (line,) = tabbed([row])
    assert line.split("\t") == ["'=1+1", "'-x", "'@SUM(A1)", *row[3:6], "'-1+1", row[7]]


def test_text_is_escaped_for_latex_character_by_character() -> None:
    assert latex_escaped(r"a_b\c~d^e {5 % of $x & #y}") == (
        r"a\_b\textbackslash{}c\textasciitilde{}d\textasciicircum{}e \{5 \% of \$x \& \#y\}"
    )
