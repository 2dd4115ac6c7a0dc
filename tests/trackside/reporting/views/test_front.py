"""The family of the first page: the one that a judge rates farthest from people's grades."""

from dataclasses import replace

from tests.trackside.reporting.study import wide_study
from trackside.findings.results import FamilyFinding
from trackside.findings.verdicts import FamilyVerdict
from trackside.reporting.build import build_report
from trackside.reporting.views.first_page import front_page


def test_first_page_is_of_the_first_family_where_none_stands_out() -> None:
    page = front_page(build_report(wide_study(), code_version="x"))
    assert (page.measure, page.family) == ("nDCG@10", "a")


def changed(finding: FamilyFinding) -> FamilyFinding:
    """Families a and b with other intervals; the farther one of AP must not count."""
    match finding.measure, finding.family:
        case "nDCG@10", "a":
            return replace(finding, low=1.0, high=30.0, verdict=FamilyVerdict.ABOVE)
        case "nDCG@10", "b":
            return replace(finding, low=-9.0, high=-2.0, verdict=FamilyVerdict.BELOW)
        case "AP", "a":
            return replace(finding, low=9.0, high=10.0, verdict=FamilyVerdict.ABOVE)
    return finding


def test_first_page_is_of_the_family_whose_interval_is_farthest_from_zero() -> None:
    report = build_report(wide_study(), code_version="x")
    (judge,) = report.judges
    judge = replace(judge, families=tuple(map(changed, judge.families)))
    assert front_page(replace(report, judges=(judge,))).family == "b"


def test_first_page_without_families_has_none() -> None:
    report = build_report(wide_study(), code_version="x")
    bare = replace(report, facts=replace(report.facts, families=()))
    assert front_page(bare).family is None


def test_first_page_is_of_clip_based_runs_where_there_are_some() -> None:
    report = build_report(wide_study(), code_version="x")
    facts = replace(report.facts, families=("a", "b", "CLIP-based"))
    assert front_page(replace(report, facts=facts)).family == "CLIP-based"
