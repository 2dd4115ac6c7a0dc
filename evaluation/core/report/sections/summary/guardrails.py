"""Checklist of published cautions on models as judges: the question of each, and this report's answer.

Sources: Faggioli et al., ICTIR 2023; Soboroff, Don't use LLMs to make relevance judgments, 2024; Clarke and
Dietz, LLM-based relevance assessment still can't replace human relevance assessment, 2024; Rahmani et al.,
LLMJudge, 2024; Alaofi et al., SIGIR-AP 2024; Buckley and Voorhees, SIGIR 2000.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.favour.related import related_runs
from evaluation.core.report.tables import (
    Column,
    Conclusion,
    ConclusionCode,
    CorrectionScope,
    Number,
    Section,
    Table,
)
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.estimate import Reason
from evaluation.core.statistics.ranks import TIE
from evaluation.core.text.counted import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.report.tables import Cell, Findings
    from evaluation.core.report.study import Study

EVERY = "all"
FEWEST_TOPICS = 25  # Buckley and Voorhees 2000: with fewer topics the order of two runs swaps too often
FEWEST_TEAMS = 5
FEWEST_RELEVANT = 3  # with fewer relevant items on a topic one item decides its value
MOST_GAPS = 0.01  # share of a judge's pairs without a grade

COLUMNS = (
    Column("guardrail"),
    Column("judge"),
    Column("what it asks"),
    Column("what this report found"),
    Column("state"),
)
GuardrailRow = tuple[str, Conclusion]
"""Text of the finding, and the state."""

MET = Conclusion(ConclusionCode.MET, "met")
CAUTION = Conclusion(ConclusionCode.CAUTION, "caution")
UNKNOWN = Conclusion(ConclusionCode.CANNOT_TELL, "unknown")


def guardrails_section(study: Study, findings: Findings) -> Section:
    """Rows of the whole report first, then those of each judge."""
    rows = [
        ("topics", EVERY, "Are there enough topics?", *_topics(study)),
        ("teams", EVERY, "Do the runs come from enough teams?", *_teams(study)),
        ("thin topics", EVERY, "Does each topic have enough relevant items?", *_thin(study)),
        ("second assessor", EVERY, "Is the agreement of people known?", *_human_agreement(study, findings)),
        ("many tests", EVERY, "Are the tests corrected for their number?", *_tests(findings)),
    ]
    for judge in study.others:
        rows += [
            (name, study.name(judge), asks, *found) for name, asks, found in _of_judge(study, findings, judge)
        ]
    table = Table("guardrails", "Published cautions on models as judges.", COLUMNS, tuple(rows))
    return Section("guardrails", "Guardrails", (_summary(table),), (table,))


def _of_judge(study: Study, findings: Findings, judge: int) -> Iterator[tuple[str, str, GuardrailRow]]:
    if study.sets[judge].facts.get("kind") == "model":
        yield "circularity", "Do runs use the judge's own model or team?", _circularity(study, judge)
        yield "judge as ranker", "Does the judge overrate its own ranking?", _ranker(study, findings, judge)
        yield "tuned on these topics", "Were the judge's grades fitted to these topics?", _tuned(study, judge)
        yield (
            "prompt injection",
            "Does prompt injection in items change its scores?",
            _injection(study, judge),
        )
    yield "gaps", "Does the judge grade every pair?", _gaps(study, judge)
    yield "leniency", "Does the judge give the grades that people give?", _leniency(study, findings, judge)


def _topics(study: Study) -> GuardrailRow:
    count = study.shared_topics(PEOPLE).size
    return (
        f"{counted(count, 'topic')}; at least {FEWEST_TOPICS} are required",
        MET if count >= FEWEST_TOPICS else CAUTION,
    )


def _teams(study: Study) -> GuardrailRow:
    if not all(run.team for run in study.runs):
        return "the team of some runs is not known", UNKNOWN
    count = len(set(study.teams))
    return (
        f"{counted(count, 'team')}; at least {FEWEST_TEAMS} are required",
        MET if count >= FEWEST_TEAMS else CAUTION,
    )


def _thin(study: Study) -> GuardrailRow:
    relevant = np.bincount(
        study.topic_of_pair[study.grades[PEOPLE] >= study.design.level], minlength=len(study.topics)
    )[study.is_judged[PEOPLE]]
    thin = int((relevant < FEWEST_RELEVANT).sum())
    have = f"{'has' if relevant.size == 1 else 'have'} fewer than {FEWEST_RELEVANT} relevant items"
    words = f"{thin:,} of {counted(relevant.size, 'topic')} {have}"
    return words, CAUTION if thin else MET


def _human_agreement(study: Study, findings: Findings) -> GuardrailRow:
    table = findings.table("agreement")
    for judge in study.others:
        if study.sets[judge].facts.get("kind") == "second":
            kappa = ((table and table.record(judge=study.name(judge))) or {}).get("kappa")
            shown = kappa.text("z.2f") if isinstance(kappa, Number) else "unknown"
            return f"kappa of people with {study.name(judge)}: {shown}", MET
    return "no second assessor graded, so there is no human agreement to compare with", CAUTION


def _tests(findings: Findings) -> GuardrailRow:
    counts = dict.fromkeys(CorrectionScope, 0)
    for table in findings.tables():
        for place, column in enumerate(table.columns):
            if column.role:
                counts[column.role] += sum(_has_value(row[place]) for row in table.rows)
    declared, within, exploratory = (counts[scope] for scope in CorrectionScope)
    words = (
        f"{declared:,} p are corrected as one declared family, {within:,} within their table, "
        f"{exploratory:,} are exploratory"
    )
    return words, CAUTION if exploratory else MET


def _has_value(cell: Cell) -> bool:
    return cell.value is not None if isinstance(cell, Number) else isinstance(cell, float)


def _circularity(study: Study, judge: int) -> GuardrailRow:
    related, why = related_runs(study, judge)
    if related.any():
        return f"{int(related.sum()):,} of {len(study.runs):,} runs have the {why} as the judge", CAUTION
    if not study.sets[judge].provenance.get("backbone"):
        return "the judge's model is not known", UNKNOWN
    unknown = sum(not run.backbone for run in study.runs)
    if unknown:
        return f"no run is known to do so; the model of {counted(unknown, 'run')} is not known", UNKNOWN
    return "no run has the judge's model or team", MET


def _ranker(study: Study, findings: Findings, judge: int) -> GuardrailRow:
    """Check by the first measure whether tau falls when the judge re-ranks every run."""
    table, measure = findings.table("re-ranked-by-judge"), study.measures[0]
    record = table.record(measure=measure, judge=study.name(judge)) if table else None
    taus = [record[name] for name in ("tau as submitted", "tau re-ranked")] if record else []
    values = [tau.value for tau in taus if isinstance(tau, Number) and tau.value is not None]
    if len(values) < 2:
        return "tau of re-ranked runs is undefined", UNKNOWN
    before, after = (Column("", "z.2f").text(value) for value in values)
    words = f"with every run re-ranked by the judge, tau by {measure} goes from {before} to {after}"
    return words, CAUTION if values[1] < values[0] else MET


def _tuned(study: Study, judge: int) -> GuardrailRow:
    provenance = study.sets[judge].provenance
    mapping = provenance.get("mapping")
    if not mapping or "rule" not in mapping:
        return "how raw scores became grades is not known", UNKNOWN
    if not mapping.get("people"):
        return f"grades by {mapping['rule']}, without people's grades", MET
    fitted = set(map(str, mapping.get("fitting_topics") or ()))
    graded = {study.topics[topic] for topic in study.shared_topics(PEOPLE, judge)}
    if not fitted:
        return f"grades by {mapping['rule']}, fitted to {mapping['people']}", CAUTION
    both = len(fitted & graded)
    words = f"fitted to people's grades of {counted(len(fitted), 'topic')}, {both:,} of them compared here"
    return words, CAUTION if both else MET


def _injection(study: Study, judge: int) -> GuardrailRow:
    tests = study.sets[judge].provenance.get("susceptibility") or ()
    known = [each for each in tests if each.get("shift") is not None]
    if not known:
        return "no pairs with prompt injection were graded", UNKNOWN
    scenes = sum(each.get("scene_count") or 0 for each in known)
    raised = [each["raised_count"] for each in known if each.get("raised_count") is not None]
    largest = max(known, key=lambda each: float(each["shift"]))
    words = f"raw score {float(largest['shift']):+.4f} by an instruction in the {largest['place']}".replace(
        "-", "−"
    )
    if raised:
        words += f"; a higher grade in {sum(raised):,} of {counted(scenes, 'pair')}"
        return words, CAUTION if any(raised) else MET
    return words, CAUTION if float(largest["shift"]) > 0 else MET


def _gaps(study: Study, judge: int) -> GuardrailRow:
    facts = study.sets[judge].facts
    pairs, graded = int(facts["pair_count"]), int(facts["graded_count"])
    if not pairs:
        return "the judge has no pairs", UNKNOWN
    of_people = study.grades[PEOPLE] >= 0
    missing, total = int((of_people & (study.grades[judge] < 0)).sum()), int(of_people.sum())
    share, shown = (pairs - graded) / pairs, f"{pairs - graded:,} of {counted(pairs, 'pair')}"
    if missing / max(total, 1) > share:
        share, shown = missing / total, f"{missing:,} of {counted(total, 'pair')} that people graded"
    words = f"{shown} have no grade ({share:.1%})".replace("%", " %")
    return words, CAUTION if share > MOST_GAPS else MET


def _leniency(study: Study, findings: Findings, judge: int) -> GuardrailRow:
    table = findings.table("agreement-in-detail")
    found = ((table and table.record(judge=study.name(judge))) or {}).get("leniency")
    if not isinstance(found, Number) or found.value is None:
        return "no item was graded by both", UNKNOWN
    words = f"its mean grade minus people's: {found.text('+z.2f')}"
    if found.missing is Reason.NO_VARIATION:  # it is the same whichever topic is left out
        return words, CAUTION if abs(found.value) > TIE else MET
    if found.low is None or found.high is None:
        return words, UNKNOWN
    return words, MET if found.low <= 0 <= found.high else CAUTION


def _summary(table: Table) -> str:
    counts = Counter[ConclusionCode]()
    for record in table.records():
        state = record["state"]
        if isinstance(state, Conclusion):
            counts[state.outcome] += 1
    return (
        f"Of {len(table.rows):,} checks {counts[MET.outcome]:,} are met, {counts[CAUTION.outcome]:,} ask for "
        f"caution, and {counts[ConclusionCode.CANNOT_TELL]:,} are unknown for lack of data."
    )
