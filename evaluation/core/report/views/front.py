"""The first page that files and terminals show: by the first measure, for the family that stands out."""

from evaluation.core.findings.results import FamilyFinding
from evaluation.core.report.findings import Findings
from evaluation.core.report.views.first_page import FirstPage, first_page


def front_page(findings: Findings) -> FirstPage:
    """The first page by the first measure, for the family that stands out."""
    measure = findings.facts.measures[0]
    return first_page(findings, measure, front_family(findings, measure))


def front_family(findings: Findings, measure: str) -> str | None:
    """The first family with CLIP in its name, the field's question; else the one that stands out.

    This is the family whose interval of a judge is farthest from 0, or the first by name; None without any.
    """
    families = findings.facts.families
    if clip := next((name for name in families if "clip" in name.casefold()), None):
        return clip
    shown = [
        finding
        for judge in findings.judges
        for finding in judge.families
        if finding.measure == measure
        and finding.family in families
        and (finding.verdict.is_above or finding.verdict.is_below)
    ]
    if shown:
        return max(shown, key=_distance).family
    return next(iter(families), None)


def _distance(finding: FamilyFinding) -> float:
    return max(finding.low or 0.0, -(finding.high or 0.0))
