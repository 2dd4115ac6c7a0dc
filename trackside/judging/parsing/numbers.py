"""Numbers of answers: the outcome and the score of the text behind a marker."""

import re
from dataclasses import dataclass
from enum import StrEnum

from trackside.judging.forms import AnswerForm


class Outcome(StrEnum):
    """The result of parsing an answer."""

    OK = "ok"
    OK_DECIMAL = "ok_decimal"
    OK_BARE = "ok_bare"
    FRACTION = "fraction"
    RANGE = "range"
    WRONG_SCALE = "wrong_scale"
    OUT_OF_RANGE = "out_of_range"
    AMBIGUOUS = "ambiguous"
    TRUNCATED = "truncated"
    REFUSAL = "refusal"
    EMPTY = "empty"
    UNPARSED = "unparsed"


SCORED = frozenset({Outcome.OK, Outcome.OK_DECIMAL, Outcome.OK_BARE})


@dataclass(frozen=True, slots=True)
class Reading:
    """The outcome and, for the outcomes in SCORED only, the score."""

    outcome: Outcome
    score: float | None = None


UNPARSED = Reading(Outcome.UNPARSED)

# The text comes from ``undecorated``, which collapses whitespace, so ``\s?`` matches any run of blanks.
# Lengths are bounded, so that a model that repeats one digit endlessly costs no time and gives no infinity.
# No letter, digit or dot may touch a number: "v2" and "1.2.3" contain none.
NUMBER = r"(?<![\w.,])[-−+]?\d{1,9}(?:\.\d{1,9})?(?![\w]|[.,]\d)"
NUMBERS = re.compile(NUMBER)
DASH = r"(?:-|–|—|−|to|and|or)"
_FRACTION = re.compile(rf"({NUMBER})\s?(?:/|out\sof|of)\s?({NUMBER})", re.IGNORECASE)
_PERCENT = re.compile(rf"({NUMBER})\s?(?:%|٪|per\s?cent\b)", re.IGNORECASE)
_RANGE = re.compile(
    r"(?<![\w.,])\d{1,9}(?:\.\d{1,9})?\s?(?:(?:-|–|—|−|to\b|and\b)\s?\d{1,9}(?!\w)"
    r"|\+(?!\w)|or\s(?:more|less|higher|lower|above|below)\b)",
    re.IGNORECASE,
)
_BOUND = re.compile(
    rf"(?:[<>]=?|≤|≥|at\s(?:least|most)|up\sto|under|over|below|above|(?:less|more|lower|higher)\sthan"
    rf"|(?:(?:some|any)where\s)?(?:between|from))\s?{NUMBER}",
    re.IGNORECASE,
)
_SCALE = re.compile(rf"scale\s?(?:of|from|is)?\s?:?\s?({NUMBER})\s?{DASH}\s?({NUMBER})", re.IGNORECASE)
LEAD = re.compile(
    r"(?:(?:~|≈|about|around|roughly|circa|approx(?:imately|\.)?"
    r"|(?:an?\s)?(?:score|rating|grade)\sof)\s?){0,2}",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]")
BETWEEN_NUMBERS = re.compile(r"\b(?:out\sof|of|to|or|and|between|per\s?cent)\b", re.IGNORECASE)


def has_words(line: str) -> bool:
    """Return whether a line has words other than those that join numbers to a fraction or a range."""
    return _LETTERS.search(BETWEEN_NUMBERS.sub("", line)) is not None


def is_other_scale(plain: str, form: AnswerForm) -> bool:
    """Return whether the answer mentions another scale than the requested one."""
    requested = (form.lowest, form.highest)
    return any((value_of(low), value_of(high)) != requested for low, high in _SCALE.findall(plain))


def read_number(line: str, form: AnswerForm, *, ok: Outcome) -> Reading:
    """Read the rest of the marker's line: the number must come first."""
    line = LEAD.sub("", line, count=1)  # "about", "~" or "a score of"; matches at the start, if only nothing
    if _BOUND.match(line):
        return Reading(Outcome.RANGE)
    if not NUMBERS.match(line):
        return UNPARSED
    if form.lowest > 0:  # 85/100 is a score of 85; on a scale from 0 to 2, 1/2 may be 1 or 0.5
        line = _FRACTION.sub(lambda match: match[1] if value_of(match[2]) == form.highest else match[0], line)
    if fraction := _FRACTION.search(line):
        is_same = value_of(fraction[2]) == form.highest
        return Reading(Outcome.FRACTION if is_same else Outcome.WRONG_SCALE)
    if form.highest == 100 and form.revision >= 4:  # 85 % of 100 is 85
        line = _PERCENT.sub(r"\1 ", line)
    if _PERCENT.search(line):
        return Reading(Outcome.FRACTION if form.highest == 100 else Outcome.WRONG_SCALE)
    if _RANGE.search(line):
        return Reading(Outcome.RANGE)
    numbers = {value_of(number) for number in NUMBERS.findall(line)}
    return Reading(Outcome.AMBIGUOUS) if len(numbers) > 1 else on_scale(numbers.pop(), form, ok=ok)


def on_scale(value: float, form: AnswerForm, *, ok: Outcome) -> Reading:
    """Return the score if it is on the scale, else why it is none."""
    if form.lowest <= value <= form.highest:
        return Reading(ok if value == int(value) else Outcome.OK_DECIMAL, value)
    if 0 < value < 1 <= form.lowest:
        return Reading(Outcome.WRONG_SCALE)  # a share of 1
    return Reading(Outcome.OUT_OF_RANGE)


def value_of(number: str) -> float:
    """Return the value of a text that NUMBER matches."""
    return float(number.replace("−", "-"))
