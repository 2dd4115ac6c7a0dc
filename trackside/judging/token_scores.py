"""The expected score of an answer from the probabilities of its tokens."""

import math
import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from trackside.judging.answers import is_before_score
from trackside.judging.forms import AnswerForm, plain_label
from trackside.judging.parsing.completions import undecorated
from trackside.judging.parsing.verdicts import read_label
from trackside.statistics.estimate import Estimate, Reason

LEAST_MASS = 0.5  # below it the model most likely wrote something other than a score
MARKER_ROOM = 80  # characters before a score that include its marker and markup
FURTHER = re.compile(r"\.?\d")  # the number continues in the next token


def expected_score(logprobs: Any, form: AnswerForm, score: float | None) -> float | None:
    """Return the mean of the alternatives of the score's token, weighted by probability.

    ``logprobs`` is the field of OpenAI's protocol with ``top_logprobs``, ``score`` the parsed score: its
    token is the last equal one after a marker, or the whole answer. For labels it is the token that begins
    the label: with "no" for 0 and "yes" for 1 the mean is VQAScore's P(yes) among the two. None without a
    score or probabilities, if the number is more than one token long (its digits are not scores), if a token
    begins two labels, or if less than half of the probability is on scores of the scale.
    """
    try:
        tokens = [(str(logprob["token"]), logprob["top_logprobs"]) for logprob in logprobs["content"]]
        find = _label_index if form.labels else _score_index
        index = find([token for token, _ in tokens], form, score)
        if index is None:
            return None
        return mean_score(
            {str(entry["token"]): math.exp(min(0.0, float(entry["logprob"]))) for entry in tokens[index][1]},
            form,
        )
    except (TypeError, KeyError, ValueError, OverflowError):  # the last: a logprob of hundreds of digits
        return None


def _score_index(tokens: Sequence[str], form: AnswerForm, score: float | None) -> int | None:
    """Return the index of the score's token: the last one after a marker, or the only one."""
    text = "".join(tokens)
    is_bare = undecorated(text).rstrip(" .").isdecimal()
    end = len(text)
    for index, token in reversed(list(enumerate(tokens))):
        start = end - len(token)
        is_score = token.strip().isdecimal() and int(token) == score and not FURTHER.match(text, end)
        if is_score and (is_bare or is_before_score(text[max(0, start - MARKER_ROOM) : start], form)):
            return index
        end = start
    return None


def _label_index(tokens: Sequence[str], form: AnswerForm, score: float | None) -> int | None:
    """Return the index of the token that begins the label: the last one after a marker, or the first word."""
    text = "".join(tokens)
    starts = accumulate((len(token) for token in tokens), initial=0)
    for index, (start, token) in reversed(list(enumerate(zip(starts, tokens, strict=False)))):
        before = text[max(0, start - MARKER_ROOM) : start]
        is_begun = not undecorated(text[:start]) or is_before_score(before, form)
        if undecorated(token) and is_begun and read_label(undecorated(text[start:]), form).score == score:
            return index
    return None


def _grade_of_token(token: str, form: AnswerForm) -> int | None:
    """Return the only score that a token can be or, of a label, begin."""
    word = undecorated(token)
    if not form.labels:
        return int(word) if token.strip().isdecimal() and len(word) <= len(str(form.highest)) else None
    begun = {score for label, score in form.scores.items() if word and label.startswith(plain_label(word))}
    return begun.pop() if len(begun) == 1 else None


def mean_score(probabilities: dict[str, float], form: AnswerForm) -> float | None:
    """Return the mean over tokens that are scores of the scale, renormalised; None below LEAST_MASS."""
    by_score: dict[int, float] = {}
    for token, probability in probabilities.items():
        if (score := _grade_of_token(token, form)) is not None:
            by_score[score] = by_score.get(score, 0.0) + probability
    scale = sorted(form.scores.values()) if form.labels else range(form.lowest, form.highest + 1)
    expected, mass = expected_grade(by_score, tuple(scale))
    return expected.value if mass >= LEAST_MASS else None


def expected_grade(probabilities: Mapping[int, float], scale: tuple[int, ...]) -> tuple[Estimate, float]:
    """Return the sum of grade times probability over the scale, renormalised by its mass, and the mass.

    The mass is the total probability of the grades of the scale; those off the scale are ignored. Undefined
    if it is 0.
    """
    valid = {grade: probabilities.get(grade, 0.0) for grade in scale}
    mass = math.fsum(valid.values())
    if mass <= 0:
        return Estimate.undefined(Reason.EMPTY), 0.0
    return Estimate.of(math.fsum(grade * p for grade, p in valid.items()) / mass), mass
