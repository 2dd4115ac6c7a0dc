"""Checks of runs: an input for each fault, its message, and inputs that must not break the check."""

import gzip
import io
import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.refusals import refused
from tests.trackside.checks.faulty_runs import CASES, TOPICS, Case, F, check, full, lines
from trackside.checks import KINDS, DocnoFile, FaultCode, Severity, Verdict, check_run, verdict_text


def found(verdict: Verdict, code: FaultCode) -> str:
    """The fault of a code as one text, with its examples and fix."""
    (fault,) = (each for each in verdict.faults + verdict.warnings if each.code is code)
    shown = " ".join(f"{example} {example.hint}" for example in fault.examples)
    return f"{fault} {shown}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{case.says}")
def test_fault_names_place_value_and_fix(case: Case) -> None:
    verdict = check(case.source, **case.options)
    text = found(verdict, case.code)
    assert case.says in text
    assert f"first at {case.first}" in text if case.first else "first at" not in text
    assert KINDS[case.code].cure in text
    is_error = KINDS[case.code].severity is Severity.ERROR
    assert case.code in {fault.code for fault in (verdict.faults if is_error else verdict.warnings)}
    assert not (is_error and verdict.is_accepted)
    stored = json.loads(json.dumps(verdict.to_json()))
    assert (Verdict.from_json(stored), stored["is_accepted"]) == (verdict, verdict.is_accepted)


def test_faults_count_their_topics_once_each() -> None:
    """Two unknown docnos in t1, one in t2, none in t3."""
    rows = ("t1 Q0 x1 13 3 tag", "t1 Q0 x2 14 2 tag", "t2 Q0 x3 13 3 tag")
    verdict = check(full(*rows, topics=("t1", "t2", "t3")), topics=("t1", "t2", "t3"))
    (fault,) = (fault for fault in verdict.faults if fault.code is FaultCode.UNKNOWN_DOCNO)
    assert (fault.count, fault.topic_count, fault.found) == (3, 2, "3 lines in 2 topics")


def test_every_fault_code_has_an_input_that_raises_it() -> None:
    assert {case.code for case in CASES} == set(FaultCode) == set(KINDS)


def test_sound_run_is_accepted_with_its_rankings() -> None:
    rankings: list[tuple[str, str, bytes]] = []
    verdict = check(full(), on_ranking=lambda *row: rankings.append(row))
    assert verdict.is_accepted
    assert verdict.faults == verdict.warnings == ()
    assert verdict.summary.tag == "tag"
    assert [topic for topic, _, _ in rankings] == list(TOPICS)
    assert rankings[0][1].split("\n") == [f"n{rank}" for rank in range(1, 13)]
    assert np.frombuffer(rankings[0][2], "<f8").tolist() == [20.0 - rank for rank in range(1, 13)]


def test_rejected_run_has_no_rankings() -> None:
    rankings: list[tuple[str, str, bytes]] = []
    check(full("t1 Q0 zzz 13 1 tag"), on_ranking=lambda *row: rankings.append(row))
    assert not rankings


def test_all_kinds_of_fault_are_shown_at_once() -> None:
    verdict = check(full("t1 Q0 zzz 13 nan tag", "t9 Q0 n1 1 1 tag", "t1 Q0 n1 14 1 other", "short"))
    assert [fault.code for fault in verdict.faults] == [
        F.COLUMN_COUNT, F.TAG_CHANGES, F.UNKNOWN_TOPIC, F.UNKNOWN_DOCNO, F.DUPLICATE_DOCNO, F.SCORE_NOT_FINITE
    ]  # fmt: skip


def test_group_counts_all_and_shows_three_with_the_faulty_part_marked() -> None:
    rows = [f"t1 Q0 zz{number} 13 0.5 tag" for number in range(5)]
    (fault,) = check(full(*rows)).faults
    assert (fault.count, fault.counted, fault.found, fault.first) == (
        5,
        "5 lines",
        "5 lines in 1 topic",
        "line 25",
    )
    assert [(example.line, example.before, example.fault, example.after) for example in fault.examples] == [
        (25, "t1 Q0 ", "zz0", " 13 0.5"),
        (26, "t1 Q0 ", "zz1", " 13 0.5"),
        (27, "t1 Q0 ", "zz2", " 13 0.5"),
    ]


@pytest.mark.parametrize(
    "source",
    [full()[:40], gzip.compress(full())[:60], b"t1 " * 700_000 + full()],
    ids=["short", "cut", "endless"],
)
def test_missing_topics_are_not_reported_when_reading_stopped(source: bytes) -> None:
    codes = [fault.code for fault in check(source, max_bytes=30).faults]
    assert len(codes) == 1
    assert codes[0] in {F.TOO_LARGE, F.UNREADABLE, F.LINE_TOO_LONG}


