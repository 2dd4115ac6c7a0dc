"""The first page of a report, which site, terminal and files show: lead, uses, paragraph and limit."""

from dataclasses import dataclass

import numpy as np

from trackside.findings.results import JudgeFindings, OtherRuns
from trackside.findings.use_results import UseCode, Uses
from trackside.findings.uses.best import best_margin
from trackside.reporting.findings import Findings, ReportFacts
from trackside.reporting.views.lead import lead
from trackside.reporting.views.sentences import other_runs_words
from trackside.reporting.views.use_sentences import hardly_words, short
from trackside.reporting.views.uses import WORDS, UseHead, UseRow, use_heads, use_row
from trackside.statistics.ranks import TIE
from trackside.text.counted import counted
from trackside.uncertainty.ranks import FEWEST_TEAMS

MOST_WARNINGS = 3  # runs named


@dataclass(frozen=True, slots=True)
class FirstPage:
    """The first page, by the report's first measure; ``limit`` is what does not follow from the results."""

    measure: str
    lead: str
    heads: tuple[UseHead, ...]
    yardsticks: tuple[UseRow, ...]
    judges: tuple[UseRow, ...]
    paragraph: str
    limit: str
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


def first_page(findings: Findings) -> FirstPage:
    """Show the findings by the first measure, its judges by ``judge_place``."""
    facts = findings.facts
    hidden_count = len(facts.unmet) - MOST_WARNINGS
    further = [f"and {counted(hidden_count, 'further run')} like these"] if hidden_count > 0 else []
    judges = sorted(findings.judges, key=lambda judge: judge_place(judge, judge.uses.rank.tau))
    return FirstPage(
        measure=facts.measures[0],
        lead=lead(findings, facts.measures[0]),
        heads=use_heads(facts),
        yardsticks=tuple(use_row(findings, second) for second in findings.yardsticks),
        judges=tuple(use_row(findings, judge) for judge in judges),
        paragraph=_paragraph(findings, judges),
        limit=_limit(findings),
        notes=_notes(findings),
        warnings=(*facts.unmet[:MOST_WARNINGS], *further),
    )


def judge_place(judge: JudgeFindings, tau: float | None) -> tuple[bool, bool, float]:
    """Order judges by this tau; those whose missing grades decide it come after, those without one last."""
    return tau is None, "rank" in judge.uses.gaps_decide, -(tau or 0.0)


def runs_and_topics(facts: ReportFacts) -> str:
    """The size of the study in words."""
    teams = f" of {counted(facts.team_count, 'team')}" if facts.has_teams else " (teams not declared)"
    graded = f"{facts.graded_count:,} {facts.items}"
    return (
        f"{counted(len(facts.runs), 'run')}{teams} and {counted(facts.topic_count, 'topic')} "
        f"({graded} graded by people)"
    )


def _paragraph(findings: Findings, judges: list[JudgeFindings]) -> str:
    """A paragraph for a paper: the five uses of each judge in one sentence each."""
    sentences = [judge_in_paper(use_row(findings, judge)) for judge in judges]
    seconds = [judge_in_paper(use_row(findings, second)) for second in findings.yardsticks]
    measure = findings.facts.measures[0]
    return " ".join(
        (
            f"On {runs_and_topics(findings.facts)}, by {measure}.",
            *(sentences or [lead(findings, measure)]),
            *seconds,
        )
    )


def judge_in_paper(row: UseRow) -> str:
    """One sentence on each use of a judge, or the numbers of a second assessor."""
    if row.whole:
        return f"{row.name} ({row.graded}): {row.whole}"
    kind = "a second assessor, " * row.is_yardstick
    uses = (
        f"{cell.head.title}: {f'{cell.word.lower()}, ' * bool(cell.word)}{cell.says}." for cell in row.cells
    )
    return f"{row.name} ({kind}{row.graded}). {' '.join(uses)}"


def _limit(findings: Findings) -> str:
    """What does not follow: other teams' runs, and that a difference is no error of the judge."""
    if not findings.judges:
        return "There are no grades of models to compare with people's."
    measure, facts = findings.facts.measures[0], findings.facts
    others = {judge.name: judge.order(measure).other_runs for judge in findings.judges}
    parts = [*_other_runs(facts, others), *_people_miss(findings)]
    return " ".join([*parts, "A difference from people is not an error of the judge."])


def _other_runs(facts: ReportFacts, others: dict[str, OtherRuns]) -> list[str]:
    """The intervals over teams, or one sentence on why there are none."""
    if not facts.has_teams:
        return ["Teams are not declared: nothing is said about other teams' runs."]
    if facts.team_count < FEWEST_TEAMS:
        return [f"{counted(facts.team_count, 'team')}: nothing is said about other teams' runs."]
    ends = [
        f"{name} {short(other.low)} to {short(other.high)}"
        for name, other in others.items()
        if other.low is not None and other.high is not None
    ]
    apart = [f"{name}: {other_runs_words(other)}." for name, other in others.items() if other.low is None]
    teams = counted(facts.team_count, "team")
    said = f"With runs of other teams of this kind (95 %, {teams}), tau is: {'; '.join(ends)}."
    return [said, *apart] if ends else apart


def _people_miss(findings: Findings) -> list[str]:
    """Where a second assessor misses a margin, too."""
    if not findings.facts.assay.is_passed:
        return []
    missed = [cell for second in findings.yardsticks for cell in _missed(second.uses)]
    uses = {head.name: head.title.lower() for head in use_heads(findings.facts)}
    names = [uses[name] for name in dict.fromkeys(missed)]
    return [f"People themselves are beyond the margin here: {', '.join(names)}."] if names else []


def _missed(uses: Uses) -> list[str]:
    """The uses whose number is beyond its margin for a second assessor; label has none for people."""
    return [name for name, use in uses.named() if name != "label" and use.code is UseCode.DIFFERS]


def _near_best(findings: Findings) -> list[str]:
    """How many runs are within the margin of the best, by people alone."""
    facts = findings.facts
    leader = next((one for one in findings.leaders if one.measure == facts.measures[0]), None)
    means = np.array([mean for mean in (leader.means if leader else ()) if mean is not None])
    if not means.size:
        return []
    margin = best_margin(facts.measures[0], means[:, None], facts.margins)
    near_count = int((means >= means.max() - margin - TIE).sum())
    return [f"{near_count} of {counted(len(facts.runs), 'run')} within {short(margin)} of people's best."]


def _notes(findings: Findings) -> tuple[str, ...]:
    """What holds for the table; empty without a row."""
    facts = findings.facts
    if not findings.judges and not findings.yardsticks:
        return ()
    notes = [
        f"{', '.join(f'“{word}”' for word in WORDS.values())}: within the margin, beyond it, or not told by "
        "these data; the intervals are for other topics with these runs."
    ]
    notes += _near_best(findings)
    if facts.hardly_graded.runs:
        notes.append(f"{hardly_words(facts)}.")
    lacks = {
        "no declared family with runs on both sides": not facts.families,
        "no second assessor, so no yardstick": not findings.yardsticks,
    }
    missing = "; ".join(words for words, is_missing in lacks.items() if is_missing)
    return (*notes, f"There is {missing}.") if missing else tuple(notes)
