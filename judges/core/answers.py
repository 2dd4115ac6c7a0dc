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

from judges.core.completions import LONGEST, behind_thoughts, undecorated


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


WHOLE = frozenset(
    {"", "stop", "eos", "eos_token", "end_turn", "stop_sequence", "stop_token", "complete", "completed"}
)
"""Finish reasons of a model that had said all it wanted; "" where the endpoint names none."""
FILTERED = frozenset({"content_filter", "refusal", "safety"})

# The words come from ``undecorated``: no blank follows another, so ``\s?`` is any run of them. Lengths are
# bounded, so that a model that repeats one digit for ever costs no time and makes no infinity.
# No letter, digit or dot may touch a number: "v2" and "1.2.3" hold none.
_NUMBER = r"(?<![\w.,])[-−+]?\d{1,9}(?:\.\d{1,9})?(?![\w]|[.,]\d)"
_NUMBERS = re.compile(_NUMBER)
_DASH = r"(?:-|–|—|−|to|and|or)"
_FRACTION = re.compile(rf"({_NUMBER})\s?(?:/|out\sof|of)\s?({_NUMBER})", re.IGNORECASE)
_PERCENT = re.compile(rf"{_NUMBER}\s?(?:%|per\s?cent\b)", re.IGNORECASE)
_RANGE = re.compile(
    r"(?<![\w.,])\d{1,9}(?:\.\d{1,9})?\s?(?:(?:-|–|—|−|to\b|and\b)\s?\d{1,9}(?!\w)"
    r"|\+(?!\w)|or\s(?:more|less|higher|lower|above|below)\b)",
    re.IGNORECASE,
)
_BOUND = re.compile(
    rf"(?:[<>]=?|≤|≥|at\s(?:least|most)|up\sto|under|over|below|above|(?:less|more|lower|higher)\sthan"
    rf"|(?:(?:some|any)where\s)?(?:between|from))\s?{_NUMBER}",
    re.IGNORECASE,
)
_SCALE = re.compile(rf"scale\s?(?:of|from|is)?\s?:?\s?({_NUMBER})\s?{_DASH}\s?({_NUMBER})", re.IGNORECASE)
_ABOUT = (
    r"(?:(?:~|≈|about|around|roughly|circa|approx(?:imately|\.)?"
    r"|(?:an?\s)?(?:score|rating|grade)\sof)\s?){0,2}"
)
_LEAD = re.compile(_ABOUT, re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]")
_BETWEEN_NUMBERS = re.compile(r"\b(?:out\sof|of|to|or|and|between|per\s?cent)\b", re.IGNORECASE)
_REFUSAL = re.compile(
    r"\b(?:i(?:'m|\sam)\s(?:very\s|so\s)?(?:sorry|unable|not\sable)|i\s(?:can\s?not|can't|won't|will\snot)"
    r"|i\s(?:must|have\sto)\sdecline|unable\sto\s(?:assist|help|comply|process|view|provide|rate)"
    r"|as\san\sai\b|(?:cannot|can't)\s(?:assist|help|comply|fulfil))",
    re.IGNORECASE,
)


def read_answer(text: str, finish_reason: str, form: AnswerForm) -> Reading:
    """Read a completion; ``finish_reason`` as the endpoint named it ("stop", "length", "content_filter", "").

    Only what follows the model's thoughts is its answer. The last marker wins: models repeat the instruction
    before they answer. The number must be the first thing behind the marker. A decimal is kept as it is. An
    answer that was cut off, for whatever reason, counts only if the line with its number was finished. Never
    raises.
    """
    reason = finish_reason.lower()
    if reason in FILTERED:
        return Reading(Outcome.REFUSAL)
    answer = behind_thoughts(text)
    if answer is None:
        return Reading(Outcome.TRUNCATED)
    is_cut = reason not in WHOLE
    if not answer.strip():
        return Reading(Outcome.TRUNCATED if is_cut else Outcome.EMPTY)
    read = _from_json if form.is_json else _from_text
    return read(answer[-LONGEST:], form, is_cut=is_cut)


def is_before_score(text: str, form: AnswerForm) -> bool:
    """Whether a text ends with a marker, so that a number behind it is a score."""
    pattern = rf"(?:{_colon(form)}|{_marker(form)}\sis)\s?{_ABOUT}\Z"
    return re.search(pattern, undecorated(text), re.IGNORECASE) is not None


