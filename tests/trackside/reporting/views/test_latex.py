"""The table of the first page in LaTeX."""

from dataclasses import replace

import pytest

from tests.trackside.reporting.study import small_study, wide_study
from tests.trackside.reporting.views.made import MEASURE, PAIRS, findings, judge, order
from trackside.findings.results import RunPairs
from trackside.reporting.build import build_report
from trackside.reporting.views.first_page import first_page
from trackside.reporting.writers.files import latex_table, page_rows


def test_people_come_first_and_each_judge_has_a_row() -> None:
    page = first_page(build_report(small_study(), code_version="x"), "nDCG@10", "CLIP")
    lines = latex_table(page).splitlines()
    body = lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")]
    assert [line.split(" & ")[0] for line in body] == ["second (people)", "clip"]
    assert {line.count("&") for line in body} == {5}
    assert r"95 \%" in lines[4]
    assert "$-$4.0" in body[1]


@pytest.mark.parametrize(
    ("pairs", "shown"),
    [(PAIRS, "8 of 81"), (replace(PAIRS, told=0), "none told apart"), (None, "–")],
)
def test_pairs_are_reversed_only_where_people_tell_some_apart(pairs: RunPairs | None, shown: str) -> None:
    page = first_page(findings(judge(order=replace(order(), pairs=pairs))), MEASURE, None)
    assert page_rows(page)[-1][3] == shown


def test_the_excess_is_left_out_without_a_family() -> None:
    page = first_page(build_report(wide_study(), code_version="x"), "AP", None)
    assert "excess" not in latex_table(page)
    assert "{lrlrl}" in latex_table(page)
