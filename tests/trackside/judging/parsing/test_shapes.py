"""Shapes of answers of 2024 to 2026 in which a number is, or is not, a grade. The words are ours.

Each right value is what a careful reader says who sees the answer alone.
"""

from dataclasses import replace

import pytest

from trackside.judging.answers import Outcome, Reading, read_answer
from trackside.judging.forms import FORMS, AnswerForm, answer_form

GRADE, RELEVANCE, GRADE_JSON = FORMS["grade-0-2"], FORMS["relevance-1-100"], FORMS["grade-0-2-json"]
LABELS = answer_form("labels:not relevant=0, related=1, relevant=2")
YES_NO = answer_form("labels:no=0, yes=1")

SCORES: list[tuple[AnswerForm, str, float]] = [
    # tags, boxes and tables
    (GRADE, "<grade>2</grade>", 2),
    (GRADE, "<response>\n  <reasoning>3 boats</reasoning>\n  <grade>2</grade>\n</response>", 2),
    (GRADE, "<explanation>2 gates</explanation><answer>1</answer>", 1),
    (GRADE, "<result><final_grade>1</final_grade><confidence>2</confidence></result>", 1),
    (GRADE, "<rating>1</rating>", 1),
    (LABELS, "<grade>related</grade>", 1),
    (GRADE, "$\\boxed{\\text{Grade: }2}$", 2),
    (GRADE, "The final answer is $\\boxed{2}$.", 2),
    (GRADE, "The lock is shown.\n\n\\[\\boxed{2}\\]", 2),
    (GRADE, "| Grade | Reason |\n|---|---|\n| **2** | a lock of 1887 |", 2),
    (GRADE, "| Grade | Meaning |\n|---|---|\n| 0 | none |\n| 1 | canal |\n| 2 | lock |\n\nGrade: 1", 1),
    (GRADE, "Grade: 2<eos>", 2),
    (GRADE, "Grade 2", 2),
    (GRADE, "Grade:\n- 1", 1),
    # a grade, a line apart from its reasons
    (GRADE, "2\n\nThe picture shows the lock of 1887.", 2),
    (RELEVANCE, "The lock is shown, with 3 gates.\n\n62", 62),
    # a copy of the scale
    (GRADE, "Grade: 1 (on a scale of 0 to 2)", 1),
    (GRADE, "Grade: 1 [0-2]", 1),
    (GRADE, "Grade (0/1/2): 1", 1),
    (GRADE, "Grade: <0, 1, or 2>\n\nGrade: 1", 1),
    (GRADE_JSON, '{"grade": "<0, 1 or 2>"}\n\n{"grade": 1}', 1),
    (FORMS["grade-0-4"], "Grade: 3 (0-4 scale)", 3),
    (GRADE, "Grade: 2 out of 2", 2),
    (RELEVANCE, "Relevance: 62 points out of 100", 62),
    (RELEVANCE, "Relevanz: 62 von 100", 62),
    (RELEVANCE, "评分：62分（满分100分）", 62),
    (RELEVANCE, "综合评分：62", 62),
    # numbers that the line speaks about
    (GRADE, "Grade: 2, because the image shows 1 lock.", 2),
    (GRADE, "Grade: 1 – a canal with 2 boats, but no lock.", 1),
    (GRADE, "Grade: 0. None of the 3 required elements appear.", 0),
    (GRADE, "Grade: 0; 2 boats are visible.", 0),
    (GRADE, "Grade: 2 (exact match; the caption mentions 1887)", 2),
    (GRADE, "Grade: 1 (confidence: 90%)", 1),
    (GRADE, "Grade: 1 | Confidence: 0.8", 1),
    (GRADE, "Grade: 1 (0 = not, 1 = related, 2 = relevant)", 1),
    (GRADE, "Grade: 2, not 1", 2),
    (GRADE, "Grade: 2 rather than 1", 2),
    (GRADE, "**Grade: 1** The image shows 2 canals.", 1),
    (GRADE, "Grade: 2 highly relevant", 2),
    (RELEVANCE, "Relevance: 85. The picture from 1912 shows a lock.", 85),
    (RELEVANCE, "Relevance: 62 (subject: 80; place: 40)", 62),
    (RELEVANCE, "Relevance: 62% match", 62),
    (RELEVANCE, "Relevance: 60 %の一致", 60),
    (RELEVANCE, "Relevance: 60 overall", 60),
    (GRADE, "Grade: 2 (see figure 1)", 2),
    (GRADE, "Grade: 1\n\nIf the lock were open it would be 2.", 1),
    (GRADE, "Grade: 1\n\nI considered 2 but the lock is missing.", 1),
    (GRADE, "If I had to choose: Grade: 1", 1),
    # labels
    (LABELS, "Grade: relevant (2)", 2),
    (LABELS, "Grade: related (shows a canal)", 1),
    (LABELS, "Grade: related\n\nIt would be relevant if the lock were shown.", 1),
    (YES_NO, "Yes, no doubt.", 1),
    (YES_NO, "Answer: No, the picture shows a bridge.", 0),
]

