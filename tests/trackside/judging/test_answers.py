import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from trackside.judging.answers import SCORED, Outcome, Reading, read_answer
from trackside.judging.forms import FORMS, AnswerForm

RELEVANCE = FORMS["relevance-1-100"]
GRADE = FORMS["grade-0-2"]
JSON = FORMS["relevance-1-100-json"]
UMBRELA = AnswerForm("final score", 0, 3)

SCORES: list[tuple[str, Outcome, float]] = [
    ("Relevance: 85", Outcome.OK, 85),
    ("relevance:85", Outcome.OK, 85),
    ("RELEVANCE = 85", Outcome.OK, 85),
    ("Relevance: 85.", Outcome.OK, 85),
    ("Relevance: 085", Outcome.OK, 85),
    ("Relevance: +85", Outcome.OK, 85),
    ("**Relevance:** 85", Outcome.OK, 85),
    ("**Relevance: 85**", Outcome.OK, 85),
    ('"Relevance: 85"', Outcome.OK, 85),
    ("Relevance: <85>", Outcome.OK, 85),
    ("Relevance: `85`", Outcome.OK, 85),
    ("Relevance score: 85", Outcome.OK, 85),
    ("Relevance is 85", Outcome.OK, 85),
    ("Relevance:\n85", Outcome.OK, 85),
    ("Relevance: 1", Outcome.OK, 1),
    ("Relevance: 100", Outcome.OK, 100),
    ("The relevance: 85", Outcome.OK, 85),
    ("  \nRelevance: 85\n\n", Outcome.OK, 85),
    ("Relevance: 85, as the barn is red", Outcome.OK, 85),
    ("Relevance: 85\nThe image shows 3 barns and 2 cows.", Outcome.OK, 85),
    # The instruction is repeated before the answer.
    ('I am asked for "Relevance: <score>".\nRelevance: 40', Outcome.OK, 40),
    ("Relevance: 85, yes, 85", Outcome.OK, 85),
    # Numbers before the marker are the model's reasoning.
    ("In 1912 there were 40 barns. Relevance: 12", Outcome.OK, 12),
    ("On a scale of 1 to 100, I say. Relevance: 12", Outcome.OK, 12),
    ("Relevance: 72.5", Outcome.OK_DECIMAL, 72.5),
    ("Relevance: 85.0", Outcome.OK, 85),
    ("85", Outcome.OK_BARE, 85),
    ("85.", Outcome.OK_BARE, 85),
    ("**85**", Outcome.OK_BARE, 85),
    ("72.5", Outcome.OK_DECIMAL, 72.5),
    # "is" is a marker only before a number, and only where none has a colon.
    ("Relevance: 85\nIts relevance is clear: 3 barns", Outcome.OK, 85),
    ("Relevance: 85\nIts relevance is high.", Outcome.OK, 85),
    ("The relevance is 85.", Outcome.OK, 85),
    ("The relevance score is: 85", Outcome.OK, 85),
    # What may be between a marker and its number.
    ("Relevance: ~85", Outcome.OK, 85),
    ("Relevance: about 85", Outcome.OK, 85),
    ("Relevance: approx. 85", Outcome.OK, 85),
    ("Relevance: a score of **85**", Outcome.OK, 85),
    ("<b>Relevance:</b> 85", Outcome.OK, 85),
    # A fraction of the scale's end is the score on it.
    ("Relevance: 85(out of 100)", Outcome.OK, 85),
    # Only what follows the thoughts is the answer.
    ("It is a barn. Relevance: 20\n</think>\n85", Outcome.OK_BARE, 85),
    ("<think>a</think><THINK>Relevance: 20</THINK>Relevance: 85", Outcome.OK, 85),
]

