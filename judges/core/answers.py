"""Parse model answers: a typed outcome for every text, and a score where the answer has one.

The parser reads the completion only, never the prompt. Only the outcomes in ``SCORED`` carry a score; every
other outcome is a gap with a reason and is never graded 0.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from enum import StrEnum

from judges.core.completions import LONGEST, behind_thoughts, undecorated


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
class AnswerForm:
    """The requested answer format: ``<marker>: <number>`` on a scale, or a JSON object with that key."""

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
"""The answer formats by name. Judges store the name, so a changed format needs a new name."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The outcome and, for the outcomes in SCORED only, the score."""

    outcome: Outcome
    score: float | None = None


WHOLE = frozenset(
    {"", "stop", "eos", "eos_token", "end_turn", "stop_sequence", "stop_token", "complete", "completed"}
)
"""Finish reasons of complete answers; "" if the endpoint sends none."""
FILTERED = frozenset({"content_filter", "refusal", "safety"})

# The text comes from ``undecorated``, which collapses whitespace, so ``\s?`` matches any run of blanks.
# Lengths are bounded, so that a model that repeats one digit endlessly costs no time and gives no infinity.
# No letter, digit or dot may touch a number: "v2" and "1.2.3" contain none.
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
    """Parse a completion; ``finish_reason`` as sent by the endpoint ("stop", "length", "content_filter", "").

    Only the text after the model's thoughts is its answer. The last marker wins: models repeat the
    instruction before they answer. The number must directly follow the marker. Decimals are not rounded. A
    truncated answer counts only if the line with its number is complete. Never raises.
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
    """Return whether a text ends with a marker, so that a number after it is a score."""
    pattern = rf"(?:{_colon(form)}|{_marker(form)}\sis)\s?{_ABOUT}\Z"
    return re.search(pattern, undecorated(text), re.IGNORECASE) is not None


def _marker(form: AnswerForm) -> str:
    return rf"(?<!\w){re.escape(form.marker)}(?:\s?(?:score|grade))?"


def _colon(form: AnswerForm) -> str:
    return rf"{_marker(form)}(?:\sis)?\s?[:=]"


def _last_marker(plain: str, form: AnswerForm) -> re.Match[str] | None:
    """Return the last marker with a colon or "="; only if there is none, the last with "is" and a number."""
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
    line, end, _ = rest.lstrip().partition("\n")
    if is_cut and not end:
        return Reading(Outcome.TRUNCATED)
    if _is_other_scale(plain[: marker.start()], form):
        return Reading(Outcome.WRONG_SCALE)
    # On a line below the marker a number may start a list or a sentence, so it must be alone on that line.
    is_anchored = not rest.startswith("\n") or not _has_words(line)
    found = _number(line, form, ok=Outcome.OK) if is_anchored else Reading(Outcome.UNPARSED)
    is_refusal = found.outcome is Outcome.UNPARSED and _REFUSAL.search(plain)
    return Reading(Outcome.REFUSAL) if is_refusal else found


def _unmarked(plain: str, form: AnswerForm, *, is_cut: bool) -> Reading:
    """Read an answer without a marker: it counts only if it is a number and nothing else."""
    if is_cut:
        return Reading(Outcome.TRUNCATED)
    if _is_other_scale(plain, form):
        return Reading(Outcome.WRONG_SCALE)
    if _REFUSAL.search(plain):
        return Reading(Outcome.REFUSAL)
    return Reading(Outcome.UNPARSED) if _has_words(plain) else _number(plain, form, ok=Outcome.OK_BARE)


def _has_words(line: str) -> bool:
    """Return whether a line has words other than those that join numbers to a fraction or a range."""
    return _LETTERS.search(_BETWEEN_NUMBERS.sub("", line)) is not None


def _is_other_scale(plain: str, form: AnswerForm) -> bool:
    """Return whether the answer mentions another scale than the requested one."""
    asked = (form.lowest, form.highest)
    return any((_value(low), _value(high)) != asked for low, high in _SCALE.findall(plain))


def _number(line: str, form: AnswerForm, *, ok: Outcome) -> Reading:
    """Read the rest of the marker's line: the number must come first."""
    line = line[_lead_length(line) :]
    if _BOUND.match(line):
        return Reading(Outcome.RANGE)
    if not _NUMBERS.match(line):
        return Reading(Outcome.UNPARSED)
    if fraction := _FRACTION.search(line):
        is_same = _value(fraction[2]) == form.highest
        return Reading(Outcome.FRACTION if is_same else Outcome.WRONG_SCALE)
    if _PERCENT.search(line):
        return Reading(Outcome.FRACTION if form.highest == 100 else Outcome.WRONG_SCALE)
    if _RANGE.search(line):
        return Reading(Outcome.RANGE)
    found = {_value(each) for each in _NUMBERS.findall(line)}
    return Reading(Outcome.AMBIGUOUS) if len(found) > 1 else _on_scale(found.pop(), form, ok=ok)


def _lead_length(line: str) -> int:
    """Return the length of a prefix such as "about", "~" or "a score of"."""
    lead = _LEAD.match(line)
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
    """Read a JSON object with the marker as a key, bare or in a fenced block."""
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