NO_SCORE: list[tuple[AnswerForm, str, Outcome]] = [
    # a number that counts something
    (RELEVANCE, "Relevance: 19 locks are shown", Outcome.UNPARSED),
    (RELEVANCE, "Relevance: 5 reasons speak for it", Outcome.UNPARSED),
    (RELEVANCE, "Relevance: 50 mm lens", Outcome.UNPARSED),
    (RELEVANCE, "Relevance: 4 stars", Outcome.UNPARSED),
    (RELEVANCE, "Relevance: 85% of the picture shows water", Outcome.UNPARSED),
    (RELEVANCE, "Relevance: 85% sure it is a lock", Outcome.UNPARSED),
    (RELEVANCE, "Relevance: 60-year-old lock", Outcome.UNPARSED),
    (RELEVANCE, "Relevance: 60 Jahre alt", Outcome.UNPARSED),
    (GRADE, "Grade: 2 images match", Outcome.UNPARSED),
    (GRADE_JSON, '{"grade": "1?"}', Outcome.AMBIGUOUS),
    (GRADE, "Grade: 1 (?)", Outcome.AMBIGUOUS),
    (GRADE, "Grade: 1 of the 2 criteria is met", Outcome.UNPARSED),
    (GRADE, "Grade: 1 of 2 criteria met", Outcome.UNPARSED),
    # a second verdict in other words
    (GRADE, "Grade: 2\n\nCorrection: 1", Outcome.AMBIGUOUS),
    (GRADE, "Grade: 2\n\nActually, I would change this to 1.", Outcome.AMBIGUOUS),
    (GRADE, "Grade: 2\n\nOn reflection, the grade should be 1.", Outcome.AMBIGUOUS),
    (GRADE, "Grade: 1\n\nNo, 2.", Outcome.AMBIGUOUS),
    (GRADE, "Grade: 1\n\nFinal answer: 2", Outcome.AMBIGUOUS),
    (GRADE, "Grade: 1\n\nFinal: 2", Outcome.AMBIGUOUS),
    (GRADE, "Grade: 1\n\n\\boxed{2}", Outcome.AMBIGUOUS),
    (GRADE, "Grade: 1\n\n<answer>2</answer>", Outcome.AMBIGUOUS),
    (GRADE, "Grade: 1\n\n→ 2", Outcome.AMBIGUOUS),
    (GRADE, "<grade>1</grade><grade>2</grade>", Outcome.AMBIGUOUS),
    (GRADE, '<a id="1"><grade>2</grade></a>\n<a id="2"><grade>0</grade></a>', Outcome.AMBIGUOUS),
    (GRADE, "| Criterion | Grade |\n|---|---|\n| Subject | 2 |\n| Setting | 0 |", Outcome.AMBIGUOUS),
    (GRADE, "Grade: 1 (could be 2)", Outcome.AMBIGUOUS),
    (GRADE, "Grade: 1 or 2 depending on the lock", Outcome.AMBIGUOUS),
    (GRADE, '{"grade": 2, "reason": "a lo', Outcome.AMBIGUOUS),
    # bounds and conditions
    (GRADE, "Grade: 1 at most", Outcome.RANGE),
    (GRADE, "Grade: 2-", Outcome.RANGE),
    (RELEVANCE, "Relevance: 80...85", Outcome.RANGE),
    (GRADE, "If the lock were shown, Grade: 2", Outcome.UNPARSED),
    (RELEVANCE, "How many locks are visible:\n3", Outcome.UNPARSED),
    (RELEVANCE, "3\nboats\n2\nlocks", Outcome.AMBIGUOUS),
    # labels
    (LABELS, "Grade: relevant? No, related", Outcome.UNPARSED),
    (LABELS, "Relevant, but only related", Outcome.AMBIGUOUS),
    (LABELS, "relevant, related, not relevant", Outcome.AMBIGUOUS),
    (YES_NO, "Yes, no", Outcome.AMBIGUOUS),
    (YES_NO, "Yes\nNo", Outcome.AMBIGUOUS),
    (YES_NO, "No, wait: yes.", Outcome.AMBIGUOUS),
    (YES_NO, "Yes?", Outcome.UNPARSED),
]

