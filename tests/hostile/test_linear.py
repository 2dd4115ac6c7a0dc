"""Parsers of uploaded text take linear time: four times the text takes four times as long."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from assessment.core.digest import make_digest
from evaluation.core.errors import InputError
from evaluation.core.imports.faults import Faults
from evaluation.core.imports.text_files import read_text_records
from evaluation.core.run_checks import near_docnos
from evaluation.core.run_checks.tags import SOUND_TAG
from evaluation.core.text.markdown import markdown_html
from evaluation.core.trec_files.numbers import atof, atol
from judges.core.answers import AnswerForm, read_answer
from judges.core.flags import speaks_to_a_judge
from tests.marks import quick_only

if TYPE_CHECKING:
    from collections.abc import Callable

MEASURED = 0.05  # seconds of processor time; less is noise
MOST = 12.0  # times as long for four times the text: linear takes 4, quadratic 16
LARGEST = 1 << 18  # characters
TRIES = 6  # a quadratic parser fails all, a busy machine not all


def read_topics(text: str) -> None:
    try:
        list(read_text_records(text.encode(), Faults()))
    except InputError:
        return


def seconds(parse: Callable[[str], object], text: str) -> float:
    """The processor time of one reading."""
    start = time.process_time()
    parse(text)
    return time.process_time() - start


def least_seconds(parse: Callable[[str], object], text: str) -> float:
    """The smaller of two times, to reduce the effect of a busy machine; one time if it is short."""
    first = seconds(parse, text)
    return first if first < MEASURED else min(first, seconds(parse, text))


def assert_linear(parse: Callable[[str], object], unit: str) -> None:
    """Grow the text until its time can be measured, or the text exceeds every limit."""
    count = 250
    while (first := least_seconds(parse, unit * count)) < MEASURED and count * len(unit) < LARGEST:
        count *= 2
    most = max(first, MEASURED) * MOST
    assert any(seconds(parse, unit * (4 * count)) < most for _ in range(TRIES))


TOPICS = {
    "never closed": "<top>",
    "no end of a tag": "<top ",
    "never opened": "</top>",
    "half closed": "<top></top ",
    "topics": "<top><num>Number: 1</num><title>x</title></top>\n",
    "fields never closed": "<top><a>b",
    "attributes": "<topic number='",
    "numbers": "<topic number = number = id >",
    "lines": "<top>\n\n\n\n</top>",
}


@pytest.mark.parametrize("unit", quick_only(TOPICS.values(), quick=["<top>"]), ids=TOPICS)
def test_trec_topics_are_read_in_linear_time(unit: str) -> None:
    assert_linear(read_topics, unit)


def test_one_topic_of_blanks_is_read_in_linear_time() -> None:
    assert_linear(lambda text: read_topics(f"<top><num>{text}x</num><title>{text}y</title></top>"), " ")


@pytest.mark.parametrize(
    "unit", quick_only(['{"id": "a"', '{"id": [', '"', "a,b\n", 'a,"b\n', "a\tb\n", "{}\n"], quick=['"'])
)
def test_tables_and_json_lines_are_read_in_linear_time(unit: str) -> None:
    assert_linear(lambda text: read_topics("{" + text), unit)
    assert_linear(lambda text: read_topics("id,text\n" + text), unit)


MARKDOWN = [
    "[",
    "[a](",
    "![",
    "*a **b ",
    "_a __b",
    "**a*",
    "~~a ",
    "``` a",
    "> ",
    "> > \n",
    "- a\n",
    "<a ",
    "<!--",
    "&#",
    "|a",
    "|a|b|\n|-|-|\n",
    "[a]: b\n\n",
    "[a]: b\n[a]\n",
    "\\",
    "<http:",
]


@pytest.mark.parametrize("unit", quick_only(MARKDOWN, quick=["[a]("]))
def test_markdown_is_read_in_linear_time(unit: str) -> None:
    assert_linear(markdown_html, unit)


ANSWERS = [
    "<think>",
    "Score: ",
    "1",
    "1.",
    "9 out of ",
    "- ",
    "<b>",
    "<8",
    "score is ",
    "{",
    "'",
    " \n",
    "5 to ",
]


@pytest.mark.parametrize("unit", quick_only(ANSWERS, quick=["Score: "]))
def test_answers_of_models_are_read_in_linear_time(unit: str) -> None:
    for is_json in (False, True):
        form = AnswerForm("Score", 0, 100, is_json=is_json)
        assert_linear(lambda text, form=form: read_answer(text, "stop", form), unit)  # type: ignore[misc]


@pytest.mark.parametrize(
    "unit",
    quick_only(["ignore ", "score ", "you  ", "highest   ", "<|", "[/", "print it "], quick=["score "]),
)
def test_injected_prompts_are_looked_for_in_linear_time(unit: str) -> None:
    assert_linear(speaks_to_a_judge, unit)


@pytest.mark.parametrize("unit", quick_only(["1", "0", "1e", "0x", "-", "1.1", "inf"], quick=["1"]))
def test_numbers_are_read_in_linear_time(unit: str) -> None:
    assert_linear(atof, unit)
    assert_linear(atol, unit)


@pytest.mark.parametrize("unit", quick_only(["a", "a.", "-", "é", "a_:"], quick=["a"]))
def test_names_are_read_in_linear_time(unit: str) -> None:
    assert_linear(SOUND_TAG.fullmatch, unit)
    assert_linear(lambda text: near_docnos([text], []), unit)
    assert_linear(lambda text: make_digest([("title", text), ("text", text)]), unit)


def test_grade_of_thousands_of_digits_is_the_largest() -> None:
    assert (atol("9" * 10_000), atol("-" + "9" * 10_000), atol("0" * 10_000 + "7")) == (
        2**63 - 1,
        -(2**63),
        7,
    )
