"""Files of qrels, prels, topics and strata."""

import hashlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.refusals import refused
from trackside.errors import InputError
from trackside.files import MalformedLine, Qrels
from trackside.imports.readers import read_topics
from trackside.measuring.evaluation import read_strata


def test_qrels_read_grades_topic_by_topic() -> None:
    qrels = Qrels.from_file(b"# NIST\nt2 0 b 1\nt1 Q0 a 2\n# 2021\nt2\t0  c -1\n", name="human")
    assert qrels.name == "human"
    assert qrels.to_dict() == {"t1": {"a": 2}, "t2": {"b": 1, "c": -1}}
    assert qrels.sha256 == Qrels.from_dict({"t2": {"c": -1, "b": 1}, "t1": {"a": 2}}).sha256


def test_prels_read_strata() -> None:
    qrels = Qrels.from_file(b"1 0 a 1 2\n1 0 b 2 -1\n", is_sampled=True)
    assert qrels.to_dict() == {"1": {"a": 2, "b": -1}}
    assert qrels.strata is not None
    assert qrels.strata.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"1 0 a 1\n\n1 0 b 1\n", "line 2: a blank line"),
        (b"# NIST\n# 2021\n1 0 a 1\n", "line 2: a second comment line in a row"),
        (b"# NIST\n1 0 a 1\n# here\n1 0 b\n# and\n# there\n1 0 c 1\n", "line 4: 3 columns"),
        (b"1 0 a 1 x\n", "line 1: 5 columns where 4 are needed"),
        (b"1 0 a\n", "line 1: 3 columns"),
        (b"1 0 a\0 1\n", "line 1: a NUL byte"),
    ],
)
def test_error_of_malformed_qrels_names_line_and_format(text: bytes, says: str) -> None:
    with pytest.raises(MalformedLine, match=says):
        Qrels.from_file(text)


def test_qrels_refuse_two_grades_for_a_pair() -> None:
    with refused("duplicate-judgment", match="topic 1 has two grades for a"):
        Qrels.from_file(b"1 0 a 1\n1 1 a 0\n")


def test_qrels_read_grades_as_atol_and_report_it() -> None:
    qrels = Qrels.from_file(b"1 0 a 1.9\n1 0 b x\n")
    assert qrels.to_dict() == {"1": {"a": 1, "b": 0}}
    assert [str(oddity) for oddity in qrels.oddities] == [
        "grades read up to the first odd character, as trec_eval reads them (2, first on line 1)"
    ]


def test_qrels_without_judgments_are_refused() -> None:
    with refused("not-qrels", match="no judgments"):
        Qrels.from_file(b"")


def test_prels_need_whole_strata() -> None:
    with pytest.raises(MalformedLine, match="line 1: the stratum 'x'"):
        Qrels.from_file(b"1 0 a x 1\n", is_sampled=True)


@pytest.mark.parametrize(
    "text",
    [
        b"# two\nt1\nt2\n",
        b'{"id": "t1"}\n{"id": "t2"}\n',
        b"t1\ta title\n\nt2\tanother\n",
        b"t1 0 a 1\nt2 0 a 1\n",
        b"<top>\n<num> Number: t1\n<title> weir and lock\n</top>\n<top>\n<num> t2\n</top>\n",
        b'<topics><topic number="t1"><query>a</query></topic><topic number="t2"/></topics>',
        b"id\ttitle\nt1\ta\nt2\tb\n",
        b"title,qid\na,t1\nb,t2\n",
        b'{"_id": "t1", "text": "weir"}\n{"_id": "t2", "text": "dam"}\n',
        b'[{"question_id": "t1"},\n {"question_id": "t2"}]',
        b"query-id\tcorpus-id\tscore\nt1\td1\t1\nt2\td1\t1\n",
    ],
)
def test_topics_come_from_lists_json_lines_and_qrels(text: bytes) -> None:
    assert read_topics(text) == {"t1", "t2"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "no topics"),
        (b"{", "line 1: Line is not a JSON object"),
        (b'{"a": 1}', "line 1: Record without a name"),
        (b'{"code": "A1", "title": "weir"}\n', "fields: code, title. Rename the field"),
        (b"code,title\nA1,weir\n", "fields: code, title. Rename the field"),
        (b"code\ttitle\nA1\tweir\n", "fields: code, title. Rename the field"),
        (b"<all><row><code>A1</code><title>a</title></row></all>", "fields: code, title. Rename the field"),
        (b"<top><num>1<title>Tarn", "line 1: Topic without an end tag"),
        (b"\xff", "line 1: bytes"),
    ],
)
def test_invalid_topic_lists_give_the_reason(text: bytes, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_topics(text)


def test_strata_are_topic_and_name() -> None:
    assert read_strata(b"t1 entity\n\nt2 query\n") == {"t1": "entity", "t2": "query"}
    with pytest.raises(InputError, match="line 1: write a topic and its stratum"):
        read_strata(b"t1\n")


begun_alike = st.sampled_from(["docno-07", "docno-070", "docno-07-1", "docno-07-2", "b", "é"]) | st.text(
    "ab", min_size=1
)


@example({"t1": {}})
@given(
    st.dictionaries(st.sampled_from(["t1", "t10", "t2"]), st.dictionaries(begun_alike, st.integers(-1, 2)))
)
def test_the_hash_of_qrels_is_that_of_their_sorted_lines(judgments: dict[str, dict[str, int]]) -> None:
    digest = hashlib.sha256()
    for topic in sorted(judgments):
        for docno, grade in sorted(judgments[topic].items(), key=lambda item: item[0].encode()):
            digest.update(f"{topic} 0 {docno} {grade}\n".encode())
    assert Qrels.from_dict(judgments).sha256 == digest.hexdigest()
