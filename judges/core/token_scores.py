"""The expected score of an answer from the probabilities of its tokens."""

from __future__ import annotations

import math
import re
from typing import Any

from judges.core.answers import AnswerForm
from judges.core.expected_grade import expected_grade

LEAST_MASS = 0.5  # below it the model was mostly about to say something else than a score


def expected_score(logprobs: Any, form: AnswerForm) -> float | None:
    """The mean of the scores that the first number's token could have been, by probability.

    ``logprobs`` is what OpenAI's protocol gives with ``top_logprobs``. None where the endpoint gives none,
    the number is more than one token long (its digits are no scores), or less than half of the probability
    fell on scores of the scale.
    """
    try:
        tokens = [(str(each["token"]), each["top_logprobs"]) for each in logprobs["content"]]
        place = next(place for place, (token, _) in enumerate(tokens) if token.strip().isdecimal())
        if place + 1 < len(tokens) and re.match(r"[\d.]", tokens[place + 1][0]):
            return None
        return mean_score(
            {str(each["token"]): math.exp(min(0.0, float(each["logprob"]))) for each in tokens[place][1]},
            form,
        )
    except (TypeError, KeyError, ValueError, StopIteration):
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