def test_similar_docnos_are_searched_for_ten_thousand_unknown_ones() -> None:
    asked: list[list[str]] = []

    def near(docnos: Any) -> dict[str, str]:
        asked.append(list(docnos))
        return {docno: docno.upper() for docno in docnos}

    rows = [f"t1 Q0 zz{number} 1 1 tag" for number in range(10_001)]
    (fault, _) = check(full(*rows), near=near).faults
    assert asked == [[f"zz{number}" for number in range(10_000)]]
    assert fault.count == 10_001
    assert fault.note.startswith("10,000 of the first 10,000 docnos differ from a known one only in capital")


def test_docnos_from_a_stream_are_read_from_its_start_each_time() -> None:
    known = DocnoFile(io.BytesIO(b"A\nB\n"))
    assert known(["A", "b"]) == {"b"}
    assert known.near(["b"]) == {"b": "B"}


def test_duplicate_names_where_the_first_one_is() -> None:
    (fault,) = check(full("t2 Q0 n3 13 1 tag")).faults
    assert fault.examples[0].hint == "first on line 15"


def test_docnos_may_come_from_any_callable() -> None:
    asked: list[int] = []

    def unknown(docnos: Any) -> set[str]:
        asked.append(len(docnos))
        return {docno for docno in docnos if docno == "n12"}

    verdict = check(full(), docnos=unknown, near=None)
    assert asked == [12]
    assert [(fault.code, fault.count) for fault in verdict.faults] == [(F.UNKNOWN_DOCNO, 2)]
    assert verdict.summary.known_count == 11


def test_docnos_are_not_checked_without_a_collection() -> None:
    verdict = check(full("t1 Q0 zzz 13 1 tag"), docnos=None)
    assert verdict.is_accepted
    assert verdict.summary.known_count is None


def test_summary_counts_only_topics_of_the_task() -> None:
    summary = check(full(topics=("t1", "t9", "t8"))).summary
    assert (summary.topic_count, summary.expected_topic_count) == (1, 2)
    assert summary.results == (("t1", 12), ("t8", 12), ("t9", 12))


def test_summary_describes_the_file() -> None:
    summary = check(gzip.compress(full("t1 0 zzz 13 -1.5 tag"))).summary
    assert summary.tag == "tag"
    assert summary.line_count == 25
    assert (summary.topic_count, summary.expected_topic_count) == (2, 2)
    assert (summary.docno_count, summary.known_count) == (13, 12)
    assert (summary.lowest_score, summary.highest_score) == (-1.5, 19.0)
    assert summary.is_descending
    assert summary.q0_count == 24
    assert (summary.packing, summary.byte_count) == ("gzip", len(full("t1 0 zzz 13 -1.5 tag")))
    assert summary.results == (("t1", 13), ("t2", 12))


def test_empty_docno_file_is_an_error_of_the_caller() -> None:
    with refused("no-docnos", match="no docnos"):
        check(full(), docnos=DocnoFile(b"\n"))


def test_text_report_has_every_group_and_the_summary() -> None:
    report = verdict_text(check(full("t1 Q0 zzz 13 nan tag", "t1 Q0 n1 - 1 tag")), "my.run")
    assert report.startswith("Rejected: my.run, 3 kinds of fault to fix\n")
    assert "25  t1 Q0 »zzz« 13 nan" in report
    assert "(first on line 1)" in report
    assert "Would be corrected for you" in report
    assert "\n    26  t1 Q0 n1 »-« 1\n" in report
    assert "  Topics           2 of 2" in report
    assert verdict_text(check(full()), "my.run").startswith("Accepted: my.run\n")


def test_verdict_says_in_one_line_that_ids_do_not_meet() -> None:
    topics = [f"web-1.{number}" for number in range(12)]
    lines = [f"1.{number} Q0 {docno}.X 1 1 tag\n" for number in range(3, 5) for docno in "ab"]
    known = DocnoFile(b"a.x\nb.x\n")
    verdict = check_run("".join(lines).encode(), topics=topics, docnos=known, near=known.near)
    line = (
        "12 of 12 topics have no result; 0 of 2 documents are in the collection; the run has 1.3 and a.X; "
        "did you mean web-1.3 and a.x?"
    )
    assert verdict.ids == line
    assert Verdict.from_json(json.loads(json.dumps(verdict.to_json()))).ids == line
    assert verdict_text(verdict, "my.run").splitlines()[1] == f"  {line}"


def test_verdict_of_a_run_whose_ids_mostly_meet_has_no_such_line() -> None:
    for source in (full(), full("t9 Q0 n1 1 1 tag"), full("t1 Q0 zz 13 1 tag"), full()[:40]):
        assert check(source).ids == ""


def test_text_report_makes_invisible_characters_visible() -> None:
    report = verdict_text(check(full("t1 Q0 zz\x1b[2J\u00a0zz 13 1 tag")), "my.run")
    assert r"»zz\x1b[2J\xa0zz«" in report


