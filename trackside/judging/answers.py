"""Parse model answers: a typed outcome for every text, and a score where the answer has one.

The parser reads the completion only, never the prompt. Only the outcomes in ``SCORED`` carry a score; every
other outcome is a gap with a reason and is never graded 0.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from trackside.judging.forms import AnswerForm, plain_label
from trackside.judging.parsing.completions import LONGEST, undecorated, values_of_key, visible_texts
from trackside.judging.parsing.thoughts import behind_thoughts


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
_JSON_NUMBER = re.compile(r"-?\d++(?:\.\d++)?(?:[eE][-+]?\d{1,3})?")
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
_LEAD = re.compile(
    r"(?:(?:~|≈|about|around|roughly|circa|approx(?:imately|\.)?"
    r"|(?:an?\s)?(?:score|rating|grade)\sof)\s?){0,2}",
    re.IGNORECASE,
)
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

    An answer that is not whole has no score, whatever its text says. Only the text after the model's thoughts
    is its answer. The last marker wins: models repeat the instruction before they answer. The number must
    directly follow the marker. Decimals are not rounded. Hidden characters are ignored if that gives the only
    possible score. Never raises.
    """
    reason = finish_reason.lower()
    if reason in FILTERED:
        return Reading(Outcome.REFUSAL)
    if reason not in WHOLE:
        return Reading(Outcome.TRUNCATED)
    readings = [_read(visible, form) for visible in visible_texts(text)]
    parsed = [reading for reading in readings if reading.outcome is not Outcome.UNPARSED] or readings
    # Texts with hidden characters may give several scores, or a score and a gap with a reason.
    is_one = len({reading.score for reading in parsed}) == 1
    return parsed[0] if is_one else Reading(Outcome.AMBIGUOUS)


def _read(text: str, form: AnswerForm) -> Reading:
    answer = behind_thoughts(text)
    if answer is None:
        return Reading(Outcome.TRUNCATED)
    if not answer.strip():
        return Reading(Outcome.EMPTY)
    end = answer[-LONGEST:]
    if form.labels:
        return _label_of(end, form)
    if form.is_json:
        return _from_json(end, form)
    # Models also answer in JSON where it was not asked for: its other fields are not part of the score.
    reading = _from_text(end, form)
    is_text = reading.score is not None or not values_of_key(end, form.marker).values
    return reading if is_text else _from_json(end, form)


def is_before_score(text: str, form: AnswerForm) -> bool:
    """Return whether a text ends with a marker, so that a number after it is a score."""
    pattern = rf"(?:{_colon(form)}|{_marker(form)}\sis)\s?{_LEAD.pattern}\Z"
    return re.search(pattern, undecorated(text), re.IGNORECASE) is not None


def _marker(form: AnswerForm) -> str:
    return rf"(?<!\w){re.escape(form.marker)}(?:\s?(?:score|grade))?"


def _colon(form: AnswerForm) -> str:
    return rf"{_marker(form)}(?:\sis)?\s?[:=]"


def _markers(plain: str, form: AnswerForm) -> list[re.Match[str]]:
    """Return all markers with a colon or "="; only if there is none, those with "is" and a number."""
    patterns = (_colon(form), rf"{_marker(form)}\sis(?=\s{_NUMBER})")
    return next(filter(None, (list(re.finditer(pattern, plain, re.IGNORECASE)) for pattern in patterns)), [])


# Also the stops of Chinese, Hindi, Arabic, Urdu and Amharic.
_LABEL_END = re.compile(r"\s?(?:[.,;:!?)(\n。、।॥؟،؛۔።፣]|[-–—]\s|\Z)")


def _label_of(text: str, form: AnswerForm) -> Reading:
    """Read a label behind the last marker or in the JSON objects, else an answer that begins with it.

    The label ends at a punctuation mark or the end: "relevant or related" has none.
    """
    key_values = values_of_key(text, form.marker)
    if key_values.is_cut:
        return Reading(Outcome.TRUNCATED)
    plain = undecorated(text)
    markers = _markers(plain, form)
    answers = list(key_values.values) or ([plain[markers[-1].end() :]] if markers else [])
    readings = {_one_label(undecorated(value), form) for value in answers or [plain]}
    between = plain[markers[-2].end() : markers[-1].start()] if len(markers) > 1 else "\n"
    if not key_values.values and "\n" not in between:  # on one line, a label before the last counts, too
        before = _one_label(_BETWEEN_NUMBERS.split(between)[0], form)
        readings |= {before} if before.score is not None else set()
    reading = readings.pop() if len(readings) == 1 else Reading(Outcome.AMBIGUOUS)
    if reading.outcome is Outcome.UNPARSED and _REFUSAL.search(plain):
        return Reading(Outcome.REFUSAL)
    return reading if answers or reading.score is None else Reading(Outcome.OK_BARE, reading.score)


def _one_label(text: str, form: AnswerForm) -> Reading:
    answer = plain_label(text.strip(" \n\"'“”*`"))
    scores = {
        score
        for label, score in form.scores.items()
        if answer.startswith(label) and _LABEL_END.match(answer, len(label))
    }
    return Reading(Outcome.OK, float(scores.pop())) if len(scores) == 1 else Reading(Outcome.UNPARSED)


