import pytest

from evaluation.core.csv_cells import inert_cell


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_text_that_a_spreadsheet_would_run_is_quoted(text: str) -> None:
    assert inert_cell(text) == "'" + text


@pytest.mark.parametrize("value", ["kestrel-1", "", " =1", -0.25, None, 3])
def test_other_values_stay_as_they_are(value: object) -> None:
    assert inert_cell(value) is value