damage = st.sampled_from(
    [b"\0", b"\xff", b"\n", b"\t", b" ", b"\r\n", b"nan", b"#", b"\xef\xbb\xbf", "é".encode(), b"9" * 30]
)


sound = st.sampled_from([b"t1 Q0 n1 1 1 tag\n", b"t2 Q0 n2 2 0.5 tag"])
pieces = st.lists(st.one_of(damage, sound), max_size=12).map(b"".join)


@pytest.mark.whole
@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(max_size=200), pieces))
def test_nothing_in_a_file_breaks_the_check(source: bytes) -> None:
    rankings: list[tuple[str, str, bytes]] = []
    verdict = check(source, on_ranking=lambda *row: rankings.append(row))
    assert verdict.is_accepted is not bool(verdict.faults)
    assert bool(rankings) is verdict.is_accepted
    json.dumps(verdict.to_json())
    verdict_text(verdict, "x")


@pytest.mark.parametrize("seed", range(20))
def test_sound_run_with_flipped_bytes_does_not_break_the_check(seed: int) -> None:
    source = bytearray(gzip.compress(full()) if seed % 2 else full())
    chance = random.Random(seed)
    for _ in range(5):
        source[chance.randrange(len(source))] = chance.randrange(256)
    verdict_text(check(bytes(source)), "x")


RISING, FALLING, FLAT = (1.0, 2.0, 3.0, 4.0), (4.0, 3.0, 2.0, 1.0), (1.0, 1.0, 1.0, 1.0)
UNTIDY = (1.0, 3.0, 2.0, 4.0)  # Spearman with the ranks: 1 - 6 * 2 / (4 * 15) = 0.8
MIXED = (3.0, 1.0, 4.0, 2.0)  # 1 - 6 * (4 + 1 + 1 + 4) / 60 = 0


@pytest.mark.parametrize(
    ("topics", "is_upside_down"),
    [
        ([RISING], True),
        ([UNTIDY] * 3, True),
        ([RISING] * 9 + [FALLING], True),  # nine of ten
        ([RISING] * 8 + [FALLING] * 2, False),
        ([RISING] * 8 + [MIXED] * 2, False),
        ([RISING] * 8 + [FLAT] * 2, False),
        ([FALLING], False),
        ([FLAT], False),
        ([(1.0, 2.0)] * 5, False),  # two results tell no order
        ([(1.0, 2.0)] * 5 + [RISING], True),
    ],
)
def test_run_is_upside_down_if_scores_rise_with_the_ranks_of_nearly_all_topics(
    topics: list[tuple[float, ...]], *, is_upside_down: bool
) -> None:
    rows = [
        f"t{topic} Q0 n{rank} {rank} {score} tag"
        for topic, scores in enumerate(topics)
        for rank, score in enumerate(scores, start=1)
    ]
    for content in (lines(*rows), lines(*reversed(rows))):  # the rank column decides, not the order of lines
        verdict = check(content, topics=tuple(f"t{topic}" for topic in range(len(topics))))
        assert (verdict.is_accepted, verdict.is_upside_down) == (True, is_upside_down)


@pytest.mark.parametrize(
    ("scores", "is_by_docno", "is_asked"),
    [
        ([1.0] * 12, False, True),
        ([1.0] * 12, True, False),  # the ranks are the order by docno, descending
        ([9.0, 8.0, 7.0, 6.0, 5.0] + [1.0] * 7, False, False),  # five of the first ten
        ([9.0, 8.0, 7.0, 6.0] + [1.0] * 8, False, True),
        ([1.0, 1.0], False, False),  # two results tell no order
    ],
)
def test_run_whose_first_results_tie_is_asked_about_if_its_ranks_are_lost(
    scores: list[float], *, is_by_docno: bool, is_asked: bool
) -> None:
    docnos = sorted((f"n{number}" for number in range(1, len(scores) + 1)), reverse=is_by_docno)
    rows = [
        f"t1 Q0 {docno} {rank} {score} tag"
        for rank, (docno, score) in enumerate(zip(docnos, scores, strict=True), start=1)
    ]
    verdict = check(lines(*rows), topics=("t1",))
    assert (verdict.is_accepted, verdict.is_asked, verdict.is_upside_down) == (True, is_asked, False)
    for ranks in ("0", "x"):
        unranked = [" ".join([*row.split()[:3], ranks, *row.split()[4:]]) for row in rows]
        assert not check(lines(*unranked), topics=("t1",)).is_asked


def test_run_without_usable_ranks_is_not_upside_down() -> None:
    for ranks in ("000", "1x2"):
        rows = [f"t1 Q0 n{n} {rank} {n} tag" for n, rank in enumerate(ranks)]
        assert not check(lines(*rows), topics=("t1",)).is_upside_down
