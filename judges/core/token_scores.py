"""The expected score of an answer from the probabilities of its tokens."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from judges.core.answers import AnswerForm, is_before_score
from judges.core.completions import undecorated
from judges.core.expected_grade import expected_grade

LEAST_MASS = 0.5  # below it the model was mostly about to say something else than a score
MARKER_ROOM = 80  # characters before a score that hold its marker and whatever decorates it
FURTHER = re.compile(r"\.?\d")  # the number goes on in the next token


def expected_score(logprobs: Any, form: AnswerForm, score: float | None) -> float | None:
    """The mean of the scores that the score's token could have been, by probability.

    ``logprobs`` is what OpenAI's protocol gives with ``top_logprobs``, ``score`` what the answer was read as:
    its token is the last one that says so behind a marker, or the whole answer. None where there is no score,
    the endpoint gives no probabilities, the number is more than one token long (its digits are no scores), or
    less than half of the probability fell on scores of the scale.
    """
    try:
        tokens = [(str(each["token"]), each["top_logprobs"]) for each in logprobs["content"]]
        place = _place([token for token, _ in tokens], form, score)
        if place is None:
            return None
        return mean_score(
            {str(each["token"]): math.exp(min(0.0, float(each["logprob"]))) for each in tokens[place][1]},
            form,
        )
    except (TypeError, KeyError, ValueError):
        return None


def _place(tokens: Sequence[str], form: AnswerForm, score: float | None) -> int | None:
    """Where the token of the score stands: the last one behind a marker, or the only one."""
    text = "".join(tokens)
    is_bare = undecorated(text).rstrip(" .").isdecimal()
    end = len(text)
    for place, token in reversed(list(enumerate(tokens))):
        start = end - len(token)
        is_score = token.strip().isdecimal() and int(token) == score and not FURTHER.match(text, end)
        if is_score and (is_bare or is_before_score(text[max(0, start - MARKER_ROOM) : start], form)):
            return place
        end = start
    return None


def mean_score(probabilities: dict[str, float], form: AnswerForm) -> float | None:
    """The mean over tokens that read as scores of the scale, renormalised; None below LEAST_MASS."""
    by_score: dict[int, float] = {}
    for token, probability in probabilities.items():
        if token.strip().isdecimal() and len(token.strip()) <= len(str(form.highest)):
            score = int(token)
            by_score[score] = by_score.get(score, 0.0) + probability
    found = expected_grade(by_score, tuple(range(form.lowest, form.highest + 1)))
    return found.value.value if found.mass >= LEAST_MASS else None
