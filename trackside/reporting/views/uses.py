"""The table of uses: what each judge may be used for, in a mark, a word and one short sentence a use.

Every text of a row follows from one judge's findings and the report's facts, whatever judges are beside it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from trackside.findings.results import JudgeFindings, YardstickFinding
from trackside.findings.use_results import UseCode, Uses
from trackside.measuring import parse_measure
from trackside.reporting.findings import Findings, ReportFacts
from trackside.reporting.views.use_sentences import (
    Part,
    after_parts,
    best_parts,
    families_parts,
    label_parts,
    number_of,
    percent,
    rank_parts,
    short,
    tune_parts,
)
from trackside.reporting.views.whiskers import Whisker, whisker_of
from trackside.text.counted import counted

WORDS = {
    UseCode.AS_PEOPLE: "As people",
    UseCode.DIFFERS: "Not as people",
    UseCode.OPEN: "Cannot tell",
}
HUNDRED = 100


@dataclass(frozen=True, slots=True)
class UseCell:
    """One use of one judge; ``word`` is empty for a second assessor, who has no verdict.

    ``number`` is the value with its ends, for the narrow columns of a terminal.
    """

    head: "UseHead"
    code: UseCode | None
    word: str
    parts: tuple[Part, ...]
    number: str
    whisker: Whisker | None = None

    @property
    def says(self) -> str:
        """The sentence as plain text."""
        return "".join(part.text for part in self.parts)


@dataclass(frozen=True, slots=True)
class UseHead:
    """The head of a column: the use, its margin in words, and the level of its intervals."""

    name: str
    title: str
    margin: str
    level: str


@dataclass(frozen=True, slots=True)
class UseRow:
    """One judge, or a second assessor: ``whole`` is set if missing grades decide every use.

    ``graded`` says how much was graded, ``share`` the same in short, empty if all was.
    """

    name: str
    graded: str
    share: str
    is_yardstick: bool
    cells: tuple[UseCell, ...]
    whole: str = ""


def use_heads(facts: ReportFacts) -> tuple[UseHead, ...]:
    """The heads of the five columns, by the margins of the report."""
    margins = facts.margins
    measure = parse_measure(facts.measures[0]).family.name
    has_second = any(graded.kind == "second" for graded in facts.qrels)
    rank = f"tau at least {short(margins.order)}"
    tune = f"people see {percent(margins.rate)} of a gain"
    if has_second:
        rank += f", or at most {short(margins.tau)} below a second assessor"
        tune += f", or a second assessor's less {percent(margins.second_rate)}"
    level = 1 - 0.05 / max(len(facts.families), 1)
    return (
        UseHead("rank", "Rank these runs", rank, "95 %"),
        UseHead("best", "Choose the best run", _best_margin(measure, margins.best), "95 %, one-sided"),
        UseHead(
            "families",
            "Treat families alike",
            f"within {margins.points:g} points of people",
            f"{HUNDRED * level:.3g} %, “as people” by 90 %",
        ),
        UseHead("tune", "Tune on it", tune, "95 %"),
        UseHead(
            "label",
            f"Label {facts.items}",
            f"kappa a second assessor's less {short(margins.kappa)}",
            "95 %, difference one-sided",
        ),
    )


def _best_margin(measure: str, margin: float) -> str:
    if measure in ("nDCG", "P", "RR"):
        return f"its first run at most {short(margin)} {measure} below the best"
    return "its first run at most a tenth of the best below the best"


def use_row(findings: Findings, graded: JudgeFindings | YardstickFinding) -> UseRow:
    """The row of a judge or of a second assessor."""
    facts, uses = findings.facts, graded.uses
    is_yardstick = isinstance(graded, YardstickFinding)
    heads = use_heads(facts)
    sentences: tuple[Callable[..., tuple[Part, ...]], ...] = (
        rank_parts, best_parts, families_parts, tune_parts, label_parts,
    )  # fmt: skip
    cells = []
    for head, (_, use), parts in zip(heads, uses.named(), sentences, strict=True):
        code = None if is_yardstick else use.code
        whisker = whisker_of(findings, uses, head.name)
        word = WORDS[code] if code else ""
        sentence = parts(graded, facts)
        if not is_yardstick:
            sentence += after_parts(use, uses, facts)
        cells.append(UseCell(head, code, word, sentence, number_of(uses, head.name, facts.margins), whisker))
    return UseRow(
        graded.name,
        _graded(uses, facts, is_yardstick=is_yardstick),
        f", {uses.graded_count:,} of {uses.pair_count:,}" if uses.gap_count else "",
        is_yardstick,
        tuple(cells),
        _whole(uses, facts),
    )


def _graded(uses: Uses, facts: ReportFacts, *, is_yardstick: bool) -> str:
    """How many of the items were graded."""
    if is_yardstick:
        return f"{uses.graded_count:,} {facts.items} of {counted(uses.topic_count, 'topic')}"
    if not uses.gap_count:
        return f"all {uses.pair_count:,} {facts.items} graded"
    graded = f"{uses.graded_count:,} of {uses.pair_count:,} {facts.items} graded"
    return graded if _whole(uses, facts) else f"{graded}; the numbers are of these"


def _whole(uses: Uses, facts: ReportFacts) -> str:
    """One sentence for all columns, where missing grades decide each use that could be told; else empty."""
    others = [use for name, use in uses.named() if name not in uses.gaps_decide]
    is_open = all(use.code is UseCode.OPEN for _, use in uses.named())
    if not uses.gaps_decide or not is_open or any(use.reason is None for use in others):
        return ""
    items = counted(uses.gap_count, facts.items.removesuffix("s"))
    return f"It left {items} without a grade; with other grades for them the answers would change."
