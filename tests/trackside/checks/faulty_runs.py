"""A run for each fault that a check reports, and a sound run."""

import bz2
import gzip
from dataclasses import dataclass, field
from typing import Any

import zstandard

from trackside.checks import DocnoFile, FaultCode, Verdict, check_run

TOPICS = ("t1", "t2")
DOCNOS = DocnoFile(
    b"doc-a\ndoc-b\ndoc-c\nimages/d\nmsmarco_passage_01_77\n"
    + b"".join(b"n%d\n" % number for number in range(40))
)


def lines(*rows: str) -> bytes:
    return "".join(row + "\n" for row in rows).encode()


def full(*rows: str, topics: tuple[str, ...] = TOPICS) -> bytes:
    """A run with 12 sound results for each topic, before the rows given."""
    sound = [f"{topic} Q0 n{rank} {rank} {20 - rank} tag" for topic in topics for rank in range(1, 13)]
    return lines(*sound, *rows)


def check(source: bytes, **options: Any) -> Verdict:
    return check_run(source, **{"topics": TOPICS, "docnos": DOCNOS, "near": DOCNOS.near, **options})


OUTSIDE = {"doc-a"}.intersection


@dataclass(frozen=True)
class Case:
    """An input, the code it must raise, the place named first, and a word of the message: value or reason."""

    code: FaultCode
    source: bytes
    first: str
    says: str
    options: dict[str, Any] = field(default_factory=dict)


