"""Does each judge rate a family of runs above people's grades, and what would it take to be no favour?"""

from trackside.findings.results import FamilyFinding, TippingFinding
from trackside.reporting.findings import Findings
from trackside.reporting.sections.parts import NEW_TOPICS, POINTS, forest_figure, gaps_note, number
from trackside.reporting.study import Study
from trackside.reporting.tables import Cell, Column, Figure, P, Section, Selector, table_of
from trackside.reporting.views.sentences import takes_words
from trackside.statistics.estimate import Number

Named = tuple[str, FamilyFinding]
"""One judge's name and its finding on one family by one measure."""
COLUMNS = (
    Column("measure", selector=Selector.MEASURE),
    Column("judge"),
    Column("family", selector=Selector.FAMILY),
    Column("excess, points", POINTS, has_interval=True, estimand=NEW_TOPICS),
    Column("verdict"),
    Column("p", P),
    Column("p, Holm", P),
    Column("Delta by people, %", POINTS),
    Column("Delta by the judge, %", POINTS),
    Column("visible share", ".0%"),
    Column("people too low, grades", "z.2f"),
    Column("at least", "z.2f"),
    Column("tipping point"),
    Column("p over teams", P),
    Column("degrees of freedom", ".1f"),
    Column("in general"),
)
NOTES = (
    "Delta: Relative Delta, 2 (mean of the family − mean of the others) / (sum of both). Excess: the judge's "
    "Delta minus that of run-blind judges, whose grades are the judge's, shuffled within topic and people's "
    "grade. Its interval is at level 1 − .05 / (families that can be tested), and the verdict follows from "
    "its ends. Visible share: how much of a favour of one grade to all of the family's results the excess "
    "can show.",
    "People too low: an excess is a favour unless people and the second assessor both grade a result that "
    "all of the family and none of the others have in their first ten this much too low; at least: its lower "
    "end. Tipping point: the fewest results about which people would have to be wrong to end the excess. In "
    "general: needs p and p over teams of at most .05. `trackside check-favour` lists the "
    "results that a third person's grades would narrow it by most, and a site makes a pool of them.",
)


def families_section(study: Study, findings: Findings) -> Section | None:
    """The excess of every judge, family and measure, what it would take, and on other teams."""
    rows = [(judge.name, finding) for judge in findings.judges for finding in judge.families]
    if not rows:
        return None
    ordered = sorted(rows, key=lambda row: study.measures.index(row[1].measure))
    cells = (_cells(*row) for row in ordered)
    table = table_of("families", "Each judge and each family of runs.", COLUMNS, cells, NOTES)
    figures = tuple(
        _figure(study, measure, family, rows, gaps_note(findings))
        for measure in study.measures
        for family in study.families
    )
    return Section("families", "Families", _sentences(study, rows), (table,), figures)


def _cells(judge: str, finding: FamilyFinding) -> tuple[Cell, ...]:
    takes, general = finding.takes, finding.general
    return (
        finding.measure,
        judge,
        finding.family,
        _excess(finding),
        finding.verdict.replace("_", " "),
        finding.p,
        finding.p_holm,
        finding.people_delta,
        finding.judge_delta,
        finding.visible_share,
        takes.too_low if takes else None,
        takes.at_least if takes else None,
        _tipping(finding.tipping),
        general.p,
        general.freedom,
        general.verdict.replace("_", " "),
    )


def _excess(finding: FamilyFinding) -> Number:
    return number(finding.excess, finding.low, finding.high, finding.reason, level=finding.level)


def _tipping(tipping: TippingFinding | None) -> str | None:
    """The fewest errors of people that would end the excess, of how many results."""
    if tipping is None or not tipping.candidate_count:
        return None
    fewest = "more than all" if tipping.fewest is None else f"{tipping.fewest:,}"
    return f"{fewest} of {tipping.candidate_count:,}"


def _sentences(study: Study, rows: list[Named]) -> tuple[str, ...]:
    """What each excess above people would take, of every judge and family by the first measure."""
    measure = study.measures[0]
    said = ((judge, finding, takes_words(finding)) for judge, finding in rows if finding.measure == measure)
    return tuple(f"{judge}, {finding.family}: {words}." for judge, finding, words in said if words)


def _of(measure: str, family: str | None, rows: list[Named]) -> list[Named]:
    return [row for row in rows if (row[1].measure, row[1].family) == (measure, family)]


def _figure(study: Study, measure: str, family: str, rows: list[Named], gaps: str) -> Figure:
    series, margin = study.series, study.design.margins.points
    return forest_figure(
        "excess",
        [(judge, series[judge], _excess(finding)) for judge, finding in _of(measure, family, rows)],
        POINTS,
        title=f"Excess of each judge for {family} runs by {measure}",
        axis=f"excess for {family} runs, points of Relative Delta",
        caption=f"With its interval; grey: the margin of {margin:g} points.{gaps}",
        table="families",
        measure=measure,
        family=family,
        band=(-margin, margin),
    )
