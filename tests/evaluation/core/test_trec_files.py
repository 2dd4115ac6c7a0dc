import bz2
import ctypes
import gzip
import hashlib
import io
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import zstandard
from hypothesis import example, given
from hypothesis import strategies as st

from evaluation.core.measures import evaluate
from evaluation.core.trec_files import (
    DuplicateJudgment,
    LineTooLong,
    MalformedLine,
    OddityKind,
    Qrels,
    Rankings,
    TooManyBytes,
    UnreadableFile,
)
from evaluation.core.trec_files.duplicates import may_repeat
from evaluation.core.trec_files.numbers import atof, atol
from evaluation.core.trec_files.qrels import NotQrels
from evaluation.core.trec_files.rankings import NotARun, UnequalLengths
from evaluation.core.trec_files.topic_lists import NoTopics, read_strata, read_topics

RUN = b"t2 Q0 b 1 0.5 tag\nt1 Q0 c 1 0.25 tag\nt1 Q0 a 2 2e0 tag\n"
READ = {"t1": {"a": 2.0, "c": 0.25}, "t2": {"b": 0.5}}


def test_run_is_grouped_by_topic_and_sorted_by_score() -> None:
    run = Rankings.from_file(RUN)
    assert run.tag == "tag"
    assert run.topics == ("t1", "t2")
    assert [(topic, docnos, scores.tolist()) for topic, docnos, scores in run] == [
        ("t1", ["a", "c"], [2.0, 0.25]),
        ("t2", ["b"], [0.5]),
    ]
    assert run.of_topic("t1")[0] == ["a", "c"]
    assert run.of_topic("t9")[0] == []
    assert run.top(1) == {"t1": ["a"], "t2": ["b"]}


@pytest.mark.parametrize(
    "packed",
    [
        gzip.compress(RUN),
        gzip.compress(RUN[:30]) + gzip.compress(RUN[30:]),
        bz2.compress(RUN),
        zstandard.compress(RUN),
        zstandard.compress(RUN[:30]) + zstandard.compress(RUN[30:]),
    ],
    ids=["gzip", "gzip in two members", "bzip2", "zstd", "zstd in two frames"],
)
def test_compressed_run_reads_as_the_plain_one(packed: bytes, tmp_path: Path) -> None:
    (tmp_path / "run").write_bytes(packed)
    assert Rankings.from_file(tmp_path / "run").to_dict() == READ
    assert Rankings.from_file(io.BytesIO(packed)).to_dict() == READ


def test_standard_input_is_read_for_a_hyphen(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unseekable(io.BytesIO):
        def seekable(self) -> bool:
            return False

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(Unseekable(RUN)))
    assert Rankings.from_file("-").to_dict() == READ


@pytest.mark.parametrize(
    "text",
    [
        b"t1\tQ0\ta\t1\t2\ttag",
        b"  t1 \t Q0   a  1\t2 tag  \n",
        b"t1 Q0 a 1 2 tag\r\n",
        b"\n \nt1 Q0 a 1 2 tag\n\n",
        b"# a comment\n  # another\nt1 Q0 a 1 2 tag\n",
        b"t1 Q0 a 1 2 tag extra columns\n",
        b"\xef\xbb\xbft1 Q0 a 1 2 tag\n",
        b"t1\vQ0\fa 1 2 tag\n",
    ],
)
def test_run_reads_any_white_space_as_trec_eval_does(text: bytes) -> None:
    run = Rankings.from_file(text)
    assert run.to_dict() == {"t1": {"a": 2.0}}
    assert run.tag == "tag"


def test_run_reports_each_oddity_once_with_count_and_first_line() -> None:
    run = Rankings.from_file(b"\xef\xbb\xbft Q0 a 1 0x10 x\r\n\n# c\nt Q0 b 2 text x y\nt Q0 c 3 nan x\n\n")
    found = {oddity.kind: (oddity.count, oddity.first_line) for oddity in run.oddities}
    assert found == {
        OddityKind.BYTE_ORDER_MARK: (1, 1),
        OddityKind.CARRIAGE_RETURN: (1, 1),
        OddityKind.BLANK_LINE: (2, 2),
        OddityKind.COMMENT_LINE: (1, 3),
        OddityKind.EXTRA_COLUMNS: (1, 4),
        OddityKind.SCORE_PREFIX: (3, 1),
        OddityKind.SCORE_NAN: (1, 5),
    }
    # 0x10 is 16 to atof, text is 0, and NaN comes last.
    assert run.of_topic("t")[1].tolist() == [16.0, 0.0, -math.inf]


