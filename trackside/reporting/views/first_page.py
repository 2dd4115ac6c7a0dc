"""The first page of a report, which site, terminal and files show: lead, rows, paragraph and limit."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from trackside.findings.results import FamilyFinding, JudgeFindings, OrderFinding, RunPairs, SetFindings
from trackside.findings.verdicts import FamilyVerdict, GradeVerdict, OrderVerdict
from trackside.reporting.findings import Findings
from trackside.reporting.tables import ABSENT
from trackside.reporting.views.lead import advice, lead
from trackside.reporting.views.sentences import (
    coefficient,
    family_words,
    favour_words,
    grades_words,
    order_words,
    other_runs_words,
    pairs_words,
    points,
    signed,
    why,
)
from trackside.statistics.estimate import Reason
from trackside.text.counted import counted

MOST_WARNINGS = 3  # runs named


class Tone(StrEnum):
    """How the last column looks: the classes of the style sheet."""

    OK = "ok"
    WARN = "warn"
    BAD = "bad"
    NONE = ""


@dataclass(frozen=True, slots=True)
class Measured:
    """A number of the table with the ends of its interval; ``text`` and ``ends`` are as printed."""

    value: float | None
    low: float | None
    high: float | None
    text: str
    ends: str


@dataclass(frozen=True, slots=True)
class So:
    """The use that a judge is fit for: at most three words, and one reason."""

    tone: Tone
    words: str
    reason: str


@dataclass(frozen=True, slots=True)
class PageRow:
    """One judge, or people with each other: ``excess`` and ``so`` are None for people."""

    name: str
    pair_count: int
    topic_count: int
    tau: Measured
    pairs: RunPairs | None
    kappa: Measured
    excess: Measured | None
    so: So | None


@dataclass(frozen=True, slots=True)
class FirstPage:
    """The first page for one measure and family; ``limit`` is what does not follow from the results."""

    measure: str
    family: str | None
    lead: str
    advice: str | None
    yardsticks: tuple[PageRow, ...]
    judges: tuple[PageRow, ...]
    paragraph: str
    limit: str
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


def front_page(findings: Findings) -> FirstPage:
    """The first page by the first measure, for the family of `front_family`."""
    measure = findings.facts.measures[0]
    return first_page(findings, measure, front_family(findings, measure))


def front_family(findings: Findings, measure: str) -> str | None:
    """The first family with CLIP in its name, else the one farthest from 0 by any judge, else the first."""
    families = findings.facts.families
    if clip := next((name for name in families if "clip" in name.casefold()), None):
        return clip
    significant = [
        finding
        for judge in findings.judges
        for finding in judge.families
        if finding.measure == measure
        and finding.family in families
        and (finding.verdict.is_above or finding.verdict.is_below)
    ]
    if significant:
        return max(significant, key=lambda finding: max(finding.low or 0.0, -(finding.high or 0.0))).family
    return next(iter(families), None)


def first_page(findings: Findings, measure: str, family: str | None) -> FirstPage:
    """Show the findings by a measure and a family; judges are ordered by tau, those on few topics last."""
    margin, unmet = findings.facts.margins.points, findings.facts.unmet
    hidden_count = len(unmet) - MOST_WARNINGS
    further = [f"and {counted(hidden_count, 'further run')} like these"] if hidden_count > 0 else []
    judges = sorted(findings.judges, key=lambda judge: _place(judge.order(measure)))
    rated = [(judge, measure, judge.family(measure, family)) for judge in judges]
    rows = tuple(_row(*parts, so_of(*parts, margin)) for parts in rated)
    tones = {row.so.tone for row in rows if row.so and row.tau.low is not None}
    unfit = "No judge is shown to be fit to stand in for people." if tones and Tone.OK not in tones else ""
    return FirstPage(
        measure=measure,
        family=family,
        lead=lead(findings, measure, family),
        advice=f"{advice(findings, measure) or ''} {unfit}".strip() or None,
        yardsticks=tuple(_row(second, measure) for second in findings.yardsticks),
        judges=rows,
        paragraph=_paragraph(findings, judges, measure, family),
        limit=_limit(findings, measure),
        notes=_notes(findings, measure, family),
        warnings=(*unmet[:MOST_WARNINGS], *further),
    )


def _place(order: OrderFinding) -> tuple[bool, float]:
    return order.low is None, -(order.tau if order.tau is not None else -2.0)


def _row(
    graded: SetFindings, measure: str, finding: FamilyFinding | None = None, so: So | None = None
) -> PageRow:
    order, grades = graded.order(measure), graded.grades
    excess = _measured(finding.excess, finding.low, finding.high, finding.reason, signed) if finding else None
    return PageRow(
        name=graded.name,
        pair_count=grades.pair_count,
        topic_count=grades.topic_count,
        tau=_measured(order.tau, order.low, order.high, order.reason),
        pairs=order.pairs,
        kappa=_measured(grades.kappa, grades.low, grades.high, grades.reason),
        excess=excess,
        so=so,
    )


def _measured(
    value: float | None,
    low: float | None,
    high: float | None,
    reason: Reason | None = None,
    form: Callable[..., list[str]] = lambda *values: list(map(coefficient, values)),
) -> Measured:
    """Format a number with its interval, or with the reason why it has none."""
    text, *ends = form(*(number for number in (value, low, high) if number is not None)) or [ABSENT]
    return Measured(value, low, high, text, " to ".join(ends) or (why(reason) if reason else ""))


def so_of(judge: JudgeFindings, measure: str, finding: FamilyFinding | None, margin: float) -> So:
    """The use that a judge is fit for, by its verdicts on order, grades and family."""
    order = judge.order(measure)
    lifts = _lifts(finding)
    if order.verdict is OrderVerdict.UNDEFINED:
        topics = f"only {counted(order.topic_count, 'topic')}"
        is_short = order.reason is Reason.TOO_FEW_TOPICS
        return So(Tone.NONE, "cannot be compared", topics if is_short else why(order.reason))
    if order.verdict is OrderVerdict.REVERSE:
        return So(Tone.BAD, "not fit", "; ".join(filter(None, (lifts, "orders runs in reverse"))))
    if order.verdict is OrderVerdict.NO_RELATION:
        return So(
            Tone.BAD if lifts else Tone.NONE, "no relation shown", lifts or _reversed(order) or "tau may be 0"
        )
    if lifts:
        return So(Tone.WARN, "not fit", "; ".join(filter(None, (lifts, _reversed(order)))))
    words = {GradeVerdict.NOT_WORSE: "order and grades", GradeVerdict.WORSE: "order, not grades"}
    reason = _within(finding, margin) or _reversed(order) or ""
    return So(Tone.OK, words.get(judge.second.verdict, "order of runs"), reason)


def _lifts(finding: FamilyFinding | None) -> str:
    """The family that the judge rates beyond the margin; empty if there is none."""
    if finding and finding.verdict is FamilyVerdict.ABOVE:
        return f"lifts {finding.family} runs"
    return f"lowers {finding.family} runs" if finding and finding.verdict is FamilyVerdict.BELOW else ""


def _reversed(order: OrderFinding) -> str:
    if order.pairs is None or not order.pairs.reversed:
        return ""
    return f"reverses {order.pairs.reversed:,} of {counted(order.pairs.told, 'pair')}"


def _within(finding: FamilyFinding | None, margin: float) -> str:
    if finding is None or finding.low is None or finding.high is None:
        return ""
    if finding.verdict is FamilyVerdict.WITHIN:
        return f"{finding.family}: within ±{margin:g} points"
    low, high = points(finding.low, finding.high)
    sides = ["below" if end < 0 else "above" for end in (finding.low, finding.high)]
    return f"{finding.family}: {low} {sides[0]} to {high} {sides[1]}"


def _paragraph(findings: Findings, judges: list[JudgeFindings], measure: str, family: str | None) -> str:
    """A paragraph for a paper, on the judges in the order of the table."""
    facts = findings.facts
    runs = f"{counted(len(facts.runs), 'run')} of {counted(facts.team_count, 'team')}"
    pairs = f"{counted(facts.topic_count, 'topic')} ({counted(facts.graded_count, 'pair')} graded by people)"
    margin = facts.margins.points
    sentences = [_judge_in_paper(judge, measure, family, margin) for judge in judges]
    return " ".join(
        (
            f"On {runs} and {pairs}, by {measure}:",
            *(sentences or [lead(findings, measure, family)]),
            *(
                f"The second assessor ({yardstick.name}) {order_words(yardstick.order(measure))} and "
                f"{grades_words(yardstick.grades)}."
                for yardstick in findings.yardsticks
            ),
        )
    )


def _judge_in_paper(judge: JudgeFindings, measure: str, family: str | None, margin: float) -> str:
    order, finding = judge.order(measure), judge.family(measure, family)
    phrases = [order_words(order), pairs_words(order), grades_words(judge.grades)]
    if finding and (finding.verdict.is_above or finding.verdict.is_below):
        phrases += [family_words(finding, margin), favour_words(finding)]
    return f"{judge.name} {'; '.join(phrase for phrase in phrases if phrase)}."


def _limit(findings: Findings, measure: str) -> str:
    """The limit on runs of other teams: their intervals, or why there is none."""
    if not findings.judges:
        return "There are no grades of models to compare with people's."
    others = {judge.name: judge.order(measure).other_runs for judge in findings.judges}
    words = {name: other_runs_words(other) for name, other in others.items()}
    if len(set(words.values())) == 1:
        return f"{next(iter(words.values()))}."
    ends = {
        name: f"{name} {coefficient(other.low)} to {coefficient(other.high)}"
        for name, other in others.items()
        if other.low is not None and other.high is not None
    }
    teams = counted(findings.facts.team_count, "team")
    intervals = f"With runs of other teams of this kind (95 %, {teams}), tau is: {'; '.join(ends.values())}."
    apart = [f"{name}: {sentence}." for name, sentence in words.items() if name not in ends]
    return " ".join([intervals, *apart] if ends else apart)


def _notes(findings: Findings, measure: str, family: str | None) -> tuple[str, ...]:
    """The meaning of the columns, in the order of the table; empty without a row."""
    if not findings.judges and not findings.yardsticks:
        return ()
    margins = findings.facts.margins
    notes = [
        "tau, kappa: 95 % intervals for other topics with these runs. “Almost as people do”: from "
        f"{margins.order:g}.",
        "Pairs of runs: told apart by people (paired t, Holm), on the documents that both graded.",
    ]
    rated = [finding for judge in findings.judges if (finding := judge.family(measure, family))]
    if rated:
        tested = {finding.level for finding in rated if finding.p is not None} or {rated[0].level}
        levels = " to ".join(f"{100 * level:.3g}" for level in sorted(tested))
        notes.append(
            "Excess: points of Relative Delta beyond run-blind judges with the same grades, "
            f"{levels} % intervals; margin {margins.points:g} points."
        )
    lacks = {
        "no declared family of some of the runs, so no excess": family is None,
        "no second assessor, so no yardstick": not findings.yardsticks,
    }
    missing = "; ".join(words for words, is_missing in lacks.items() if is_missing)
    return (*notes, f"There is {missing}.") if missing else tuple(notes)
