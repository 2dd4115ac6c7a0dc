"""Answers whose number stands in a sentence, or is taken back by one. The words are ours.

Each right value is what a careful reader says who sees the answer alone; None is a gap.
"""

from dataclasses import replace

import pytest

from trackside.judging.answers import read_answer
from trackside.judging.forms import FORMS, AnswerForm, answer_form

GRADE, RELEVANCE, GRADE_JSON = FORMS["grade-0-2"], FORMS["relevance-1-100"], FORMS["grade-0-2-json"]
LABELS = answer_form("labels:not relevant=0, related=1, relevant=2")
YES_NO = answer_form("labels:no=0, yes=1")

GAPS: list[tuple[AnswerForm, str]] = [
    # what a grade would need, or what somebody else says
    (GRADE, "The rubric says Grade: 2 for a lock. The picture shows a bridge."),
    (GRADE, "According to the criteria, a Grade: 1 is given when the canal is shown."),
    (GRADE, "To earn a Grade: 2 the lock must be shown. It is not."),
    (GRADE, "This falls short of Grade: 2."),
    (GRADE, "It doesn't deserve Grade: 2"),
    (GRADE, "It is hardly Grade: 1."),
    (GRADE, "Close to Grade: 2"),
    (GRADE, "Maybe Grade: 1"),
    (GRADE, "Kein Grade: 2"),
    (GRADE, "Only pictures of the lock get Grade: 2"),
    (GRADE, "Were the lock visible, I would answer Grade: 2"),
    (GRADE, "The text in the picture reads: Grade: 2"),
    (GRADE, "Example output:\nGrade: 2"),
    (GRADE, "For example: Grade: 2"),
    (GRADE, "☐ Grade: 2"),
    (GRADE, "~~Grade: 2~~ The picture shows a bridge."),
    # one aspect, or one end of the scale
    (GRADE, "Significance Grade: 2"),
    (GRADE, "Average grade: 1"),
    (GRADE, "Highest grade: 2"),
    (GRADE, "Initial grade: 2\nAfter a second look: 1"),
    (RELEVANCE, "Maximum relevance: 100"),
    (RELEVANCE, "Text relevance: 80"),
    # what is said of the number
    (GRADE, "Grade: 2 is too high; 1 fits better."),
    (GRADE, "Grade: 2 is for pictures of the lock itself."),
    (GRADE, "Grade: 2 was considered, but the picture shows only a canal."),
    (GRADE, "Grade: 2 can't be justified."),
    (GRADE, "Grade: 2 = lock shown"),
    (GRADE, "Grade: 2 (if it is the lock)"),
    (GRADE, "Grade: 1 at best"),
    (GRADE, "Grade: 2 out of five"),
    (RELEVANCE, "Relevance: 1. The lock is shown.\n2. The canal fits."),
    # another number later
    (GRADE, "Grade: 2\nHmm, let me reconsider. It is a 1."),
    (GRADE, "Grade: 2\n\nLet me double-check: the lock is missing, so 1."),
    (GRADE, "Grade: 2\n\nOn second look, it is only a 1."),
    (GRADE, "Grade: 2\n\nSo it gets a 1."),
    (GRADE, "Grade: 2\n\nI meant 1."),
    (GRADE, "Grade: 2\n\nMy answer is 1."),
    (GRADE, "Grade: 2\n\nResult: 1"),
    (GRADE, "Grade: 2\n\nScratch that. It's 0."),
    # JSON
    (GRADE_JSON, '{"grade": "2 if the lock is visible"}'),
    (GRADE_JSON, '{"grade": "2 would be too high"}'),
    (GRADE_JSON, 'Example: {"grade": 2}\n\nThe picture shows a bridge.'),
    (GRADE_JSON, 'If the lock were shown I would answer {"grade": 2}'),
    (GRADE_JSON, '{"grade": 2}\n\nOn reflection it should be 1.'),
    (GRADE_JSON, '{"grade": 2}\n\nFinal answer: 1'),
    (GRADE_JSON, '{"grade": 2, "final_grade": 1}'),
    # a phrase with its grade in parentheses that is spoken of, or does not fit it
    (GRADE, "Not relevant (Grade: 2)"),
    (GRADE, "Highly relevant (Grade: 0)"),
    (GRADE, "Less relevant (Grade: 1)"),
    (GRADE, "Not moderately relevant (Grade: 1)"),
    (GRADE, "To be highly relevant (Grade: 2)"),
    (GRADE, "The rubric says:\nHighly relevant (Grade: 2)"),
    (GRADE, "Highly relevant (Grade: 2) needs the lock."),
    (GRADE, "Highly relevant (Grade: 2)?"),
    (GRADE, "Highly relevant (Grade: 1-2)"),
    (GRADE, "Highly relevant (Grade: 2)\n\nActually, it is a 1."),
    (GRADE, "Not relevant (Grade: 0)\nModerately relevant (Grade: 1)\nHighly relevant (Grade: 2)"),
    (GRADE, "Highly relevant (Grade: 2) or moderately relevant (Grade: 1)"),
    (RELEVANCE, "Not relevant (Relevance: 5)"),
    # a grade by default
    (GRADE, "I cannot determine this. Grade: 0"),
    (GRADE, "I'm sorry, but I can't help with that. Grade: 0"),
    (GRADE, "Grade: 0 (cannot judge)"),
    (YES_NO, "No, sorry, I can't judge this."),
    # labels
    (LABELS, "Relevant, if the lock is shown."),
    (LABELS, "Relevant: no"),
    (LABELS, "Grade: relevant (not)"),
    (LABELS, "Grade: related, almost relevant"),
    (LABELS, "Grade: related (2)"),
    (LABELS, "Grade: related.\n\nCorrection: relevant"),
    (YES_NO, "No, I mean yes."),
    (YES_NO, "Answer: yes, unless it is another lock."),
]

