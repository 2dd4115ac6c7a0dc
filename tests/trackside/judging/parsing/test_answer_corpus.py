import json

import pytest

from tests.oracles.shared import shared_folder
from tests.trackside.judging.parsing.answer_corpus import OBJECTS, TEXTS
from tests.trackside.judging.parsing.thought_corpus import GUESS, THOUGHT_ANSWERS
from trackside.judging.answers import Outcome, Reading, read_answer
from trackside.judging.forms import FORMS
from trackside.judging.parsing.thoughts import THOUGHTS, ThoughtMarks, behind_thoughts

ANSWERS = [
    (form, *answer)
    for form, groups in (
        ("relevance-1-100", THOUGHT_ANSWERS),
        ("relevance-1-100", TEXTS),
        ("relevance-1-100-json", OBJECTS),
    )
    for group in groups.values()
    for answer in group
]


@pytest.mark.parametrize(("form", "text", "score", "outcome"), ANSWERS)
def test_answer_of_the_corpus_gives_its_score_or_a_gap_with_its_reason(
    form: str, text: str, score: float | None, outcome: Outcome
) -> None:
    assert read_answer(text, "stop", FORMS[form]) == Reading(outcome, score)


@pytest.mark.parametrize("reason", ["length", "content_filter", "abort", "tool_calls"])
@pytest.mark.parametrize(("form", "text"), [answer[:2] for answer in ANSWERS])
def test_no_answer_of_the_corpus_has_a_score_if_it_was_cut(form: str, text: str, reason: str) -> None:
    assert read_answer(text, reason, FORMS[form]).score is None


@pytest.mark.parametrize("marks", THOUGHTS, ids=lambda marks: marks.families)
def test_marks_of_each_family_open_and_close_its_thoughts(marks: ThoughtMarks) -> None:
    opening, closing = (
        mark.replace("hereismy", "Here is my ").replace("tprocess", "t process")
        for mark in (marks.opening, marks.closing)
    )
    for thought in (GUESS, "A </other> <|other|> [other]", "A ◁/other▷"):
        assert behind_thoughts(opening + thought) is None
        assert behind_thoughts(f"{opening}{thought}{closing}\nRelevance: 85") == "\nRelevance: 85"


@pytest.mark.parametrize("folder", ["judge_json_answers", "judge_tagged_thought_cut"])
def test_answer_of_the_shared_cases_gives_its_score(folder: str) -> None:
    lines = (shared_folder("cases", "imports3", folder) / "answers.jsonl").read_text().splitlines()
    for case in map(json.loads, filter(None, lines)):
        found = read_answer(case["text"], case["finish_reason"], FORMS[case["form"]])
        assert found.score == case["expected_score"], case
