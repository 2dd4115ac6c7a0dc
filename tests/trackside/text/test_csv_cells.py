import pytest

from trackside.text.csv_cells import escape_formula


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", "＠A1"])
def test_text_that_a_spreadsheet_would_run_is_quoted(text: str) -> None:
    assert escape_formula(text) == "'" + text


@pytest.mark.parametrize("value", ["kestrel-1", "", " =1", -0.25, None, 3])
def test_other_values_stay_as_they_are(value: object) -> None:
    assert escape_formula(value) is value