def test_hash_and_quote_inside_fields_are_text() -> None:
    run = Rankings.from_file(b't#1 Q0 "d#2 1 1 tag\nt#1 Q0 d" 2 0.5 tag\n')
    assert run.to_dict() == {"t#1": {'"d#2': 1.0, 'd"': 0.5}}


def test_stray_bytes_stay_distinct_and_match_between_run_and_qrels() -> None:
    run = Rankings.from_file(b"t Q0 caf\xe9 1 2 tag\nt Q0 caf\xe8 2 1 tag\n")
    qrels = Qrels.from_file(b"t 0 caf\xe9 1\n")
    docnos, _ = run.of_topic("t")
    assert len(set(docnos)) == 2
    assert qrels.to_dict() == {"t": {docnos[0]: 1}}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"t Q0 a 1 0.5\n", "line 1: 5 columns where 6 are needed"),
        (b"t Q0 a 1 0.5 x\nt Q0\n", "line 2: 2 columns where 6 are needed"),
        (b"t Q0 a 1 0.5 x\nt Q0 a\0 1 0.5 x\n", "line 2: a NUL byte"),
    ],
)
def test_error_of_a_malformed_run_names_line_and_format(text: bytes, says: str) -> None:
    with pytest.raises(MalformedLine, match=says):
        Rankings.from_file(text)


def test_run_without_results_is_refused() -> None:
    with pytest.raises(NotARun, match="no results"):
        Rankings.from_file(b"# nothing\n")


@pytest.mark.parametrize(
    "packed",
    [gzip.compress(RUN)[:-12], bz2.compress(RUN)[:-12], zstandard.compress(RUN)[:-6]],
    ids=["gzip", "bzip2", "zstandard"],  # the bytes hold a time: each process would name its tests otherwise
)
def test_cut_archive_is_unreadable(packed: bytes) -> None:
    with pytest.raises(UnreadableFile, match="cut short or damaged"):
        Rankings.from_file(packed)


def test_missing_file_and_folder_are_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="no such file"):
        Rankings.from_file(tmp_path / "none")
    with pytest.raises(UnreadableFile, match="folder"):
        Rankings.from_file(tmp_path)


def test_reading_stops_at_the_limit_of_unpacked_bytes() -> None:
    with pytest.raises(TooManyBytes, match="more than 40 bytes"):
        Rankings.from_file(gzip.compress(RUN), max_bytes=40)


def test_gzip_bomb_is_refused_while_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.core.trec_files.streams.RATIO_FROM", 1 << 20)
    with pytest.raises(TooManyBytes, match="100 times its size"):
        Rankings.from_file(gzip.compress(b"t Q0 a 1 1 x\n" * 1_000_000))


def test_endless_line_is_refused() -> None:
    with pytest.raises(LineTooLong, match="longer than"):
        Rankings.from_file(b"x" * (2 << 20))


def test_blocks_join_lines_that_they_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.core.trec_files.streams.BLOCK_BYTES", 7)
    assert Rankings.from_file(RUN).to_dict() == READ


field = st.text("ab#é", min_size=1, max_size=3).filter(lambda text: not text.startswith("#"))
space = st.sampled_from([" ", "\t", "  ", " \t"])
score = st.sampled_from(["1", "0.5", "-2e3", "7.25"])


