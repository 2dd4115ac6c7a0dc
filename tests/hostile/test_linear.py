"""Parsers of uploaded text take linear time: twice the text takes twice as long."""

from collections.abc import Callable
from contextlib import suppress

import pytest

from assessment.core.snippets import make_snippet, words_of
from evaluation.organizing.track_files.schema import parse_file
from tests.hostile.linear import assert_linear
from tests.marks import quick_only
from tests.trackside.imports.reading import read_text_records
from trackside.checks import check_run
from trackside.errors import InputError
from trackside.files.near_names import near_names
from trackside.files.numbers import atof, atol
from trackside.files.run_parts import SOUND_TAG
from trackside.imports.faults import Faults
from trackside.imports.grades import read_grades
from trackside.imports.records import sound_records
from trackside.judging.answers import read_answer
from trackside.judging.canaries import speaks_to_a_judge
from trackside.judging.forms import AnswerForm
from trackside.judging.perturbing import turned
from trackside.text.markdown import markdown_html
from trackside.text.roles import make_digest

RUN_TOPICS = tuple(f"t{number}" for number in range(50))
RUNS: dict[str, str | Callable[[int], str]] = {
    "one line again": "t0 Q0 d 1 1 tag\n",
    "docnos": lambda number: f"t0 Q0 d{number} 1 {-number} tag\n",
    "topics in turn": lambda number: f"t{number % 50} Q0 d{number} 1 {-number} tag\n",
    "unknown topics": lambda number: f"x{number} Q0 d 1 1 tag\n",
    "tied scores": lambda number: f"t0 Q0 d{number} 1 1 tag\n",
    "tags": lambda number: f"t0 Q0 d{number} 1 1 tag{number}\n",
    "scores that are none": lambda number: f"t0 Q0 d{number} 1 x{number} tag\n",
    "columns": lambda number: "t0 " * (number % 9) + "\n",
    "blank lines": "\n",
    "one line": "t0 ",
}


@pytest.mark.parametrize("unit", quick_only(RUNS.values(), quick=["t0 Q0 d 1 1 tag\n"]), ids=RUNS)
def test_runs_are_checked_in_linear_time(unit: str | Callable[[int], str]) -> None:
    def check(text: str) -> None:
        check_run(text.encode(), topics=RUN_TOPICS, docnos=lambda _: set(), max_per_topic=10**6, seed=3)

    assert_linear(check, unit)


def read_topics(text: str) -> None:
    faults = Faults()
    with suppress(InputError):
        records = read_text_records(text.encode(), faults)
        list(sound_records(records, faults, must_have_content=True))


@pytest.mark.whole
@pytest.mark.parametrize(
    "unit",
    [
        lambda number: f'{{"id": "d{number}", "text": "a"}}\n',
        lambda number: f'{{"id": "d{number % 2}", "text": "a"}}\n',
        lambda number: f'{{"d{number}": 1}}\n',
        lambda number: f'{{"d{number}_id": "x{number}", "text": "a"}}\n',
        lambda number: f'{{"a{number}": {{"id": 1, "image": "a.png"}}}}\n',
        lambda number: f"<top><num>{number}</num><title>a</title></top>\n",
    ],
    ids=["ids", "one id again", "fields", "ids of their own", "objects", "TREC topics"],
)
def test_documents_and_topics_are_read_in_linear_time(unit: Callable[[int], str]) -> None:
    assert_linear(read_topics, unit)


TOPIC_FILES = {
    "never closed": "<top>",
    "no end of a tag": "<top ",
    "never opened": "</top>",
    "half closed": "<top></top ",
    "topics": "<top><num>Number: 1</num><title>x</title></top>\n",
    "fields never closed": "<top><a>b",
    "attributes": "<topic number='",
    "numbers": "<topic number = number = id >",
    "lines": "<top>\n\n\n\n</top>",
    "comments never closed": "<top><!--",
    "XML": "<topic number='1'><title>x</title></topic>",
}
ONE_TOPIC = (
    "<title>x",
    "<zz>x",
    "\n<zz>x",
    "</zz>",
    "<![CDATA[",
    "<!-- ",
    "<title a='b'>",
    "<p>",
    "&amp;",
    "&",
    "<",
)


@pytest.mark.parametrize("unit", quick_only(TOPIC_FILES.values(), quick=["<top>"]), ids=TOPIC_FILES)
def test_trec_topics_are_read_in_linear_time(unit: str) -> None:
    assert_linear(read_topics, unit)


@pytest.mark.parametrize("unit", quick_only(ONE_TOPIC, quick=["<title>x"]))
def test_one_topic_is_read_in_linear_time(unit: str) -> None:
    assert_linear(lambda text: read_topics(f"<top><num>1<title>{text}</top>"), unit)


