"""Does each judge rate a family of runs above people's grades, and is it the judge's favour?"""

from dataclasses import dataclass

from evaluation.core.figures.svg.forest import forest_svg
from evaluation.core.findings.results import FamilyFinding
from evaluation.core.report.findings import Findings
from evaluation.core.report.focus import focus_family, series_of
from evaluation.core.report.sections.parts import NEW_TOPICS, POINTS, forest_row, number
from evaluation.core.report.study import Study
from evaluation.core.report.tables import (
    Cell,
    Column,
    Figure,
    Number,
    P,
    Section,
    Selector,
    View,
    slug,
    table_of,
)
from evaluation.core.report.views.sentences import family_words, favour_words, general_words


@dataclass(frozen=True, slots=True)
class FamilyRow:
    """One judge's finding on one family by one measure."""

    judge: str
    finding: FamilyFinding

    @property
    def excess(self) -> Number:
        """The excess with its interval."""
        found = self.finding
        return number(found.excess, found.low, found.high, found.reason, level=found.level)

    @property
    def favour(self) -> Number | None:
        """The corrected coefficient of exposure; None where it is not estimated."""
        favour = self.finding.favour
        if favour is None or favour.corrected is None:
            return None
        return number(favour.corrected, favour.corrected_low, favour.corrected_high, favour.reason)

    @property
    def tipping(self) -> str | None:
        """The fewest errors of people that would end the excess, of how many results."""
        tipping = self.finding.tipping
        if tipping is None or not tipping.candidate_count:
            return None
        fewest = "more than all" if tipping.fewest is None else f"{tipping.fewest:,}"
        return f"{fewest} of {tipping.candidate_count:,}"


def _favour_verdict(row: FamilyRow) -> Cell:
    return row.finding.favour.verdict.replace("_", " ") if row.finding.favour else None


VIEWS: tuple[View[FamilyRow], ...] = (
    View(Column("measure", selector=Selector.MEASURE), lambda row: row.finding.measure),
    View(Column("judge"), lambda row: row.judge),
    View(Column("family", selector=Selector.FAMILY), lambda row: row.finding.family),
    View(Column("excess, points", POINTS, has_interval=True, estimand=NEW_TOPICS), lambda row: row.excess),
    View(Column("verdict"), lambda row: row.finding.verdict.replace("_", " ")),
    View(Column("p", P), lambda row: row.finding.p),
    View(Column("p, Holm", P), lambda row: row.finding.p_holm),
    View(Column("Delta by people, %", POINTS), lambda row: row.finding.people_delta),
    View(Column("Delta by the judge, %", POINTS), lambda row: row.finding.judge_delta),
    View(Column("visible share", ".0%"), lambda row: row.finding.visible_share),
    View(Column("favour, grades", "+z.2f", has_interval=True, estimand=NEW_TOPICS), lambda row: row.favour),
    View(Column("favour shown"), _favour_verdict),
    View(Column("tipping point"), lambda row: row.tipping),
    View(Column("p over teams", P), lambda row: row.finding.general.p),
    View(Column("degrees of freedom", ".1f"), lambda row: row.finding.general.freedom),
    View(Column("in general"), lambda row: row.finding.general.verdict.replace("_", " ")),
)
NOTES = (
    "Delta: Relative Delta, 2 (mean of the family − mean of the others) / (sum of both). Excess: the judge's "
    "Delta minus that of run-blind judges, whose grades are the judge's, shuffled within topic and people's "
    "grade. Its interval is at level 1 − .05 / (families that can be tested), and the verdict follows from "
    "its ends. Visible share: how much of a favour of one grade to all of the family's results the excess "
    "can show.",
    "Favour: what the judge adds to the grade of a result that all of the family and none of the others have "
    "in their first ten, with people's errors corrected by the second assessor's grades. Tipping point: the "
    "fewest results about which people would have to be wrong to end the excess. In general: needs p and p "
    "over teams of at most .05.",
)


def families_section(study: Study, findings: Findings) -> Section | None:
    """The excess of every judge, family and measure, with what is known of favour and of other teams."""
    rows = [FamilyRow(judge.name, finding) for judge in findings.judges for finding in judge.families]
    if not rows:
        return None
    ordered = sorted(rows, key=lambda row: study.measures.index(row.finding.measure))
    table = table_of("families", "Each judge and each family of runs.", VIEWS, ordered, NOTES)
    figures = tuple(
        _figure(study, measure, family, rows) for measure in study.measures for family in study.families
    )
    return Section("families", "Families", _sentences(study, rows), (table,), figures)


def _sentences(study: Study, rows: list[FamilyRow]) -> tuple[str, ...]:
    """The judge with the largest excess for the family in focus, by the first measure."""
    family = focus_family(study)
    largest = _largest(study.measures[0], family, rows)
    if largest is None:
        return ()
    finding = largest.finding
    phrases = (
        family_words(finding, study.design.margins.points),
        favour_words(finding),
        general_words(finding),
    )
    return tuple(f"{largest.judge} {phrase}." for phrase in phrases if phrase)


def _largest(measure: str, family: str, rows: list[FamilyRow]) -> FamilyRow | None:
    known = [
        row
        for row in rows
        if (row.finding.measure, row.finding.family) == (measure, family) and row.finding.low is not None
    ]
    return max(known, key=lambda row: abs(row.finding.excess or 0.0), default=None)


def _figure(study: Study, measure: str, family: str, rows: list[FamilyRow]) -> Figure:
    series, margin = series_of(study), study.design.margins.points
    chosen = [row for row in rows if (row.finding.measure, row.finding.family) == (measure, family)]
    largest = _largest(measure, family, rows)
    title = f"No excess of {family} runs has an interval"
    if largest:
        title = f"{largest.judge} {family_words(largest.finding, margin)}"
    name = slug("excess", family, measure=measure)
    svg = forest_svg(
        [forest_row(row.judge, series[row.judge], row.excess, POINTS) for row in chosen],
        name=name,
        title=title,
        desc=f"Excess of each judge for {family} runs by {measure}; the values are in the table.",
        axis=f"excess for {family} runs, points of Relative Delta",
        band=(-margin, margin),
    )
    caption = f"Excess by {measure} with its interval; grey: the margin of {margin:g} points."
    return Figure(name, title, caption, svg, "families", measure, family=family)