def _from_text(text: str, form: AnswerForm) -> Reading:
    plain = undecorated(text)
    markers = _markers(plain, form)
    if not markers:
        return _unmarked(plain, form)
    if _is_other_scale(plain[: markers[-1].start()], form):
        return Reading(Outcome.WRONG_SCALE)
    reading = _behind(plain[markers[-1].end() :], form)
    if reading.outcome is Outcome.UNPARSED and _REFUSAL.search(plain):
        return Reading(Outcome.REFUSAL)
    return Reading(Outcome.AMBIGUOUS) if _is_doubted(reading, plain, markers, form) else reading


def _behind(text: str, form: AnswerForm) -> Reading:
    """Read what follows a marker.

    On a line below it a number may start a list or a sentence, so it must be alone on that line.
    """
    line = text.lstrip().partition("\n")[0]
    is_anchored = not text.startswith("\n") or not _has_words(line)
    return _number(line, form, ok=Outcome.OK) if is_anchored else Reading(Outcome.UNPARSED)


def _is_doubted(last: Reading, plain: str, markers: Sequence[re.Match[str]], form: AnswerForm) -> bool:
    """Return whether the marker before the last one is on its line and gives another score."""
    if last.score is None or len(markers) == 1:
        return False
    between = plain[markers[-2].end() : markers[-1].start()]
    first = _NUMBERS.match(between.lstrip(" "))
    if first is None or "\n" in between:
        return False
    other = _on_scale(_value(first[0]), form, ok=Outcome.OK)
    return other.score not in (None, last.score)


def _unmarked(plain: str, form: AnswerForm) -> Reading:
    """Read an answer without a marker: it counts only if it is a number and nothing else."""
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
    requested = (form.lowest, form.highest)
    return any((_value(low), _value(high)) != requested for low, high in _SCALE.findall(plain))


def _number(line: str, form: AnswerForm, *, ok: Outcome) -> Reading:
    """Read the rest of the marker's line: the number must come first."""
    line = _LEAD.sub("", line, count=1)  # "about", "~" or "a score of"; matches at the start, if only nothing
    if _BOUND.match(line):
        return Reading(Outcome.RANGE)
    if not _NUMBERS.match(line):
        return Reading(Outcome.UNPARSED)
    if form.lowest > 0:  # 85/100 is a score of 85; on a scale from 0 to 2, 1/2 may be 1 or 0.5
        line = _FRACTION.sub(lambda match: match[1] if _value(match[2]) == form.highest else match[0], line)
    if fraction := _FRACTION.search(line):
        is_same = _value(fraction[2]) == form.highest
        return Reading(Outcome.FRACTION if is_same else Outcome.WRONG_SCALE)
    if _PERCENT.search(line):
        return Reading(Outcome.FRACTION if form.highest == 100 else Outcome.WRONG_SCALE)
    if _RANGE.search(line):
        return Reading(Outcome.RANGE)
    numbers = {_value(number) for number in _NUMBERS.findall(line)}
    return Reading(Outcome.AMBIGUOUS) if len(numbers) > 1 else _on_scale(numbers.pop(), form, ok=ok)


def _on_scale(value: float, form: AnswerForm, *, ok: Outcome) -> Reading:
    if form.lowest <= value <= form.highest:
        return Reading(ok if value == int(value) else Outcome.OK_DECIMAL, value)
    if 0 < value < 1 <= form.lowest:
        return Reading(Outcome.WRONG_SCALE)  # a share of 1
    return Reading(Outcome.OUT_OF_RANGE)


def _value(number: str) -> float:
    return float(number.replace("−", "-"))


def _from_json(text: str, form: AnswerForm) -> Reading:
    """Read the JSON objects with the marker as a key: all that have a number must have the same."""
    key_values = values_of_key(text, form.marker)
    prose = undecorated(key_values.prose)
    if key_values.is_cut:
        return Reading(Outcome.TRUNCATED)
    readings = {_from_value(value, form) for value in key_values.values} - {Reading(Outcome.UNPARSED)}
    if not readings:
        return Reading(Outcome.REFUSAL if _REFUSAL.search(undecorated(text)) else Outcome.UNPARSED)
    if _is_other_scale(prose, form):
        return Reading(Outcome.WRONG_SCALE)
    marked = [_behind(prose[marker.end() :], form) for marker in _markers(prose, form)]
    readings |= {reading for reading in marked[-1:] if reading.score is not None}
    return readings.pop() if len(readings) == 1 else Reading(Outcome.AMBIGUOUS)


def _from_value(value: str, form: AnswerForm) -> Reading:
    if _JSON_NUMBER.fullmatch(value.strip()):
        number = float(value)
        return _on_scale(number, form, ok=Outcome.OK) if math.isfinite(number) else Reading(Outcome.UNPARSED)
    return _number(undecorated(value), form, ok=Outcome.OK)