@given(
    st.lists(st.tuples(field, field, score), min_size=1, max_size=8),
    st.lists(space, min_size=1),
    st.integers(1, 40),
)
def test_untidy_files_read_as_tidy_ones(
    results: list[tuple[str, str, str]], spaces: list[str], block_bytes: int
) -> None:
    rows = [(topic, "Q0", docno, "1", score, "tag") for topic, docno, score in results]
    tidy = "".join(" ".join(row) + "\n" for row in rows)
    untidy = "\n".join(
        "".join(part + spaces[place % len(spaces)] for place, part in enumerate(row)) for row in rows
    )
    with pytest.MonkeyPatch.context() as patch:
        plain = Rankings.from_file(tidy.encode())
        patch.setattr("evaluation.core.trec_files.streams.BLOCK_BYTES", block_bytes)
        odd = Rankings.from_file(untidy.encode())
    assert [(topic, docnos, scores.tolist()) for topic, docnos, scores in odd] == [
        (topic, docnos, scores.tolist()) for topic, docnos, scores in plain
    ]


C = ctypes.CDLL(None)
C.atof.restype = ctypes.c_double
C.atol.restype = ctypes.c_long
number_text = st.one_of(
    st.text("0123456789.eExXpPabcINFAinfan_+-", max_size=12),
    st.floats().map(repr),
    st.integers().map(str),
    st.sampled_from(
        ["0x", "0x.8p1", "nan(1)", "infinit", "1e", "1e+", ".", "-.", "1.e5", "0x1p99999", "1e999"]
    ),
)


@given(number_text)
def test_numbers_are_read_as_the_c_library_reads_them(text: str) -> None:
    expected = C.atof(text.encode())
    assert atof(text) == expected or (math.isnan(expected) and math.isnan(atof(text)))
    assert atol(text) == C.atol(text.encode())


@given(st.lists(number_text.filter(lambda text: text.strip() != ""), min_size=1, max_size=5))
def test_scores_in_files_are_read_as_the_c_library_reads_them(texts: list[str]) -> None:
    lines = "".join(f"t{place} Q0 d 1 {text} tag\n" for place, text in enumerate(texts))
    run = Rankings.from_file(lines.encode())
    for place, text in enumerate(texts):
        expected = C.atof(text.encode())
        (value,) = run.of_topic(f"t{place}")[1]
        assert value == (-math.inf if math.isnan(expected) else expected)


def test_rankings_from_arrays_dicts_frames_and_packed_rows_are_the_same() -> None:
    run = Rankings.from_dict(READ, tag="tag")
    frame = pl.DataFrame({"topic": ["t2", "t1", "t1"], "docno": ["b", "c", "a"], "score": [0.5, 0.25, 2.0]})
    again = [
        Rankings.from_arrays(["t2", "t1"], [["b"], ["c", "a"]], [[0.5], [0.25, 2.0]]),
        Rankings.from_frame(frame),
        Rankings.from_packed(run.packed()),
    ]
    assert all(each.to_dict() == READ and each.topics == run.topics for each in again)
    assert [list(each.to_dict()["t1"]) for each in again] == [["a", "c"]] * 3


def test_rankings_refuse_docnos_without_scores() -> None:
    with pytest.raises(UnequalLengths, match="topic t1: 2 docnos but 1 scores"):
        Rankings.from_arrays(["t1"], [["a", "b"]], [[1.0]])


def test_rankings_know_whether_a_docno_comes_twice_in_a_topic() -> None:
    assert not Rankings.from_file(b"t Q0 a 1 1 x\nu Q0 a 1 1 x\n").has_duplicates
    assert Rankings.from_file(b"t Q0 a 1 1 x\nt Q0 a 2 0 x\n").has_duplicates


@pytest.mark.parametrize("before", [b"\xef\xbb\xbf", b"\n", b"# one\n"], ids=["mark", "blank", "comment"])
def test_byte_order_mark_within_a_file_is_part_of_the_topic(before: bytes) -> None:
    run = Rankings.from_file(before + b"\xef\xbb\xbft Q0 a 1 1 x\nt Q0 a 1 1 x\n")
    assert run.topics == ("t", "\ufefft")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames_of_either_library_are_read(library: str) -> None:
    make = pytest.importorskip(library).DataFrame
    run = Rankings.from_frame(
        make({"topic": [301, 301], "docno": ["a", "b"], "sim": [1.0, 2.5]}), score="sim"
    )
    assert run.to_dict() == {"301": {"b": 2.5, "a": 1.0}}
    qrels = Qrels.from_frame(make({"qid": ["301"], "docno": [7], "grade": [2]}), topic="qid")
    assert qrels.to_dict() == {"301": {"7": 2}}


