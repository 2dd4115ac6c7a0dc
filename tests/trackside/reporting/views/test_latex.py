"""The table of uses in LaTeX."""

from tests.trackside.reporting.study import small_study
from trackside.reporting.build import build_report
from trackside.reporting.views.first_page import first_page
from trackside.reporting.writers.files import latex_table


def test_people_come_first_and_each_judge_has_a_row() -> None:
    page = first_page(build_report(small_study(), code_version="x"))
    lines = latex_table(page).splitlines()
    body = lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")]
    assert [line.split(" & ")[0] for line in body] == ["second", "clip"]
    assert {line.count(" & ") for line in body} == {5}
    assert "Cannot tell" in body[1]
    assert "Cannot tell" not in body[0]  # people have no verdict
