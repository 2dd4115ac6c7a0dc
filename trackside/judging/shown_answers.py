"""Answers as pages show them: the number that was read is marked, and so is every other candidate."""

import re
from typing import NamedTuple

from trackside.judging.answers import read_answer
from trackside.judging.forms import AnswerForm, plain_label
from trackside.judging.parsing.numbers import NUMBERS
from trackside.judging.parsing.verdicts import is_before_score


class AnswerPart(NamedTuple):
    """A part of an answer: its text, and "read", "candidate", or "" for the words around."""

    text: str
    kind: str = ""


def marked_parts(text: str, form: AnswerForm) -> list[AnswerPart]:
    """Cut an answer at the numbers, or labels, that stand behind a marker; without a marker at the first."""
    labels = "|".join(re.escape(label) for label, _ in sorted(form.labels, key=lambda label: -len(label[0])))
    pattern = re.compile(rf"\b(?:{labels})\b", re.IGNORECASE) if labels else NUMBERS
    found = list(pattern.finditer(text))
    spans = [match for match in found if is_before_score(text[: match.start()], form)]
    score = read_answer(text, "stop", form).score
    parts, end = list[AnswerPart](), 0
    for match in spans or found[: score is not None]:
        value = form.scores.get(plain_label(match[0])) if labels else float(match[0].replace("−", "-"))
        kind = "read" if score is not None and value == score else "candidate"
        parts += [AnswerPart(text[end : match.start()]), AnswerPart(match[0], kind)]
        end = match.end()
    return [part for part in (*parts, AnswerPart(text[end:])) if part.text]