def test_empty_rankings_have_no_topics() -> None:
    run = Rankings.from_dict({"t": {}})
    assert run.topics == ()
    assert len(run) == 0


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
    with pytest.raises(DuplicateJudgment, match="topic 1 has two grades for a"):
        Qrels.from_file(b"1 0 a 1\n1 1 a 0\n")


def test_qrels_read_grades_as_atol_and_report_it() -> None:
    qrels = Qrels.from_file(b"1 0 a 1.9\n1 0 b x\n")
    assert qrels.to_dict() == {"1": {"a": 1, "b": 0}}
    assert [str(oddity) for oddity in qrels.oddities] == [
        "grades read up to the first odd character, as trec_eval reads them (2, first on line 1)"
    ]


def test_qrels_without_judgments_are_refused() -> None:
    with pytest.raises(NotQrels, match="no judgments"):
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
    ],
)
def test_topics_come_from_lists_json_lines_and_qrels(text: bytes) -> None:
    assert read_topics(text) == {"t1", "t2"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "no topics"),
        (b"{", "line 1: not JSON"),
        (b'{"a": 1}', "line 1: no topic"),
        (b"\xff", "line 1: bytes"),
    ],
)
def test_invalid_topic_lists_give_the_reason(text: bytes, says: str) -> None:
    with pytest.raises(NoTopics, match=says):
        read_topics(text)


def test_strata_are_topic_and_name() -> None:
    assert read_strata(b"t1 entity\n\nt2 query\n") == {"t1": "entity", "t2": "query"}
    with pytest.raises(NoTopics, match="line 1: write a topic and its stratum"):
        read_strata(b"t1\n")


def test_bounds_cut_rows_into_topics() -> None:
    run = Rankings.from_file(RUN)
    assert run.bounds.tolist() == [0, 2, 3]
    assert run.topic_of_row.tolist() == [0, 0, 1]
    assert np.diff(run.bounds).sum() == len(run)


@pytest.mark.parametrize(
    ("topics", "hashes", "repeats"),
    [([0, 1, 2], [5, 5, 5], False), ([0, 1, 0], [5, 6, 5], True), ([3], [1], False), ([], [], False)],
)
def test_pairs_that_may_repeat_have_the_same_topic_and_hash(
    topics: list[int], hashes: list[int], repeats: bool
) -> None:
    assert may_repeat(np.array(topics, np.int64), np.array(hashes, np.uint64)) is repeats


@pytest.mark.parametrize("rows", [(0, 999), (65_000, 65_999), (65_536, 65_537), (131_000, 131_999)])
def test_one_repeated_pair_among_many_is_found(rows: tuple[int, int]) -> None:
    topics = np.arange(132_000) // 1000
    hashes = np.random.default_rng(0).integers(0, 2**63, len(topics)).astype(np.uint64)
    assert not may_repeat(topics, hashes)
    hashes[rows[0]] = hashes[rows[1]]
    assert may_repeat(topics, hashes)


def test_a_repeated_pair_is_found_where_all_pairs_share_a_cell() -> None:
    inverse = pow(0x9E3779B97F4A7C15, -1, 2**64)
    hashes = np.array([inverse * number % 2**64 for number in range(20)], np.uint64)
    assert not may_repeat(np.zeros(20, np.int64), hashes)
    hashes[3] = hashes[7]
    assert may_repeat(np.zeros(20, np.int64), hashes)


def test_docnos_with_equal_tails_are_told_apart() -> None:
    docnos = ["a-0000000000000001", "b-0000000000000001", "c-0000000000000001"]
    run = Rankings.from_file(
        "".join(f"t Q0 {docno} 1 {3 - i} x\n" for i, docno in enumerate(docnos)).encode()
    )
    qrels = Qrels.from_file("".join(f"t 0 {docno} {i}\n" for i, docno in enumerate(docnos[:2])).encode())
    assert not run.has_duplicates
    assert evaluate([run], qrels, ["P@2", "Judged@3"]).means().ravel().tolist() == [0.5, 2 / 3]
    only = Qrels.from_file(f"t 0 {docnos[2]} 1\n".encode())
    assert evaluate([run], only, ["RR"]).means().item() == 1 / 3


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