SCORES: list[tuple[AnswerForm, str, float]] = [
    (GRADE, "The picture shows a canal, so I give it Grade: 1", 1),
    (GRADE, "Based on this, the image receives a Grade: 1.", 1),
    (GRADE, "It illustrates what the text says - Grade: 2", 2),
    (GRADE, "The correct grade is 1.", 1),
    (GRADE, "Image 1: Grade: 2", 2),
    (GRADE, "Example:\nGrade: 2\n\nThis pair:\nGrade: 1", 1),
    (GRADE, "Grade: ~~2~~ **1**", 1),
    (GRADE, "Grade: 1\n\nThe lock is missing, so it cannot be a 2.", 1),
    (GRADE, "Grade: 2\n\n1. The lock is shown, so the text fits.\n2. The gate is open.", 2),
    (GRADE, "I cannot judge whether the lock is open. Grade: 2", 2),
    (GRADE, "Moderately relevant (Grade: 1)", 1),
    (GRADE, "**Highly relevant** (Grade: 2).", 2),
    (GRADE, "Not relevant (Grade: 0)", 0),
    (GRADE, "Irrelevant (grade: 0)", 0),
    (GRADE, "The canal is shown, but no lock.\n\nPartially relevant (Grade: 1)", 1),
    (GRADE, "Highly relevant (Grade: 2)\n\nThe lock is shown with both gates.", 2),
    (GRADE, "Not relevant (Grade: 0)\nHighly relevant (Grade: 2)\n\nGrade: 1", 1),
    (RELEVANCE, "Somewhat relevant (Relevance: 40)", 40),
    (RELEVANCE, "The image's relevance is 80.", 80),
    (RELEVANCE, "High relevance: 85", 85),
    (GRADE_JSON, 'Based on the image, {"grade": 1}', 1),
    (GRADE_JSON, '{"initial_grade": 2, "final_grade": 1}', 1),
    (GRADE_JSON, '{"grade": 1}\n\nThe lock is missing, so it is not a 2.', 1),
    (LABELS, "Related: it shows a canal.", 1),
]


@pytest.mark.parametrize(("form", "text"), GAPS)
def test_number_that_is_supposed_quoted_denied_or_revised_is_a_gap(form: AnswerForm, text: str) -> None:
    assert read_answer(text, "stop", form).score is None


@pytest.mark.parametrize(("form", "text", "score"), SCORES)
def test_number_that_its_sentence_gives_is_read(form: AnswerForm, text: str, score: float) -> None:
    assert read_answer(text, "stop", form).score == score


@pytest.mark.parametrize(
    ("form", "text", "score"),
    [
        (GRADE, "This falls short of Grade: 2.", 2),
        (GRADE, "Grade: 2 is too high; 1 fits better.", 2),
        (GRADE, "Grade: 2\n\nI meant 1.", 2),
        (GRADE, "I cannot determine this. Grade: 0", 0),
        (GRADE_JSON, '{"grade": 2, "final_grade": 1}', 2),
        (LABELS, "Relevant, if the lock is shown.", 2),
    ],
)
def test_judges_of_revision_5_keep_their_reading(form: AnswerForm, text: str, score: float) -> None:
    assert read_answer(text, "stop", replace(form, revision=5)).score == score


def test_judges_of_revision_6_keep_their_reading() -> None:
    for text in ("Moderately relevant (Grade: 1)", "Not relevant (Grade: 0)"):
        assert read_answer(text, "stop", replace(GRADE, revision=6)).score is None
