"""A report as text: every number of its content in its place, and words where there is no number.

The content is tests/evaluation/report_content.py; what stands in the tables was read off it by hand.
"""

from typing import Any

import pytest

from evaluation.cli.report_tables import NotInReport, report_lines
from tests.evaluation.report_content import report_content


def sections(content: dict[str, Any], **choice: str) -> dict[str, list[list[str]]]:
    """The cells of each table by its title, each row split where columns part."""
    found: dict[str, list[list[str]]] = {}
    title = ""
    for line in report_lines(content, **choice):
        if line.startswith("  "):
            found[title].append([cell.strip() for cell in line.split("  ") if cell.strip()])
        elif line:
            title = line
            found[title] = []
    return found


@pytest.fixture
def content() -> dict[str, Any]:
    return report_content()


def test_report_lines_open_with_what_is_compared(content: dict[str, Any]) -> None:
    opening = next(report_lines(content))
    assert opening == "3 runs. People graded 38 items on 12 topics. Grades 0, 1, 2; relevant from 1."


def test_report_lines_show_correlations_or_why_there_are_none(content: dict[str, Any]) -> None:
    why = "undefined (all values are equal)"
    assert sections(content)["How near each judge comes to people: order of the runs"] == [
        ["judge", "measure", "tau", "rho", "r"],
        ["clipscore", "nDCG@10", "0.81", "0.81", "0.81"],
        ["clipscore", "AP", why, why, why],
    ]


def test_report_lines_show_agreement_and_confusion(content: dict[str, Any]) -> None:
    found = sections(content)
    assert found["Grades, on the items that both graded"][1] == ["clipscore", "12", "38", "0.31", "0.64"]
    assert found["Items by people's grade (rows) and by clipscore (columns)"] == [
        ["people", "0", "1", "2"],
        ["0", "20", "5", "1"],
        ["1", "2", "4", "1"],
        ["2", "0", "1", "4"],
    ]


def test_report_lines_show_the_bias_to_one_family(content: dict[str, Any]) -> None:
    title = "Relative Delta of {} runs against the others; bias is the judge's less people's"
    assert sections(content)[title.format("CLIP-based")][1:] == [
        ["clipscore", "nDCG@10", "−11.2", "+10.0", "+21.2", "0.3330", "all 3"],
        ["clipscore", "AP", "−11.2", "+10.0", "+21.2", "0.3330", "all 3"],
    ]
    assert sections(content, family="lexical")[title.format("lexical")][1][4] == "−21.2"


def test_report_lines_tell_drawn_arrangements_and_the_smallest_p(content: dict[str, Any]) -> None:
    bias = content["others"][0]["bias"]["nDCG@10"]["CLIP-based"]
    bias |= {"p": {"value": 0.00004, "reason": None}, "arrangements": 200_000, "is_exact": False}
    rows = sections(content)[
        "Relative Delta of CLIP-based runs against the others; bias is the judge's less people's"
    ]
    assert rows[1][-2:] == ["<0.0001", "drawn 200,000"]


def test_report_lines_summarise_raw_scores_by_peoples_grade(content: dict[str, Any]) -> None:
    """The quartiles of 0.1, 0.2, 0.3 are 0.15, 0.2 and 0.25, those of 0.4, 0.5 are 0.425, 0.45 and 0.475."""
    content["others"][0]["raw_scores"]["1"] = []
    assert sections(content)["Raw scores of clipscore by people's grade; its cuts are 0.280 and 0.420"] == [
        ["people", "items", "lowest", "q25", "median", "q75", "highest"],
        ["0", "3", "0.100", "0.150", "0.200", "0.250", "0.300"],
        ["1", "0", "–", "–", "–", "–", "–"],
        ["2", "2", "0.400", "0.425", "0.450", "0.475", "0.500"],
    ]


def test_report_lines_have_no_raw_scores_of_people(content: dict[str, Any]) -> None:
    content["others"][0] |= {"raw_scores": None, "thresholds": None}
    assert not any("Raw scores" in line for line in report_lines(content))


def test_report_lines_list_runs_best_first_by_the_chosen_measure(content: dict[str, Any]) -> None:
    content["reference_means"]["AP"] = {"clip-a": 0.1, "clip-b": 0.3, "bm25": None}
    found = sections(content, measure="AP")["Runs by mean AP, and their ranks"]
    assert found == [
        ["run", "team", "families", "people", "rank", "clipscore", "rank"],
        ["clip-b", "Kestrel", "CLIP-based", "0.3000", "1", "0.1250", "3"],
        ["clip-a", "Kestrel", "CLIP-based", "0.1000", "2", "0.1250", "2"],
        ["bm25", "Kestrel", "lexical", "–", "0.1250", "1"],  # no mean, so no rank among people
    ]


def test_report_lines_name_the_qrels(content: dict[str, Any]) -> None:
    assert sections(content)["Qrels"][1:] == [
        ["people", "1", "12", "38", "2", "–", "abababababab"],
        ["clipscore", "1", "12", "38", "2", "paper-2024", "abababababab"],
    ]


def test_report_lines_leave_bias_out_without_families(content: dict[str, Any]) -> None:
    content["families"] = []
    assert not any("Relative Delta" in line for line in report_lines(content))


@pytest.mark.parametrize("choice", [{"measure": "bpref"}, {"family": "dense"}])
def test_report_lines_refuse_what_is_not_in_the_report(
    content: dict[str, Any], choice: dict[str, str]
) -> None:
    with pytest.raises(NotInReport, match=r"Choose one of: (nDCG@10, AP|CLIP-based, lexical)\."):
        list(report_lines(content, **choice))
