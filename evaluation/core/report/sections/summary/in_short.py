"""The summary of the report: one finding for each judge, and the table of judges, from other sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.core.report.favour.favours import FOUND
from evaluation.core.report.favour.reversal import condition_of, verb_of
from evaluation.core.report.tables import (
    Column,
    Conclusion,
    ConclusionCode,
    CorrectionScope,
    Number,
    Section,
    Table,
)
from evaluation.core.report.sections.summary.first_figures import (
    TAU,
    first_figures,
    listed,
    nearest_judge,
    none_nearest,
    of_models,
)
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.ranks import TIE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.report.tables import Cell, Findings
    from evaluation.core.report.study import Study

EVERY = "all"  # family of the rows that every filter shows

JUDGES = (
    Column("measure"),
    Column("family"),
    Column("judge"),
    Column("kind"),
    Column("runs", ",d"),
    Column("topics", ",d"),
    Column("items", ",d"),
    Column("tau", "z.2f", has_interval=True, estimand="tau-b of means; interval: equally many other topics"),
    Column("rho", "z.2f", has_interval=True),
    Column("r", "z.2f", has_interval=True),
    Column("noise ceiling", "z.2f", estimand="tau of people with people on equally many other topics"),
    Column(
        "kappa", "z.2f", has_interval=True, estimand="pooled over items; interval: new topics of this kind"
    ),
    Column("ceiling of kappa", "z.2f"),
    Column("difference in Relative Delta", "+z.1f", has_interval=True),
    Column("run-blind judges", "+z.1f", has_interval=True),
    Column("excess, points", "+z.1f", has_interval=True),
    Column("p, corrected", "p", role=CorrectionScope.DECLARED),
    Column("p, deciding", "p", role=CorrectionScope.EXPLORATORY),
    Column("order"),
    Column("favour"),
    Column("would show", ".0f", estimand="excess found in 8 of 10 cases or more, uncorrected"),
)


def in_short_section(study: Study, findings: Findings) -> Section:
    """The first section, built from the findings of all other sections."""
    if not study.others:
        return Section("in-short", "In short", tables=(_leaders(study, findings),))
    judges = Table("judges", "How close each judge is to people.", JUDGES, tuple(_rows(study, findings)))
    tables = (_leads(study, judges), _sentences(judges), judges)
    return Section("in-short", "In short", (), tables, tuple(first_figures(study, judges)))


def _rows(study: Study, findings: Findings) -> Iterator[tuple[Cell, ...]]:
    for measure in study.measures:
        for family in study.families or [EVERY]:
            for judge in study.others:
                yield tuple(_row(study, findings, measure, family, judge).values())


def _row(study: Study, findings: Findings, measure: str, family: str, judge: int) -> dict[str, Cell]:
    name = study.name(judge)
    order = findings.record("order", measure=measure, judge=name)
    grades = findings.record("agreement", judge=name)
    favour = findings.record("bias", measure=measure, judge=name, family=family)
    found = order | grades | favour
    own: dict[str, Cell] = {
        "measure": measure,
        "family": family,
        "judge": name,
        "kind": str(study.sets[judge].facts["kind"]),
        "runs": order.get("runs"),
        "topics": order.get("topics"),
        "items": grades.get("items"),
        "order": order.get("verdict"),
        "favour": favour.get("verdict"),
    }
    return {column.name: own.get(column.name, found.get(column.name)) for column in JUDGES}


def _sentences(judges: Table) -> Table:
    """One sentence for each judge, with the number that decides it."""
    columns = (
        Column("measure"),
        Column("family"),
        Column("judge"),
        Column("finding"),
        Column("number"),
        Column("what it is"),
    )
    rows = tuple(
        (record["measure"], record["family"], record["judge"], _sentence(record), *_deciding(judges, record))
        for record in judges.records()
    )
    return Table("in-short", "One finding for each judge.", columns, rows)


def _sentence(record: dict[str, Cell]) -> str:
    parts = []
    for name in ("order", "favour"):
        verdict = record[name]
        if isinstance(verdict, Conclusion):
            parts.append(_favour_words(record, verdict) if name == "favour" else verdict.words)
    sentence = "; ".join(parts) + "."
    return sentence[0].upper() + sentence[1:]


def _favour_words(record: dict[str, Cell], verdict: Conclusion) -> str:
    if verdict.outcome in FOUND:
        return f"{verdict.words} beyond what a run-blind judge would show"
    if verdict.outcome is ConclusionCode.NO_SIGN:
        return f"shows no sign of favouring {record['family']} runs"
    about = f"whether it favours {record['family']} runs"
    if verdict.outcome is ConclusionCode.CANNOT_TELL:
        return verdict.words.replace("cannot be told", f"{about} cannot be told", 1)
    return f"{about} is {verdict.words}"


def _deciding(judges: Table, record: dict[str, Cell]) -> tuple[str, str]:
    """The number behind the sentence: the excess if a favour was found, else tau."""
    favour = record["favour"]
    is_found = isinstance(favour, Conclusion) and favour.outcome in FOUND
    name = "excess, points" if is_found else "tau"
    number = record[name]
    column = next(each for each in judges.columns if each.name == name)
    if not isinstance(number, Number) or number.value is None:
        return column.text(number), name
    value = column.text(Number(number.value)) + (" points" if is_found else "")
    words = f"{'excess' if is_found else 'tau'}, {_interval_words(column, number)}"
    p = _p_words(judges, "p, corrected" if is_found else "p, deciding", record)
    return value, f"{words}, {p}" if p else words


def _p_words(judges: Table, name: str, record: dict[str, Cell]) -> str:
    """The p by which the sentence was decided; empty if the test is undefined."""
    p = record[name]
    column = next(each for each in judges.columns if each.name == name)
    if not isinstance(p, Number) or p.value is None:
        return ""
    shown = column.text(p)
    return f"p {shown}" if shown.startswith("<") else f"p = {shown}"


def _interval_words(column: Column, number: Number) -> str:
    if number.missing:
        return f"no interval: {number.missing.words}"
    low, high = (column.text(Number(each)) for each in (number.low, number.high))
    return f"{low} to {high}"


def _leads(study: Study, judges: Table) -> Table:
    """One sentence on all models, or on all judges if none is a model."""
    columns = (Column("measure"), Column("family"), Column("finding"))
    rows = []
    for measure in study.measures:
        for family in study.families or [EVERY]:
            records = list(judges.where(measure=measure, family=family).records())
            models = of_models(records)
            words = "; ".join(filter(None, (_nearest(models), _favourers(models, family)))) + "."
            rows.append((measure, family, words[0].upper() + words[1:]))
    return Table("lead", "The report in one sentence.", columns, tuple(rows))


def _nearest(records: list[dict[str, Cell]]) -> str:
    found = nearest_judge(records)
    if not any(isinstance(each["tau"], Number) and each["tau"].value is not None for each in records):
        return "no tau with people is defined"
    if found is None:
        return none_nearest(records)
    where = "" if found.is_highest else "where it can be told, "
    names, tau = listed(found.judges), TAU.text(found.tau)
    return f"{where}nearest to people's order of the runs {found.verb} {names} (tau {tau})"


def _favourers(records: list[dict[str, Cell]], family: str) -> str:
    by_outcome: dict[ConclusionCode, list[str]] = {}
    for each in records:
        if isinstance(each["favour"], Conclusion):
            by_outcome.setdefault(each["favour"].outcome, []).append(str(each["judge"]))
    parts = [
        f"{listed(names)} {verb_of(outcome)}{'s' * (len(names) == 1)} {family} runs{condition_of(outcome)}"
        for outcome in FOUND
        if (names := by_outcome.get(outcome))
    ]
    if parts or not by_outcome:
        return " and ".join(parts)
    if set(by_outcome) == {ConclusionCode.NO_SIGN}:
        return f"no sign that any judge favours {family} runs"
    if ConclusionCode.NO_SIGN in by_outcome:
        return f"no sign that any judge favours {family} runs, where it can be told"
    return f"whether any judge favours {family} runs cannot be told"


def _leaders(study: Study, findings: Findings) -> Table:
    """Without judges: the best run by people's grades, and the runs not significantly worse than it."""
    columns = (Column("measure"), Column("family"), Column("finding"))
    top = findings.table("top-group")
    rows: list[tuple[Cell, ...]] = []
    for at, measure in enumerate(study.measures):
        record = top.record(measure=measure, qrels=study.name(PEOPLE)) if top else None
        words = "No run has a value on every topic."
        if record and record["first"]:
            words = _only_or_level(study, at) or _leader_words(record)
        rows.append((measure, EVERY, words))
    return Table("lead", "The report in one sentence.", columns, tuple(rows))


def _only_or_level(study: Study, at: int) -> str:
    """The finding if there is one run, or if several have the highest mean; else empty."""
    shared = study.shared_values(at, PEOPLE)
    (means,) = shared.means()
    first = [study.tags[run] for run in shared.runs[means >= means.max() - TIE]]
    if shared.runs.size == 1:
        only = "the only run" if len(study.runs) == 1 else "the only run with a value on every topic"
        return f"{first[0]} is {only}."
    return f"{listed(first)} lead with the same mean." if len(first) > 1 else ""


def _leader_words(record: dict[str, Cell]) -> str:
    first, others = str(record["first"]), str(record["not told from"])
    if record["tested"] == "no":
        return f"{first} leads; over one topic no difference can be tested."
    if not others:
        return f"{first} leads; it is significantly better than every other run."
    return f"{first} leads; it is not significantly better than {others}."
