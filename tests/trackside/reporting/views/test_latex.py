"""The table of the first page in LaTeX."""

from tests.trackside.reporting.study import small_study, wide_study
from trackside.reporting.build import build_report
from trackside.reporting.views.first_page import first_page
from trackside.reporting.views.latex import latex_table


def test_people_come_first_and_each_judge_has_a_row() -> None:
    page = first_page(build_report(small_study(), code_version="x"), "nDCG@10", "CLIP")
    lines = latex_table(page).splitlines()
    body = lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")]
    assert [line.split(" & ")[0] for line in body] == ["second", "clip"]
    assert {line.count("&") for line in body} == {5}
    assert r"95 \%" in lines[4]
    assert "$-$4.0" in body[1]


def test_the_excess_is_left_out_without_a_family() -> None:
    page = first_page(build_report(wide_study(), code_version="x"), "AP", None)
    assert "excess" not in latex_table(page)
    assert "{lrlrl}" in latex_table(page)
