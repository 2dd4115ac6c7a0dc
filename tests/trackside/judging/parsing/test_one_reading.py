"""An answer has one reading or none. The words are ours; each right value follows by hand."""

import json
from dataclasses import replace

import pytest

from tests.oracles.shared import shared_folder
from trackside.judging.answers import Outcome, Reading, read_answer
from trackside.judging.endpoints.chat import completion_response
from trackside.judging.forms import FORMS, AnswerForm, answer_form

RELEVANCE, GRADE = FORMS["relevance-1-100"], FORMS["grade-0-2"]
RELEVANCE_JSON, GRADE_JSON = FORMS["relevance-1-100-json"], FORMS["grade-0-2-json"]
LABELS = answer_form("labels:no=0, partly=1, yes=2")

TWO_VERDICTS = [
    (GRADE, "Grade: 1\nGrade: 2 would require the lock itself."),
    (GRADE, "Grade: 2\n\nNote: Grade: 0 would be for other canals."),
    (GRADE, "Grade: 1\nWhy not Grade: 2? The lock is missing."),
    (GRADE, "**Grade: 1**\n\n- Grade: 2 – not met\n- Grade: 0 – not needed"),
    (GRADE, "Final grade: 2\nInitial grade: 1"),
    (GRADE, "Grade: 1\nGrade: 2"),
    (GRADE, "Grade: 0\nGrade: 1\nGrade: 2"),
    (GRADE, "- Grade: 1\n- Grade: 2"),
    (GRADE, "1. Grade: 2\n2. Grade: 0"),
    (GRADE, "Grade: 2\n\nIts grade is 1 if the lock must be shown."),
    (GRADE, "Grade: 0, a harbour.\nGrade: 2, a lock."),
    (GRADE, "Grade: 1\n\n2"),
    (GRADE, "Grade: 1\n\nGrade: 1.5"),
    (GRADE, "Grade: 1\nGrade: 1-2"),
    (GRADE, "Grade: 1\n\nOverall grade: 2"),
    (GRADE, "Grade: 1\n| Grade | 2 |"),
    (GRADE, 'Grade: 1\n```json\n{"grade": 2}\n```'),
    (GRADE, '{"grade": 1}\n\nGrade: 2 would need the lock.'),
    (RELEVANCE, "Text relevance: 40\nImage relevance: 90"),
    (RELEVANCE, "Relevance: 20\nOn second thought:\nRelevance: 70"),
    (RELEVANCE, "Relevance: 70\nRelevance: 7/10"),
    (RELEVANCE, "Score: 70\nScore: 20"),
    (RELEVANCE, "Relevance: 85\nIts relevance is 20."),
    (GRADE_JSON, '{"grade": 1}\n{"grade": 2}'),
    (GRADE_JSON, '{"grade": 1}\nGrade: 2 would require the lock.'),
    (LABELS, "Grade: partly\nGrade: yes, if the lock counts."),
    (LABELS, "Grade: no\nGrade: yes"),
]

SCORES = [
    (GRADE, "It could be a canal, so Grade: 1 at first.\nThe lock is there.\nGrade: 2", 2),
    (GRADE, "Grade: 0 = nothing\nGrade: 1 = canal\nGrade: 2 = lock\n\nGrade: 1", 1),
    (GRADE, "Grade: 2 would need the lock.\nGrade: 1", 1),
    (GRADE, "I cannot see any lock in the picture. Grade: 0", 0),
    (GRADE, "The lock in the picture is not visible.\nGrade: 0", 0),
    (GRADE, "I do not see a picture of a lock here, only of a bridge.\nGrade: 0", 0),
    (GRADE, 'The caption says "no image provided". The lock is shown.\nGrade: 2', 2),
    (GRADE, "The sign reads «no image available».\nGrade: 1", 1),
    (GRADE, "Die Tafel sagt „Kein Bild vorhanden“.\nGrade: 1", 1),
    (GRADE, "看板写着「没有提供图片」。\nGrade: 1", 1),
    (GRADE, "> I can't view images.\n\nThat was the example. Here the lock is shown.\nGrade: 2", 2),
    (GRADE, "The image is missing the lock.\nGrade: 1", 1),
    (GRADE, "> Grade: 2", 2),
    (GRADE, "• **Grade:** 2\nThe picture shows a lock.", 2),
    (GRADE, "So my final grade: 2", 2),
    (GRADE, "Grade – 2", 2),
    (GRADE, "Grade → 1", 1),
    (GRADE, "## Grade\n2", 2),
    (GRADE, "| Criterion | Value |\n|---|---|\n| Grade | 2 |", 2),
    (GRADE, "Grade (0-2): 1", 1),
    (GRADE, "«Grade: 2»", 2),
    (GRADE, "„Grade: 2“", 2),
    (GRADE, "「Grade: 2」", 2),
    (GRADE, "Grade: 2\nConfidence: 1", 2),
    (GRADE, "Grade: 2\n\n1. A lock is shown.\n2. The canal fits.", 2),
    (RELEVANCE, "Relevance (1-100): 62", 62),
    (RELEVANCE, "Relevance on a scale of 1 to 100: 62", 62),
    (RELEVANCE, "Relevance score (out of 100): 62", 62),
    (RELEVANCE, "85%", 85),
    (RELEVANCE, "Relevance: 85 percent", 85),
    (RELEVANCE, "Score: 70", 70),
    (RELEVANCE, "**Rating:** 70/100", 70),
    (RELEVANCE, "Overall score: 70\nConfidence: 90", 70),
    (RELEVANCE, "评分：70", 70),
    (RELEVANCE, "Text relevance: 40\nImage relevance: 90\nOverall relevance: 60", 60),
    (RELEVANCE, '```json\n{"relevance": 62, "confidence": 90}\n```', 62),
    (RELEVANCE_JSON, '{"relevance": "62%"}', 62),
    (LABELS, "Grade: yes or no?\nGrade: yes", 2),
    (LABELS, "Grade: partly\nGrade: yes would require the lock.", 1),
    (LABELS, "**Grade: partly**\nThe canal is shown.", 1),
]

