"""Readers of imported files take linear time: twice the text takes twice as long."""

import pytest

from tests.hostile.linear import assert_linear
from tests.marks import quick_only
from tests.trackside.imports.reading import read_text_records
from trackside.errors import InputError
from trackside.imports.faults import Faults


def read_topics(text: str) -> None:
    try:
        list(read_text_records(text.encode(), Faults()))
    except InputError:
        return


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


@pytest.mark.parametrize("unit", quick_only(TOPICS.values(), quick=["<top>"]), ids=TOPICS)
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
