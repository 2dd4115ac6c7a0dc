"""What a model's answer says: a typed outcome for every text, and a score for those that give one.

Read from the completion alone, never from the prompt. Only the outcomes in ``SCORED`` carry a score; every
other one is a gap with a reason and is never graded 0.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """What became of an answer."""

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
class AnswerForm:
    """How a prompt asks for its answer: ``<marker>: <number>`` on a scale, or a JSON object with that key."""

    marker: str
    lowest: int
    highest: int
    is_json: bool = False


FORMS = {
    "relevance-1-100": AnswerForm("Relevance", 1, 100),
    "relevance-1-100-json": AnswerForm("relevance", 1, 100, is_json=True),
    "grade-0-2": AnswerForm("Grade", 0, 2),
    "grade-0-2-json": AnswerForm("grade", 0, 2, is_json=True),
}
"""The forms that prompts name; a judge keeps the name, so a changed form needs a new one."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The outcome and, for the outcomes in SCORED only, the score."""

    outcome: Outcome
    score: float | None = None


# No letter, digit or dot may touch a number: "v2" and "1.2.3" hold none. Lengths are bounded, so that a model
# that repeats one digit for ever costs no time and makes no infinity.
_NUMBER = r"(?<![\w.,])[-−+]?\d{1,9}(?:\.\d{1,9})?(?![\w]|[.,]\d)"
_NUMBERS = re.compile(_NUMBER)
_DASH = r"(?:-|–|—|−|to|and|or)"
_FRACTION = re.compile(rf"({_NUMBER})\s*(?:/|out\s+of|of)\s*({_NUMBER})", re.IGNORECASE)
_PERCENT = re.compile(rf"{_NUMBER}\s*(?:%|per\s?cent\b)", re.IGNORECASE)
_RANGE = re.compile(
    r"(?:between\s+)?(?<![\w.,])\d{1,9}(?:\.\d{1,9})?\s*(?:-|–|—|−|to\b|and\b)\s*\d{1,9}(?!\w)", re.IGNORECASE
)
_SCALE = re.compile(
    rf"scale\s*(?:of|from|is)?\s*:?\s*\(?\s*({_NUMBER})\s*{_DASH}\s*({_NUMBER})\)?", re.IGNORECASE
)
_LETTERS = re.compile(r"[^\W\d_]")
_REFUSAL = re.compile(
    r"\b(?:i\s*(?:'|’)?\s*a?m\s+(?:very\s+)?(?:sorry|unable)|i\s+(?:can\s*not|can(?:'|’)t|won(?:'|’)t|will\s+not)"
    r"|i\s+(?:must|have\s+to)\s+decline|unable\s+to\s+(?:assist|help|comply|process|view|provide|rate)"
    r"|as\s+an\s+ai\b|can(?:not|'t|’t)\s+(?:assist|help|comply|fulfil))",
    re.IGNORECASE,
)
_DECORATION = str.maketrans("", "", "*_`#\"'“”‘’<>[]{}()$\\")
LONGEST = (
    20_000  # characters of a completion that are read: hundreds of times an answer, the last ones of them
)


def read_answer(text: str, finish_reason: str, form: AnswerForm) -> Reading:
    """Read a completion; ``finish_reason`` as the endpoint named it ("stop", "length", "content_filter", "").

    The last marker wins: models repeat the instruction before they answer. A decimal is kept as it is. An
    answer that was cut off counts only if the line with its number was finished. Never raises.
    """
    if finish_reason == "content_filter":
        return Reading(Outcome.REFUSAL)
    if not text.strip():
        return Reading(Outcome.TRUNCATED if finish_reason == "length" else Outcome.EMPTY)
    is_cut = finish_reason == "length"
    read = _from_json if form.is_json else _from_text
    return read(text[-LONGEST:], form, is_cut=is_cut)