NO_SCORE = [
    (RELEVANCE, "Score: 3/5", Outcome.WRONG_SCALE),
    (RELEVANCE, "Relevance (0-10): 6", Outcome.WRONG_SCALE),
    (RELEVANCE, "Relevance (out of 10): 6", Outcome.WRONG_SCALE),
    (RELEVANCE, "Relevance: I cannot say. Confidence score: 95", Outcome.REFUSAL),
    (RELEVANCE, "I would give this a score of 70.", Outcome.UNPARSED),
    (RELEVANCE, "| Text | Image |\n|---|---|\n| 40 | 90 |", Outcome.UNPARSED),
    (GRADE, "85%", Outcome.WRONG_SCALE),
    (GRADE, "Grade: 2 would require the lock itself.", Outcome.UNPARSED),
    (GRADE, "I would not say Grade: 2", Outcome.UNPARSED),
    (GRADE, "Rank: 1 of 4 pictures", Outcome.UNPARSED),
]

NO_PICTURE = [
    "I can't view images. Relevance: 1",
    "I'm unable to see or access the image you mention.\nRelevance: 10",
    "No image was provided.\nRelevance: 1",
    "There is no image attached.\n\nRelevance: 1",
    "The image did not load. Relevance: 20",
    "The picture wasn't attached, so I judge by the text alone.\nRelevance: 40",
    "I don’t have access to the photo. Based on the caption:\n**Relevance:** 62",
    "As a text-based model I judge by the caption. Relevance: 50",
    "Please upload the image again.\nRelevance: 1",
    "Image not available.\nRelevance: 1",
    "I do not see any image here. Relevance: 1",
    "Without access to the image, I go by its title.\nRelevance: 55",
    '{"reason": "I cannot view the image, so I guess.", "relevance": 30}',
    "Ich kann das Bild nicht sehen.\nRelevance: 30",
    "Je ne peux pas voir l’image.\nRelevance: 30",
    "No puedo ver la imagen.\nRelevance: 30",
    "我无法查看图片。\nRelevance: 30",
    "画像が提供されていません。\nRelevance: 30",
]


@pytest.mark.parametrize(("form", "text"), TWO_VERDICTS)
def test_answer_with_two_verdicts_that_differ_has_none(form: AnswerForm, text: str) -> None:
    assert read_answer(text, "stop", form) == Reading(Outcome.AMBIGUOUS)


@pytest.mark.parametrize(("form", "text", "score"), SCORES)
def test_answer_with_one_verdict_is_read(form: AnswerForm, text: str, score: float) -> None:
    assert read_answer(text, "stop", form).score == score


@pytest.mark.parametrize(("form", "text", "outcome"), NO_SCORE)
def test_answer_without_a_verdict_has_no_score(form: AnswerForm, text: str, outcome: Outcome) -> None:
    assert read_answer(text, "stop", form) == Reading(outcome)


@pytest.mark.parametrize("text", NO_PICTURE)
def test_words_that_no_picture_was_received_are_a_refusal_if_one_was_sent(text: str) -> None:
    form = RELEVANCE_JSON if text.startswith("{") else RELEVANCE

    assert read_answer(text, "stop", form) == Reading(Outcome.REFUSAL)
    assert read_answer(text, "stop", replace(form, is_shown_picture=False)).score is not None


@pytest.mark.parametrize(
    ("name", "score"), [("grade-0-2-last", 2), ("grade-0-2-first", 1), ("grade-0-2-json-last", 2)]
)
def test_form_that_declares_first_or_last_takes_that_verdict(name: str, score: float) -> None:
    form = answer_form(name)
    text = '{"grade": 1}\n{"grade": 2}' if form.is_json else "Grade: 1\nGrade: 2"

    assert read_answer(text, "stop", form) == Reading(Outcome.OK, score)


def test_labels_that_declare_the_last_take_it() -> None:
    form = answer_form("labels-last:no=0, yes=1")

    assert read_answer("Grade: no\nGrade: yes", "stop", form) == Reading(Outcome.OK, 1)


@pytest.mark.parametrize(
    ("text", "score"),
    [("Grade: 1\nGrade: 2 would require the lock.", 2), ("I can't view images. Grade: 1", 1), ("50%", None)],
)
def test_judges_of_earlier_revisions_keep_their_reading(text: str, score: float | None) -> None:
    assert read_answer(text, "stop", replace(GRADE, revision=3)).score == score


def test_answers_of_the_shared_cases_give_their_score_or_none() -> None:
    folder = shared_folder("cases", "imports4", "answer_grade_then_reason")
    for case in map(json.loads, filter(None, (folder / "answers.jsonl").read_text().splitlines())):
        found = read_answer(case["text"], case["finish_reason"], FORMS[case["form"]])
        assert found.score == case["expected_score"] or found.outcome is Outcome.AMBIGUOUS, case
    assert found.score == 2  # the control: reason first, grade last


def test_choices_of_the_shared_cases_give_their_score_or_none() -> None:
    folder = shared_folder("cases", "imports4", "choices_of_gateways")
    for case in map(json.loads, filter(None, (folder / "bodies.jsonl").read_text().splitlines())):
        found = completion_response("a", case["body"], RELEVANCE)
        assert (found.reading.score if found.reading else None) == case["score"], case