NO_PICTURE = """
The image you provided could not be loaded.|I have no way to view images.|No picture.
Image: not provided
Based on the text alone, since the image is unavailable:|I was not given an image.
I haven't received any image.
You haven't attached an image.|The image seems to be missing.
The image appears to be missing from your message.
The picture isn't showing up for me.|I only have the text, not the image.
Images are not supported.
I'm a text model and can't look at pictures.|I see only a placeholder where the image should be.
The image link is broken.|The image URL cannot be opened.|No visual content was provided.
No image detected.
I do not have vision capabilities.|Without an image, I can only guess.
There doesn't seem to be an image attached.
The image wasn't included in your prompt.|I'm having trouble viewing the image.
Cannot view image.
The provided link does not contain an image.|Could you upload the picture again?
I have no visual information.
I see a blank space instead of an image.|There's no picture for me to look at.
there isn't an image
Leider kann ich kein Bild sehen.|Das Bild wurde nicht mitgeliefert.|No veo ninguna imagen.|没有图片。
抱歉，我看不到图片。|이미지가 없습니다.|Изображение не предоставлено.|لم يتم توفير صورة.
"""

A_PICTURE = """
No lock is visible in the image.
No picture of the lock could convince me; this one shows a bridge.
The lock is missing from the image.
The image is unavailable in other archives, but here the bridge is seen.
Without an image caption, the bridge cannot be named.|The image could not be clearer: a bridge.
I do not see the image as relevant.|This picture can't be opened to interpretation.
The picture was not provided by the archive but by a visitor.
The image is not supported by the topic text.
There doesn't seem to be a lock in the picture.|The image does not appear to show a lock.
I'm having trouble identifying the lock in the image.|No lock detected in the image.
There's no lock in the image.
The image only shows text.|The provided image does not contain a lock.
You can't see the lock in the picture.
The image is not provided with a caption, but shows a bridge.
There is no photo of a lock but a bridge photo.
There is no visual evidence of a lock.|The picture is missing key elements such as the gate.
Im Bild ist keine Schleuse zu sehen.|图片中没有船闸。|画像に水門は見えません。
"""

FOURTH = [
    ("Relevance: 19 locks are shown", 19),
    ("Relevance: 62\n\nCorrection: 40", 62),
    ("No image.\nRelevance: 62", 62),
    ("<relevance>62</relevance>", None),
    ("Relevance: 62 (1-100)", None),
]


def sentences(text: str) -> list[str]:
    return [sentence for line in text.strip().split("\n") for sentence in line.split("|")]


@pytest.mark.parametrize(("form", "text", "score"), SCORES)
def test_shape_with_one_grade_is_read(form: AnswerForm, text: str, score: float) -> None:
    assert read_answer(text, "stop", form).score == score


@pytest.mark.parametrize(("form", "text", "outcome"), NO_SCORE)
def test_shape_without_one_grade_is_a_gap_with_its_reason(
    form: AnswerForm, text: str, outcome: Outcome
) -> None:
    assert read_answer(text, "stop", form) == Reading(outcome)


@pytest.mark.parametrize("text", sentences(NO_PICTURE))
def test_sentence_that_no_picture_came_is_a_refusal(text: str) -> None:
    assert read_answer(f"{text}\nGrade: 0", "stop", GRADE) == Reading(Outcome.REFUSAL)
    json = f'{{"reason": "{text}", "grade": 0}}'
    assert read_answer(json, "stop", GRADE_JSON) == Reading(Outcome.REFUSAL)


@pytest.mark.parametrize("text", sentences(A_PICTURE))
def test_sentence_on_what_a_picture_lacks_is_no_refusal(text: str) -> None:
    assert read_answer(f"{text}\nGrade: 0", "stop", GRADE) == Reading(Outcome.OK, 0)


@pytest.mark.parametrize(("text", "score"), FOURTH)
def test_judges_of_revision_4_keep_their_reading(text: str, score: float | None) -> None:
    assert read_answer(text, "stop", replace(RELEVANCE, revision=4)).score == score
