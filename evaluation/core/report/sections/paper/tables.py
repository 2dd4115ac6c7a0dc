"""Tables and figures in the layout of the track paper of 2024, with a row for people.

Source: "Toward Automatic Relevance Judgment using Vision-Language Models for Image-Text Retrieval
Evaluation" (2024). Every cell of the tables is copied from another section.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.core.report.tables import Column, Section, Table
from evaluation.core.report.sections.paper.figures import distributions, paper_figures
from evaluation.core.report.study import PEOPLE

if TYPE_CHECKING:
    from evaluation.core.report.tables import Cell, Findings
    from evaluation.core.report.study import Study

EVERY = "all"
COEFFICIENTS = ("tau", "rho", "r")


def paper_section(study: Study, findings: Findings) -> Section:
    """Tables 2 and 3 and Figures 1 to 3, from the findings of the other sections."""
    scores = distributions(study)
    tables = (_orders(study, findings), _biases(study, findings), scores)
    figures = tuple(paper_figures(study, findings, scores))
    return Section("paper", "As in the track paper", (), tables, figures)


def _orders(study: Study, findings: Findings) -> Table:
    columns = (
        Column("measure"),
        Column("qrels"),
        *(
            Column(each, "z.2f", has_interval=True, estimand=_estimand(findings, "order", each))
            for each in COEFFICIENTS
        ),
    )
    rows: list[tuple[Cell, ...]] = []
    for measure in study.measures:
        records = [findings.record("order", measure=measure, judge=name) for name in _judges(study)]
        rows.append((measure, study.name(PEOPLE), _ceiling(records), None, None))
        for name, record in zip(_judges(study), records, strict=True):
            rows.append((measure, name, *(record.get(each) for each in COEFFICIENTS)))
    notes = (
        "Kendall's tau, Spearman's rho and Pearson's r between the runs under people and under each judge. "
        "The row of people has the noise ceiling on the most topics: the tau that people's own order "
        "would have with their order on equally many other topics.",
    )
    caption = "Table 2 of the paper: order of the runs by each judge and by people."
    return Table("paper-table-2", caption, columns, tuple(rows), notes)


def _ceiling(records: list[dict[str, Cell]]) -> Cell:
    """Noise ceiling of the judge with the most topics; judges on the same topics have the same ceiling."""
    widest = max(records, key=_topics, default={})
    return widest.get("noise ceiling")


def _biases(study: Study, findings: Findings) -> Table:
    columns = (
        Column("measure"),
        Column("family"),
        Column("qrels"),
        Column("kappa", "z.2f", has_interval=True, estimand=_estimand(findings, "agreement", "kappa")),
        Column("Relative Delta, %", "+z.1f", estimand=_estimand(findings, "bias", "judge, %")),
        Column("people on the same, %", "+z.1f", estimand=_estimand(findings, "bias", "people, %")),
        Column(
            "difference in Relative Delta",
            "+z.1f",
            has_interval=True,
            estimand=_estimand(findings, "bias", "difference in Relative Delta"),
        ),
    )
    rows: list[tuple[Cell, ...]] = []
    for measure in study.measures:
        widest = _widest(study, findings, measure)
        for family in study.families or [EVERY]:
            wanted = {"measure": measure, "family": family}
            peoples = findings.record("bias", judge=widest, **wanted).get("people, %")
            rows.append((measure, family, study.name(PEOPLE), None, peoples, peoples, None))
            for name in _judges(study):
                record = findings.record("bias", judge=name, **wanted)
                kappa = findings.record("agreement", judge=name).get("kappa")
                deltas = record.get("judge, %"), record.get("people, %")
                difference = record.get("difference in Relative Delta")
                rows.append((measure, family, name, kappa, *deltas, difference))
    notes = (
        "Cohen's kappa with people, and Relative Delta of the family under each set of qrels: 2 (mean of the "
        "family − mean of the others) / (sum of both), in per cent. Relative Delta is not a favour: a "
        "lenient judge lifts the weaker family. The table “bias” has the verdicts on favour.",
        "Each judge is compared with people on the topics and items that both graded. The row of people is "
        "that of the judge with the most topics.",
    )
    caption = "Table 3 of the paper: agreement with people and Relative Delta."
    return Table("paper-table-3", caption, columns, tuple(rows), notes)


def _widest(study: Study, findings: Findings, measure: str) -> str:
    """The judge that shares the most topics with people; the first of several."""
    return max(
        _judges(study), key=lambda name: _topics(findings.record("order", measure=measure, judge=name))
    )


def _topics(record: dict[str, Cell]) -> int:
    topics = record.get("topics")
    return topics if isinstance(topics, int) else 0


def _judges(study: Study) -> list[str]:
    return [study.name(judge) for judge in study.others]


def _estimand(findings: Findings, table: str, column: str) -> str:
    """The estimand of another section's column; empty if the table has no such column."""
    found = findings.table(table)
    return next((each.estimand for each in found.columns if each.name == column), "") if found else ""
