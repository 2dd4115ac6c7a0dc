"""The expected score of an answer from the probabilities of its tokens."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from trackside.judging.answers import is_before_score
from trackside.judging.forms import AnswerForm
from trackside.judging.parsing.completions import undecorated
from trackside.statistics.estimate import Estimate, Reason

LEAST_MASS = 0.5  # below it the model most likely wrote something other than a score
MARKER_ROOM = 80  # characters before a score that include its marker and markup
FURTHER = re.compile(r"\.?\d")  # the number continues in the next token


def expected_score(logprobs: Any, form: AnswerForm, score: float | None) -> float | None:
    """Return the mean of the alternatives of the score's token, weighted by probability.

    ``logprobs`` is the field of OpenAI's protocol with ``top_logprobs``, ``score`` the parsed score: its
    token is the last equal one after a marker, or the whole answer. None for labels, without a score or
    probabilities, if the number is more than one token long (its digits are not scores), or if less than half
    of the probability is on scores of the scale.
    """
    if form.labels:
        return None
    try:
        tokens = [(str(logprob["token"]), logprob["top_logprobs"]) for logprob in logprobs["content"]]
        index = _score_index([token for token, _ in tokens], form, score)
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


def mean_score(probabilities: dict[str, float], form: AnswerForm) -> float | None:
    """Return the mean over tokens that are scores of the scale, renormalised; None below LEAST_MASS."""
    by_score: dict[int, float] = {}
    for token, probability in probabilities.items():
        if token.strip().isdecimal() and len(token.strip()) <= len(str(form.highest)):
            score = int(token)
            by_score[score] = by_score.get(score, 0.0) + probability
    expected, mass = expected_grade(by_score, tuple(range(form.lowest, form.highest + 1)))
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