FAILURES: list[tuple[str, Outcome]] = [
    ("Relevance: 8/10", Outcome.WRONG_SCALE),
    ("4/5", Outcome.WRONG_SCALE),
    ("Relevance: 0.85", Outcome.WRONG_SCALE),
    ("0.85", Outcome.WRONG_SCALE),
    ("On a scale of 1 to 10, Relevance: 8", Outcome.WRONG_SCALE),
    # umbrela takes the first number of its answer and reads this as 3; here another scale was asked for.
    ("on a scale of 0 to 3, final score: 1", Outcome.WRONG_SCALE),
    ("Relevance: 70-80", Outcome.RANGE),
    ("Relevance: 70 – 80", Outcome.RANGE),
    ("Relevance: 70 to 80", Outcome.RANGE),
    ("Relevance: between 70 and 80", Outcome.RANGE),
    ("70-80", Outcome.RANGE),
    ("Relevance: 150", Outcome.OUT_OF_RANGE),
    ("Relevance: 0", Outcome.OUT_OF_RANGE),
    ("Relevance: -5", Outcome.OUT_OF_RANGE),
    ("Relevance: −5", Outcome.OUT_OF_RANGE),
    ("101", Outcome.OUT_OF_RANGE),
    ("Relevance: 100.5", Outcome.OUT_OF_RANGE),
    ("Relevance: 85 or 70", Outcome.AMBIGUOUS),
    ("Relevance: 85, perhaps 70", Outcome.AMBIGUOUS),
    ("85, 70", Outcome.AMBIGUOUS),
    ("I’m sorry, I cannot rate images of people.", Outcome.REFUSAL),
    ("I am unable to view images.", Outcome.REFUSAL),
    ("As an AI language model I do not see pictures.", Outcome.REFUSAL),
    ("Relevance: I cannot say", Outcome.REFUSAL),
    (" \n\t", Outcome.EMPTY),
    ("The image shows a red barn.", Outcome.UNPARSED),
    ("I would give this image 85 points.", Outcome.UNPARSED),
    ("There are 3 barns and 2 cows.", Outcome.UNPARSED),
    ("Relevance: high", Outcome.UNPARSED),
    ("Relevance:", Outcome.UNPARSED),
    ("Relevance: v85", Outcome.UNPARSED),
    ("Relevance: 1.2.3", Outcome.UNPARSED),
    ("Relevance: eighty-five", Outcome.UNPARSED),
    ("Irrelevance: 85", Outcome.UNPARSED),
    ("Relevance: " + "9" * 5000, Outcome.UNPARSED),
    ("Relevance: nan", Outcome.UNPARSED),
    ("Relevance: inf", Outcome.UNPARSED),
    # Numbers that are not the score: they do not come first behind the marker.
    ("Relevance: N/A. I cannot view image 1.", Outcome.REFUSAL),
    ("Relevance: N/A\nI'm unable to view image 1.", Outcome.REFUSAL),
    ("Relevance: I cannot rate this; it shows 2 people", Outcome.REFUSAL),
    ("Relevance: not applicable, image 1 is missing", Outcome.UNPARSED),
    ("Relevance: unknown (see image 1)", Outcome.UNPARSED),
    ("Relevance:\n\nThe image shows 3 dogs", Outcome.UNPARSED),
    ("Relevance:\n3 dogs are shown", Outcome.UNPARSED),
    ("Relevance: <score>\n85 barns", Outcome.UNPARSED),
    ("The relevance is low because only 1 criterion is met", Outcome.UNPARSED),
    # Decoration separates numbers; it does not join them.
    ("Relevance: 8(1)", Outcome.AMBIGUOUS),
    ("Relevance: 85[1]", Outcome.AMBIGUOUS),
    ("85[1]", Outcome.AMBIGUOUS),
    ("Relevance: 85pts (max 100)", Outcome.UNPARSED),
    # A bound is no score.
    ("Relevance: <50", Outcome.RANGE),
    ("Relevance: > 80", Outcome.RANGE),
    ("Relevance: at least 80", Outcome.RANGE),
    ("Relevance: 80+", Outcome.RANGE),
    ("<50", Outcome.RANGE),
    # Refusals keep their apostrophes.
    ("I can't assist with that.", Outcome.REFUSAL),
    ("I can’t rate image 1.", Outcome.REFUSAL),
    ("I won't rate this", Outcome.REFUSAL),
    ("I'm not able to see image 1", Outcome.REFUSAL),
    # Thoughts without an end, and with nothing behind it.
    ("Relevance: 20 <think>\nRelevance: 85\n", Outcome.TRUNCATED),
]


@pytest.mark.parametrize(("text", "outcome", "score"), SCORES)
def test_answer_gives_a_score(text: str, outcome: Outcome, score: float) -> None:
    assert read_answer(text, "stop", RELEVANCE) == Reading(outcome, score)


@pytest.mark.parametrize(("text", "outcome"), FAILURES)
def test_answer_without_a_plain_score_is_a_gap_with_a_reason(text: str, outcome: Outcome) -> None:
    assert read_answer(text, "stop", RELEVANCE) == Reading(outcome)


@pytest.mark.parametrize(
    "text",
    [
        "8",  # the answer may have been cut before 85
        "Relevance: 8",
        "Relevance: 85 ",  # "85 out of 1000" is still possible
        "Relevance:",
        "The image shows",
        "",
        "Relevance: 85\nThe image sh",
        "Relevance: 85\nNo, rather:\nRelevance: 7",
    ],
)
def test_answer_that_was_cut_off_has_no_score(text: str) -> None:
    assert read_answer(text, "length", RELEVANCE) == Reading(Outcome.TRUNCATED)


@pytest.mark.parametrize("reason", ["", "stop", "STOP", "eos", "eos_token", "end_turn", "stop_sequence"])
def test_answer_that_its_model_ended_is_whole(reason: str) -> None:
    assert read_answer("Relevance: 8", reason, RELEVANCE) == Reading(Outcome.OK, 8)


