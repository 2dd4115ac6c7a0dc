import bz2
import ctypes
import gzip
import io
import lzma
import math
import tarfile
import zipfile
from pathlib import Path

import polars as pl
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tests.refusals import refused
from trackside.checks import FaultCode, check_run
from trackside.files import (
    LineTooLong,
    MalformedLine,
    OddityKind,
    Qrels,
    Rankings,
    TooManyBytes,
    UnreadableFile,
)
from trackside.files.numbers import atof, atol

RUN = b"t2 Q0 b 1 0.5 tag\nt1 Q0 c 1 0.25 tag\nt1 Q0 a 2 2e0 tag\n"
READ = {"t1": {"a": 2.0, "c": 0.25}, "t2": {"b": 0.5}}


def test_run_is_grouped_by_topic_and_sorted_by_score() -> None:
    run = Rankings.from_file(RUN)
    assert run.tag == "tag"
    assert run.topics == ("t1", "t2")
    assert [(topic, docnos, scores.tolist()) for topic, docnos, scores in run.results()] == [
        ("t1", ["a", "c"], [2.0, 0.25]),
        ("t2", ["b"], [0.5]),
    ]
    assert list(run["t1"]) == ["a", "c"]
    assert "t9" not in run
    assert run.top(1) == {"t1": ["a"], "t2": ["b"]}
    assert (run.bounds.tolist(), run.topic_of_row.tolist()) == ([0, 2, 3], [0, 0, 1])


@pytest.mark.parametrize(
    "packed",
    [
        gzip.compress(RUN),
        gzip.compress(RUN[:30]) + gzip.compress(RUN[30:]),
        bz2.compress(RUN),
        zstandard.compress(RUN),
        zstandard.compress(RUN[:30]) + zstandard.compress(RUN[30:]),
        b"\x50\x2a\x4d\x18\x04\0\0\0size" + zstandard.compress(RUN),  # as pzstd packs
    ],
    ids=["gzip", "gzip in two members", "bzip2", "zstd", "zstd in two frames", "zstd after a frame to skip"],
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
        OddityKind.SCORE_NOT_DECIMAL: (2, 1),  # 0x10 and text
        OddityKind.SCORE_NAN: (1, 5),
    }
    # 0x10 is 16 to atof, text is 0, and NaN comes last.
    assert list(run["t"].values()) == [16.0, 0.0, -math.inf]


def test_hash_and_quote_inside_fields_are_text() -> None:
    run = Rankings.from_file(b't#1 Q0 "d#2 1 1 tag\nt#1 Q0 d" 2 0.5 tag\n')
    assert run.to_dict() == {"t#1": {'"d#2': 1.0, 'd"': 0.5}}


def test_stray_bytes_stay_distinct_and_match_between_run_and_qrels() -> None:
    run = Rankings.from_file(b"t Q0 caf\xe9 1 2 tag\nt Q0 caf\xe8 2 1 tag\n")
    qrels = Qrels.from_file(b"t 0 caf\xe9 1\n")
    docnos = list(run["t"])
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
    with refused("not-a-run", match="no results"):
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
    monkeypatch.setattr("trackside.files.streams.RATIO_FROM", 1 << 20)
    with pytest.raises(TooManyBytes, match="100 times its size"):
        Rankings.from_file(gzip.compress(b"t Q0 a 1 1 x\n" * 1_000_000))


def test_endless_line_is_refused() -> None:
    with pytest.raises(LineTooLong, match="longer than"):
        Rankings.from_file(b"x" * (2 << 20))


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
        (value,) = run[f"t{place}"].values()
        assert value == (-math.inf if math.isnan(expected) else expected)


def test_rankings_from_dicts_frames_and_packed_rows_are_the_same() -> None:
    run = Rankings.from_dict(READ, tag="tag")
    frame = pl.DataFrame({"topic": ["t2", "t1", "t1"], "docno": ["b", "c", "a"], "score": [0.5, 0.25, 2.0]})
    again = [
        Rankings.from_frame(frame),
        Rankings.from_packed(run.packed()),
    ]
    assert all(each.to_dict() == READ and each.topics == run.topics for each in again)
    assert [list(each.to_dict()["t1"]) for each in again] == [["a", "c"]] * 2


@pytest.mark.parametrize("before", [b"\xef\xbb\xbf", b"\n", b"# one\n"], ids=["mark", "blank", "comment"])
def test_byte_order_mark_within_a_file_is_part_of_the_topic(before: bytes) -> None:
    run = Rankings.from_file(before + b"\xef\xbb\xbft Q0 a 1 1 x\nt Q0 a 1 1 x\n")
    assert run.topics == ("t", "\ufefft")


def test_empty_rankings_have_no_topics() -> None:
    run = Rankings.from_dict({"t": {}})
    assert (run.topics, run.result_count) == ((), 0)


PLAIN = b"t1 Q0 a 1 2 tag\nt1 Q0 c 2 1 tag\n"


def tar_of(content: bytes) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as packed:
        member = tarfile.TarInfo("a.run")
        member.size = len(content)
        packed.addfile(member, io.BytesIO(content))
    return target.getvalue()


def zip_of(content: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as packed:
        packed.writestr("a.run", content)
    return target.getvalue()


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (lzma.compress(PLAIN), "xz"),
        (zip_of(PLAIN), "zip"),
        (tar_of(PLAIN), "tar"),
        (gzip.compress(tar_of(PLAIN)), "tar"),
        (gzip.compress(gzip.compress(PLAIN)), "gzip"),
    ],
    ids=["xz", "zip", "tar", "packed tar", "packed twice"],
)
def test_content_in_another_packing_is_named(content: bytes, form: str) -> None:
    with pytest.raises(UnreadableFile, match=f"contains a {form} file, not lines.*packed once with gzip"):
        Rankings.from_file(io.BytesIO(content))


def test_verdict_on_a_zip_says_how_to_pack_the_run() -> None:
    verdict = check_run(zip_of(PLAIN), topics=["t1"])
    (fault,) = (each for each in verdict.faults if each.code == FaultCode.UNREADABLE)
    assert "contains a zip file" in fault.note
    assert FaultCode.NUL_BYTE not in {each.code for each in verdict.faults}


def test_docno_may_be_where_a_tar_file_has_its_mark() -> None:
    before = b"t1 Q0 longer 1 30 tag\n" + b"".join(b"t1 Q0 d%03d 1 2 tag\n" % n for n in range(12))
    content = before.ljust(250) + b"\nt1 Q0 ustar 1 1 tag\n"
    assert content.index(b"ustar") == 257
    assert Rankings.from_file(io.BytesIO(content)).top(1) == {"t1": ["longer"]}