def _marker(form: AnswerForm) -> str:
    return rf"(?<!\w){re.escape(form.marker)}(?:\s?(?:score|grade))?"


def _colon(form: AnswerForm) -> str:
    return rf"{_marker(form)}(?:\sis)?\s?[:=]"


def _last_marker(plain: str, form: AnswerForm) -> re.Match[str] | None:
    """The marker with a colon or "=" behind it; only where there is none, with "is" and a number."""
    for pattern in (_colon(form), rf"{_marker(form)}\sis(?=\s{_NUMBER})"):
        if markers := list(re.finditer(pattern, plain, re.IGNORECASE)):
            return markers[-1]
    return None


def _from_text(text: str, form: AnswerForm, *, is_cut: bool) -> Reading:
    plain = undecorated(text)
    marker = _last_marker(plain, form)
    if marker is None:
        return _unmarked(plain, form, is_cut=is_cut)
    rest = plain[marker.end() :]
    said, end, _ = rest.lstrip().partition("\n")
    if is_cut and not end:
        return Reading(Outcome.TRUNCATED)
    if _is_other_scale(plain[: marker.start()], form):
        return Reading(Outcome.WRONG_SCALE)
    # On a line below the marker a number may begin anything, a list or a sentence: it must stand alone.
    is_anchored = not rest.startswith("\n") or not _has_words(said)
    found = _number(said, form, ok=Outcome.OK) if is_anchored else Reading(Outcome.UNPARSED)
    is_refusal = found.outcome is Outcome.UNPARSED and _REFUSAL.search(plain)
    return Reading(Outcome.REFUSAL) if is_refusal else found


def _unmarked(plain: str, form: AnswerForm, *, is_cut: bool) -> Reading:
    """An answer without the marker counts when it is a number and nothing else."""
    if is_cut:
        return Reading(Outcome.TRUNCATED)
    if _is_other_scale(plain, form):
        return Reading(Outcome.WRONG_SCALE)
    if _REFUSAL.search(plain):
        return Reading(Outcome.REFUSAL)
    return Reading(Outcome.UNPARSED) if _has_words(plain) else _number(plain, form, ok=Outcome.OK_BARE)


def _has_words(said: str) -> bool:
    """Whether there is more than numbers and what joins them to a fraction or a range."""
    return _LETTERS.search(_BETWEEN_NUMBERS.sub("", said)) is not None


def _is_other_scale(plain: str, form: AnswerForm) -> bool:
    """Whether the answer names a scale that is not the one asked for."""
    asked = (form.lowest, form.highest)
    return any((_value(low), _value(high)) != asked for low, high in _SCALE.findall(plain))


def _number(said: str, form: AnswerForm, *, ok: Outcome) -> Reading:
    """The outcome of what stands behind the marker, up to the end of its line: its number comes first."""
    said = said[_lead_length(said) :]
    if _BOUND.match(said):
        return Reading(Outcome.RANGE)
    if not _NUMBERS.match(said):
        return Reading(Outcome.UNPARSED)
    if fraction := _FRACTION.search(said):
        is_same = _value(fraction[2]) == form.highest
        return Reading(Outcome.FRACTION if is_same else Outcome.WRONG_SCALE)
    if _PERCENT.search(said):
        return Reading(Outcome.FRACTION if form.highest == 100 else Outcome.WRONG_SCALE)
    if _RANGE.search(said):
        return Reading(Outcome.RANGE)
    found = {_value(each) for each in _NUMBERS.findall(said)}
    return Reading(Outcome.AMBIGUOUS) if len(found) > 1 else _on_scale(found.pop(), form, ok=ok)


def _lead_length(said: str) -> int:
    """The characters of "about", "~", "a score of" and the like in front."""
    lead = _LEAD.match(said)
    return lead.end() if lead else 0


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
    words = text.strip().removeprefix("```").removesuffix("```").strip()
    try:
        found = json.loads(words.removeprefix("json"), parse_int=float)
    except (ValueError, RecursionError):  # RecursionError: thousands of open brackets
        if is_cut:
            return Reading(Outcome.TRUNCATED)
        return Reading(Outcome.REFUSAL if _REFUSAL.search(undecorated(words)) else Outcome.UNPARSED)
    value = found.get(form.marker) if isinstance(found, dict) else None
    if not isinstance(value, float) or not math.isfinite(value):
        return Reading(Outcome.UNPARSED)
    return _on_scale(value, form, ok=Outcome.OK)
