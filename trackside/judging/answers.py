"""Parse model answers: a typed outcome for every text, and a score where the answer has one.

The parser reads the completion only, never the prompt. Only the outcomes in ``SCORED`` carry a score; every
other outcome is a gap with a reason and is never graded 0. An answer has one reading or none: a verdict is a
line, or a JSON value, that is a marker and a number only; if what follows it names another, neither counts.
"""

import math
import re
from dataclasses import replace

from trackside.judging.forms import AnswerForm
from trackside.judging.parsing.asides import prepared, read_grade
from trackside.judging.parsing.completions import LONGEST, undecorated, values_of_key, visible_texts
from trackside.judging.parsing.numbers import (
    SCORED,
    UNPARSED,
    Outcome,
    Reading,
    has_words,
    is_other_scale,
    on_scale,
)
from trackside.judging.parsing.refusals import REFUSAL, declines, says_no_picture
from trackside.judging.parsing.sentences import is_own, is_revised, is_supposed
from trackside.judging.parsing.thoughts import behind_thoughts
from trackside.judging.parsing.verdicts import (
    find_marks,
    is_before_score,
    one_reading,
    read_label,
    read_line_apart,
)

__all__ = ["SCORED", "WHOLE", "Outcome", "Reading", "is_before_score", "read_answer"]

WHOLE = frozenset(
    {"", "stop", "eos", "eos_token", "end_turn", "stop_sequence", "stop_token", "complete", "completed"}
)
"""Finish reasons of complete answers; "" if the endpoint sends none."""
FILTERED = frozenset({"content_filter", "refusal", "safety"})


def read_answer(text: str, finish_reason: str, form: AnswerForm) -> Reading:
    """Parse a completion; ``finish_reason`` as sent by the endpoint ("stop", "length", "content_filter", "").

    An answer that is not whole has no score, whatever its text says. Only the text after the model's thoughts
    is its answer. Two verdicts that differ are ambiguous unless the form ``takes`` one of them, and so is a
    verdict with another number behind a later marker; markers in prose before it do not count. Words that no
    picture was received are a refusal, whatever number follows. Decimals are not rounded. Hidden characters
    are ignored if that gives the only possible score. Never raises.
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
    if form.is_shown_picture and form.revision >= 4 and says_no_picture(end, revision=form.revision):
        return Reading(Outcome.REFUSAL)
    if form.revision >= 6 and declines(end):
        return Reading(Outcome.REFUSAL)
    if form.revision >= 5:
        end = prepared(end, form)
    if form.labels:
        return _label_of(end, form)
    if form.is_json:
        return _from_json(end, form)
    # Models also answer in JSON where it was not asked for: its other fields are not part of the score.
    reading = _from_text(end, form)
    key_values = values_of_key(end, form.marker, has_names=form.revision >= 6)
    if form.revision >= 5 and key_values.is_cut:
        return Reading(Outcome.AMBIGUOUS)
    is_text = not key_values.values or (form.revision < 4 and reading.score is not None)
    return reading if is_text else _from_json(end, form)


def _label_of(text: str, form: AnswerForm) -> Reading:
    """Read a label behind the markers or in the JSON objects, else an answer that begins with it.

    The label ends at a punctuation mark or the end: "relevant or related" has none.
    """
    key_values = values_of_key(text, form.marker, has_names=form.revision >= 6)
    if key_values.is_cut:
        return Reading(Outcome.TRUNCATED)
    plain = undecorated(text)
    marks = find_marks(undecorated(key_values.prose) if key_values.values else plain, form)
    readings = {read_label(undecorated(value), form) for value in key_values.values}
    if marks:
        read = one_reading(marks, plain, form)
        readings |= {read} if not key_values.values or read != UNPARSED else set()
    is_bare = not readings
    reading = (
        (readings or {read_label(plain, form)}).pop() if len(readings) < 2 else Reading(Outcome.AMBIGUOUS)
    )
    if reading.outcome is Outcome.UNPARSED and REFUSAL.search(plain):
        return Reading(Outcome.REFUSAL)
    return Reading(Outcome.OK_BARE, reading.score) if is_bare and reading.score is not None else reading


def _from_text(text: str, form: AnswerForm) -> Reading:
    plain = undecorated(text)
    marks = find_marks(plain, form)
    if not marks:
        return _unmarked(plain, form)
    if is_other_scale(plain[: marks[-1].start], form):
        return Reading(Outcome.WRONG_SCALE)
    reading = one_reading(marks, plain, form)
    is_refusal = reading.outcome is Outcome.UNPARSED and REFUSAL.search(plain)
    return Reading(Outcome.REFUSAL) if is_refusal else reading


def _unmarked(plain: str, form: AnswerForm) -> Reading:
    """Read an answer without a marker: it counts only if it is a number and nothing else."""
    if is_other_scale(plain, form):
        return Reading(Outcome.WRONG_SCALE)
    if REFUSAL.search(plain):
        return Reading(Outcome.REFUSAL)
    if not has_words(plain):
        return read_grade(plain, form, ok=Outcome.OK_BARE)
    reading = read_line_apart(plain, form) if form.revision >= 5 else UNPARSED
    return Reading(Outcome.OK_BARE, reading.score) if reading.score is not None else reading


def _from_json(text: str, form: AnswerForm) -> Reading:
    """Read the JSON objects with the marker as a key: all that have a number must have the same."""
    key_values = values_of_key(text, form.marker, has_names=form.revision >= 6)
    prose = undecorated(key_values.prose)
    if key_values.is_cut:
        return Reading(Outcome.TRUNCATED)
    readings = [reading for value in key_values.values if (reading := _from_value(value, form)) != UNPARSED]
    if not readings:
        return Reading(Outcome.REFUSAL if REFUSAL.search(undecorated(text)) else Outcome.UNPARSED)
    if is_other_scale(prose, form):
        return Reading(Outcome.WRONG_SCALE)
    if form.revision >= 6 and not is_own(undecorated(text.partition("{")[0])):
        return UNPARSED
    if form.takes and form.revision >= 4:
        return readings[0 if form.takes == "first" else -1]
    beside = replace(form, is_json=form.is_json and form.revision < 6)
    marked = [mark.reading for mark in find_marks(prose, beside) if mark.reading.score is not None]
    if form.revision >= 6 and any(
        reading.score is not None and is_revised(prose, reading.score, form) for reading in readings
    ):
        return Reading(Outcome.AMBIGUOUS)
    counted = {*readings, *(marked[-1:] if form.revision < 4 else marked)}
    return counted.pop() if len(counted) == 1 else Reading(Outcome.AMBIGUOUS)


def _from_value(value: str, form: AnswerForm) -> Reading:
    if _JSON_NUMBER.fullmatch(value.strip()):
        number = float(value)
        return on_scale(number, form, ok=Outcome.OK) if math.isfinite(number) else UNPARSED
    plain = undecorated(value)
    reading = read_grade(plain, form, ok=Outcome.OK)
    return UNPARSED if form.revision >= 6 and reading.score is not None and is_supposed(plain) else reading


_JSON_NUMBER = re.compile(r"-?\d++(?:\.\d++)?(?:[eE][-+]?\d{1,3})?")