@pytest.mark.parametrize(
    "unit", quick_only(["<a>x</a>", "<a b='c'/>", "<a>", "&amp;", "x<b/>"], quick=["<a>x</a>"])
)
def test_one_topic_in_xml_is_read_in_linear_time(unit: str) -> None:
    assert_linear(lambda text: read_topics(f"<t><topic id='1'>{text}</topic></t>"), unit)


@pytest.mark.whole
def test_one_topic_of_blanks_is_read_in_linear_time() -> None:
    assert_linear(lambda text: read_topics(f"<top><num>{text}x</num><title>{text}y</title></top>"), " ")


@pytest.mark.parametrize(
    "unit", quick_only(['{"id": "a"', '{"id": [', '"', "a,b\n", 'a,"b\n', "a\tb\n", "{}\n"], quick=['"'])
)
def test_tables_and_json_lines_are_read_in_linear_time(unit: str) -> None:
    assert_linear(lambda text: read_topics("{" + text), unit)
    assert_linear(lambda text: read_topics("id,text\n" + text), unit)
    assert_linear(lambda text: read_topics("[" + text + "{}]"), unit)


@pytest.mark.whole
@pytest.mark.parametrize(
    "unit",
    [
        lambda number: f"t0 0 d{number} 1\n",
        lambda number: f"x{number} 0 d 1\n",
        lambda number: f"t0 0 d 9{number}\n",
        "t0 0 d 1\n",
        "t0 ",
        "t0 0 d x\n",
    ],
    ids=["pairs", "unknown topics", "grades off the scale", "one pair again", "one line", "no grades"],
)
def test_qrels_are_read_in_linear_time(unit: str | Callable[[int], str]) -> None:
    def read(text: str) -> None:
        with suppress(InputError):
            list(read_grades(text.encode(), Faults(), topics=set(RUN_TOPICS), numbers={0: 0, 1: 1}))

    assert_linear(read, unit)


TRACK = '[track]\nname = "A"\nslug = "a"\nyear = 2026\n'


@pytest.mark.whole
@pytest.mark.parametrize(
    "unit",
    [
        lambda number: f'[[tasks]]\nname = "{number}"\nslug = "s{number}"\nkind = "text-to-image"\n',
        lambda number: f'[[tasks]]\nfamilies = ["f{number}"]\n',
        lambda number: f"k{number} = 1\n",
        lambda number: f"[t{number}]\n",
        "[[tasks]]\n",
        "[",
        '"',
        "a.",
        "x = [[",
        "# x\n",
    ],
    ids=["tasks", "families", "keys", "tables", "empty", "brackets", "quotes", "dots", "lists", "comments"],
)
def test_track_files_are_read_in_linear_time(unit: str | Callable[[int], str]) -> None:
    assert_linear(lambda text: parse_file(TRACK + text), unit)


@pytest.mark.whole
def test_list_of_families_is_read_in_linear_time() -> None:
    def parse(names: str) -> None:
        parse_file(
            f'{TRACK}[[tasks]]\nname = "A"\nslug = "a"\nkind = "text-to-image"\nfamilies = [{names}]\n'
        )

    assert_linear(parse, lambda number: f'"f{number}", ')


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
    "{score:",
    '{"score": 1, ',
    '"\\"',
    "\u200b1",
    "\u202e",
    "<|channel|>",
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


@pytest.mark.parametrize(
    "unit", quick_only(["0: a ", "0, ", "0 or 1 ", "0 or ", "0   ", '"', "1: a\n0: b\n"], quick=["0, "])
)
def test_options_are_turned_in_linear_time(unit: str) -> None:
    assert_linear(lambda text: turned(text, "grade-0-1"), unit)


@pytest.mark.whole
@pytest.mark.parametrize("unit", ["1", "0", "1e", "0x", "-", "1.1", "inf"])
def test_numbers_are_read_in_linear_time(unit: str) -> None:
    assert_linear(atof, unit)
    assert_linear(atol, unit)


@pytest.mark.whole
@pytest.mark.parametrize("unit", ["a", "a.", "-", "é", "a_:"])
def test_names_are_read_in_linear_time(unit: str) -> None:
    assert_linear(SOUND_TAG.fullmatch, unit)
    assert_linear(lambda text: near_names([text], []), unit)
    assert_linear(lambda text: make_digest([("title", text), ("text", text)]), unit)


@pytest.mark.parametrize("unit", quick_only(["气候", "の", "การ ", "ก่", "a ", "a", " "], quick=["气候"]))
def test_snippets_are_chosen_in_linear_time(unit: str) -> None:
    topic = words_of("气候变化 のりのり การเปลี่ยน aaa")
    assert_linear(lambda text: make_snippet(text, topic), unit)
    assert_linear(words_of, unit)


def test_grade_of_thousands_of_digits_is_the_largest() -> None:
    assert (atol("9" * 10_000), atol("-" + "9" * 10_000), atol("0" * 10_000 + "7")) == (
        2**63 - 1,
        -(2**63),
        7,
    )