def _from_text(text: str, form: AnswerForm, *, is_cut: bool) -> Reading:
    plain = text.translate(_DECORATION)
    marker = rf"(?<!\w){re.escape(form.marker)}\s*(?:score|grade)?\s*(?:[:=]|is\b)"
    markers = list(re.finditer(marker, plain, re.IGNORECASE))
    if not markers:
        return _unmarked(plain.strip(), form, is_cut=is_cut)
    said, is_line_whole = _line(plain[markers[-1].end() :])
    if is_cut and not is_line_whole:
        return Reading(Outcome.TRUNCATED)
    if _is_other_scale(plain[: markers[-1].start()], form):
        return Reading(Outcome.WRONG_SCALE)
    return _number(said, form, ok=Outcome.OK)


def _line(rest: str) -> tuple[str, bool]:
    """The first line with something in it, and whether another one follows."""
    said, end, _ = rest.lstrip().partition("\n")
    return said.strip(), bool(end)


def _unmarked(plain: str, form: AnswerForm, *, is_cut: bool) -> Reading:
    """An answer without the marker counts when it is a number and nothing else."""
    if is_cut:
        return Reading(Outcome.TRUNCATED)
    if _is_other_scale(plain, form):
        return Reading(Outcome.WRONG_SCALE)
    if _REFUSAL.search(plain):
        return Reading(Outcome.REFUSAL)
    wordless = re.sub(r"\b(?:out\s+of|of|to|or|and|between|per\s?cent)\b", "", plain, flags=re.IGNORECASE)
    if not _NUMBERS.search(plain) or _LETTERS.search(wordless):
        return Reading(Outcome.UNPARSED)
    return _number(plain, form, ok=Outcome.OK_BARE)


def _is_other_scale(plain: str, form: AnswerForm) -> bool:
    """Whether the answer names a scale that is not the one asked for."""
    asked = (form.lowest, form.highest)
    return any((_value(low), _value(high)) != asked for low, high in _SCALE.findall(plain))


def _number(said: str, form: AnswerForm, *, ok: Outcome) -> Reading:
    """The outcome of what stands behind the marker, up to the end of its line."""
    if fraction := _FRACTION.search(said):
        is_same = _value(fraction[2]) == form.highest
        return Reading(Outcome.FRACTION if is_same else Outcome.WRONG_SCALE)
    if _PERCENT.search(said):
        return Reading(Outcome.FRACTION if form.highest == 100 else Outcome.WRONG_SCALE)
    if _RANGE.search(said):
        return Reading(Outcome.RANGE)
    found = list(dict.fromkeys(_value(each) for each in _NUMBERS.findall(said)))
    if len(found) > 1:
        return Reading(Outcome.AMBIGUOUS)
    if not found:
        return Reading(Outcome.REFUSAL if _REFUSAL.search(said) else Outcome.UNPARSED)
    return _on_scale(found[0], form, ok=ok)


def _on_scale(value: float, form: AnswerForm, *, ok: Outcome) -> Reading:
    if form.lowest <= value <= form.highest:
        return Reading(ok if value == int(value) else Outcome.OK_DECIMAL, value)
    if 0 < value < 1 <= form.lowest:
        return Reading(Outcome.WRONG_SCALE)  # a share of 1
    return Reading(Outcome.OUT_OF_RANGE)


def _value(number: str) -> float:
    return float(number.replace("−", "-"))


def _from_json(text: str, form: AnswerForm, *, is_cut: bool) -> Reading:
    """A JSON object with the marker as a key, bare or in a fenced block."""
    words = re.sub(r"^```(?:json)?\s*|\s*```$", "", text.strip())
    try:
        found = json.loads(words, parse_int=float)
    except (ValueError, RecursionError):  # RecursionError: thousands of open brackets
        if is_cut:
            return Reading(Outcome.TRUNCATED)
        return Reading(Outcome.REFUSAL if _REFUSAL.search(words) else Outcome.UNPARSED)
    value = found.get(form.marker) if isinstance(found, dict) else None
    if not isinstance(value, float) or not math.isfinite(value):
        return Reading(Outcome.UNPARSED)
    return _on_scale(value, form, ok=Outcome.OK)