@pytest.mark.parametrize(
    "reason",
    [
        *("length", "max_tokens", "MAX_TOKENS", "model_length", "abort", "error", "any other"),
        *("tool_calls", "insufficient_system_resource"),
    ],
)
def test_answer_that_ended_for_another_reason_is_cut_off(reason: str) -> None:
    assert read_answer("Relevance: 8", reason, RELEVANCE) == Reading(Outcome.TRUNCATED)


@pytest.mark.parametrize("reason", ["content_filter", "refusal", "SAFETY"])
def test_answer_that_a_filter_stopped_is_a_refusal(reason: str) -> None:
    assert read_answer("Relevance: 85", reason, RELEVANCE) == Reading(Outcome.REFUSAL)


@pytest.mark.parametrize(
    "sign", [" ", "\n", "\t\n", "`", "{", "<", "'", "i ", "I'", "<b ", "scale", "1", "relevance "]
)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_long_repetition_of_one_sign_is_read_in_linear_time(sign: str, form: AnswerForm) -> None:
    # With quadratic time or worse, these take minutes or more.
    for before in ("", "scale", "Relevance", "Relevance:", "i", "```", "{"):
        text = (before + sign * 20_000)[:19_999] + "x"  # all characters of it are read
        assert read_answer(text, "stop", form).score is None


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ("on a scale of 0 to 3, final score: 1", UMBRELA, Reading(Outcome.OK, 1)),
        ("##final score: 2", UMBRELA, Reading(Outcome.OK, 2)),
        ("final score: 4", UMBRELA, Reading(Outcome.OUT_OF_RANGE)),
        ("Grade: 0", GRADE, Reading(Outcome.OK, 0)),
        ("2", GRADE, Reading(Outcome.OK_BARE, 2)),
        ("Grade: 1.5", GRADE, Reading(Outcome.OK_DECIMAL, 1.5)),
        ("Grade: 3", GRADE, Reading(Outcome.OUT_OF_RANGE)),
        ("Grade: 85", GRADE, Reading(Outcome.OUT_OF_RANGE)),
        ("Grade: 2/2", GRADE, Reading(Outcome.FRACTION)),
        ("Grade: 1-2", GRADE, Reading(Outcome.RANGE)),
        ("50%", GRADE, Reading(Outcome.WRONG_SCALE)),
    ],
)
def test_answer_is_read_on_the_scale_that_was_asked_for(
    text: str, form: AnswerForm, expected: Reading
) -> None:
    assert read_answer(text, "stop", form) == expected


@pytest.mark.parametrize(
    ("text", "finish_reason", "expected"),
    [
        ('{"relevance": 72.5}', "stop", Reading(Outcome.OK_DECIMAL, 72.5)),
        ('{"relevance": 0}', "stop", Reading(Outcome.OUT_OF_RANGE)),
        ('{"relevance": true}', "stop", Reading(Outcome.UNPARSED)),
        ('{"relevance": NaN}', "stop", Reading(Outcome.UNPARSED)),
        ('{"score": 85}', "stop", Reading(Outcome.UNPARSED)),
        ("[85]", "stop", Reading(Outcome.UNPARSED)),
        ("[" * 20_000, "stop", Reading(Outcome.UNPARSED)),
        ('{"relevance": 8', "length", Reading(Outcome.TRUNCATED)),
    ],
)
def test_answer_in_json_gives_its_one_number(text: str, finish_reason: str, expected: Reading) -> None:
    assert read_answer(text, finish_reason, JSON) == expected


WORDS = st.lists(
    st.sampled_from(
        [
            "Relevance",
            ":",
            "Grade:",
            "85",
            "8",
            "-",
            "–",
            "/",
            "100",
            "out of",
            "%",
            "0.5",
            ".",
            ",",
            "\n",
            " ",
            "{",
        ]
    )
    | st.text(max_size=8),
    max_size=12,
).map("".join)


@given(
    text=WORDS | st.text(),
    finish_reason=st.sampled_from(["stop", "length", "content_filter", ""]),
    form=st.sampled_from(sorted(FORMS)),
)
def test_answer_of_any_text_is_read_and_scored_on_the_scale_or_not_at_all(
    text: str, finish_reason: str, form: str
) -> None:
    found = read_answer(text, finish_reason, FORMS[form])

    assert (found.score is not None) == (found.outcome in SCORED)
    if found.score is not None:
        assert FORMS[form].lowest <= found.score <= FORMS[form].highest


@given(word=st.text(st.characters(categories=["L"]), min_size=1, max_size=12), number=st.integers(1, 100))
def test_answer_with_a_word_before_its_number_has_no_score(word: str, number: int) -> None:
    assume(word.lower() not in {"about", "around", "roughly", "circa", "approx", "approximately"})

    assert read_answer(f"Relevance: {word}, {number}", "stop", RELEVANCE).score is None