F = FaultCode
# Sound lines come before most faults, so the line to be named is 25.
CASES = [
    Case(F.EMPTY_FILE, b"", "", "no results"),
    Case(F.EMPTY_FILE, b"\n \n\t\n", "", "topic Q0 docno rank score tag"),
    Case(F.EMPTY_FILE, gzip.compress(b""), "", "no results"),
    Case(F.UNREADABLE, gzip.compress(full())[:-9], "", "cut short or damaged"),
    Case(F.UNREADABLE, bz2.compress(full())[:-9], "", "cut short or damaged"),
    Case(F.UNREADABLE, zstandard.compress(full())[:-9], "", "cut short or damaged"),
    Case(F.UNREADABLE, b"\x1f\x8b" + b"rubbish" * 9, "", "cannot be unpacked"),
    Case(F.TOO_LARGE, full(), "", "more than 100 bytes", {"max_bytes": 100}),
    Case(F.TOO_LARGE, gzip.compress(full()), "", "more than 100 bytes", {"max_bytes": 100}),
    Case(F.LINE_TOO_LONG, b"t1 " * 700_000, "", "longer than 4,096 bytes"),
    Case(F.NUL_BYTE, full("t1 Q0 doc-a 13 1 ta\0g"), "line 25", "UTF-16"),
    Case(F.NUL_BYTE, "t1 Q0 doc-a 1 1 tag\n".encode("utf-16"), "line 1", "NUL"),
    Case(F.NOT_UTF8, full() + b"t1 Q0 caf\xe9 13 1 tag\n", "line 25", "UTF-8"),
    Case(F.NOT_UTF8, full() + b"t1 Q0 \xff\xfe 13 1 tag\n", "line 25", "UTF-8"),
    Case(F.COLUMN_COUNT, full("t1 Q0 doc-a 13 1"), "line 25", "t1 Q0 doc-a 13 1"),
    Case(F.COLUMN_COUNT, full("t1 Q0 doc-a 13 1 tag more"), "line 25", "tag more"),
    Case(F.COLUMN_COUNT, full("t1"), "line 25", "'t1'"),
    Case(F.COLUMN_COUNT, full("t1,Q0,doc-a,13,1,tag"), "line 25", "t1,Q0"),
    Case(F.COLUMN_COUNT, full("t1 Q0 doc a 13 1 tag"), "line 25", "doc a"),
    Case(F.COLUMN_COUNT, lines("topic docno score", "t1 doc-a 1"), "line 1", "six columns"),
    Case(F.COLUMN_COUNT, full("# a comment"), "line 25", "# a comment"),
    Case(F.COLUMN_COUNT, full('{"topic": "t1"}'), "line 25", "six columns"),
    Case(F.TAG_CHARACTERS, full().replace(b"tag", b"my+tag"), "line 1", "my+tag"),
    Case(F.TAG_CHARACTERS, full().replace(b"tag", "tåg".encode()), "line 1", "'å'"),
    Case(F.TAG_CHARACTERS, full().replace(b"tag", b"a/b"), "line 1", "a/b"),
    Case(F.TAG_LEADING_DOT, full().replace(b"tag", b".tag"), "line 1", ".tag"),
    Case(F.TAG_TOO_LONG, full().replace(b"tag", b"x" * 51), "line 1", "at most 50"),
    Case(F.TAG_TOO_LONG, full().replace(b"tag", b"x" * 6), "line 1", "at most 5 are", {"tag_max": 5}),
    Case(F.TAG_CHANGES, full("t1 Q0 doc-a 13 1 other"), "line 25", "other"),
    Case(F.TAG_CHANGES, lines("t1 Q0 doc-a 1 1 x", "t2 Q0 doc-a 1 1 tag"), "line 1", "'x'", {"tag": "tag"}),
    Case(F.TAG_CHANGES, full("t1 Q0 doc-a 13 1 TAG"), "line 25", "Most lines have 'tag'"),
    Case(F.TAG_DIFFERS, full(), "line 1", "'kestrel'", {"tag": "kestrel"}),
    Case(F.TAG_DIFFERS, full(), "line 1", "'tag'", {"tag": "Tag"}),
    Case(F.TAG_UNAVAILABLE, full(), "line 1", "'tag'", {"is_tag_unavailable": "tag".__eq__}),
    Case(F.NO_RUN_LEFT, full(), "", "Withdraw a run", {"has_run_left": "other".__eq__}),
    Case(F.UNKNOWN_TOPIC, full("t9 Q0 doc-a 13 1 tag"), "line 25", "t9"),
    Case(F.UNKNOWN_TOPIC, full("T1 Q0 doc-a 13 1 tag"), "line 25", "T1"),
    Case(F.UNKNOWN_TOPIC, full("é Q0 doc-a 13 1 tag"), "line 25", "é"),
    Case(F.TOPIC_WITHOUT_RESULTS, full(topics=("t1",)), "topic t2", "t2"),
    Case(F.TOPIC_WITHOUT_RESULTS, full(), "topic t0", "t0", {"topics": ("t0", "t1", "t2", "t3")}),
    Case(F.UNKNOWN_DOCNO, full("t1 Q0 zzz 13 1 tag"), "line 25", "zzz"),
    Case(F.UNKNOWN_DOCNO, full("t1 Q0 DOC-A 13 1 tag"), "line 25", "only in capital letters"),
    Case(F.UNKNOWN_DOCNO, full("t1 Q0 d.jpg 13 1 tag"), "line 25", "resemble a known one"),
    Case(F.UNKNOWN_DOCNO, full("t1 Q0 a 13 1 tag"), "line 25", "did you mean doc-a"),
    Case(F.OUTSIDE_CORPUS, full("t1 Q0 doc-a 13 1 tag"), "line 25", "doc-a", {"outside": OUTSIDE}),
    Case(F.DUPLICATE_DOCNO, full("t1 Q0 n3 13 1 tag"), "line 25", "n3"),
    Case(F.DUPLICATE_DOCNO, lines(*["t1 Q0 n1 1 1 tag"] * 3), "line 2", "2 lines in 1 topic"),
    Case(F.SCORE_NOT_FINITE, full("t1 Q0 doc-a 13 nan tag"), "line 25", "nan"),
    Case(F.SCORE_NOT_FINITE, full("t1 Q0 doc-a 13 inf tag"), "line 25", "inf"),
    Case(F.SCORE_NOT_FINITE, full("t1 Q0 doc-a 13 -Infinity tag"), "line 25", "-Infinity"),
    Case(F.SCORE_NOT_FINITE, full("t1 Q0 doc-a 13 1e400 tag"), "line 25", "1e400"),
    Case(F.SCORE_NOT_FINITE, full("t1 Q0 doc-a 13 1_000 tag"), "line 25", "1_000"),
    Case(F.SCORE_NOT_FINITE, full("t1 Q0 doc-a 13 0x10 tag"), "line 25", "0x10"),
    Case(F.SCORE_NOT_FINITE, full("t1 Q0 doc-a 13 9,5 tag"), "line 25", "9,5"),
    Case(F.SCORE_NOT_FINITE, full("t1 Q0 doc-a 13 ٣ tag"), "line 25", "٣"),
    Case(F.SCORE_NOT_FINITE, full("t1 Q0 doc-a 13 1.2.3 tag"), "line 25", "1.2.3"),
    Case(F.SCORE_NOT_FINITE, full("t1 Q0 doc-a 13 - tag"), "line 25", "4e-3"),
    Case(F.SCORE_NOT_FINITE, full("t1 Q0 doc-a 13 1.5f tag"), "line 25", "1.5f"),
    Case(F.TOO_MANY_RESULTS, full(), "topic t1", "12 results, at most 11", {"max_per_topic": 11}),
    Case(F.TOO_MANY_RESULTS, full("t1 Q0 doc-a 13 1 tag"), "topic t1", "13 results", {"max_per_topic": 12}),
    Case(F.PACKED, gzip.compress(full()), "", "gzip"),
    Case(F.PACKED, bz2.compress(full()), "", "bzip2"),
    Case(F.PACKED, zstandard.compress(full()), "", "zstd"),
    Case(F.BYTE_ORDER_MARK, b"\xef\xbb\xbf" + full(), "line 1", "Left out"),
    Case(F.WINDOWS_LINE_ENDS, full("t1 Q0 doc-a 13 1 tag\r"), "line 25", "plain line ends"),
    Case(F.BLANK_LINES, full("", "t1 Q0 doc-a 13 1 tag"), "line 25", "Left out"),
    Case(F.Q0_TEXT, full("t1 0 doc-a 13 1 tag"), "line 25", "'0'"),
    Case(F.RANK_NOT_WHOLE, full("t1 Q0 doc-a 13.0 1 tag"), "line 25", "13.0"),
    Case(F.RANK_NOT_WHOLE, full("t1 Q0 doc-a - 1 tag"), "line 25", "'-'"),
    Case(F.RANK_NOT_COUNTED, full("t1 Q0 doc-a 15 1 tag"), "line 1", "t1"),
    Case(F.RANK_NOT_COUNTED, full("t1 Q0 doc-a 0 30 tag"), "line 1", "They count from 0 in 1"),
    Case(F.RANK_AGAINST_SCORE, full("t1 Q0 doc-a 13 30 tag"), "line 1", "by score, highest first"),
    Case(F.TIED_SCORES, full("t1 Q0 doc-a 13 12 tag"), "topic t1", "1 of the ties reaches into a top 10"),
    Case(F.TIED_SCORES, full("t1 Q0 doc-a 13 8 tag"), "topic t1", "None reaches into a top 10"),
    Case(F.RANKS_LOST, lines(*(f"t1 Q0 n{n} {n} 1 tag" for n in (1, 2, 3))), "line 1", "confirm"),
    Case(F.SCORES_ASCENDING, lines("t1 Q0 n1 1 1 tag", "t1 Q0 n2 2 2 tag"), "line 1", "negative numbers"),
    Case(F.UPSIDE_DOWN, lines(*(f"t1 Q0 n{n} {n} {n} tag" for n in (1, 2, 3))), "line 1", "confirm"),
    Case(F.FEW_RESULTS, lines("t1 Q0 n1 1 1 tag"), "topic t1", "1 result"),
]  # fmt: skip
