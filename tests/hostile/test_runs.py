"""Hostile run files get their verdicts within the memory and time that their size allows."""

import json
from io import BytesIO
from typing import Any

import pytest

from evaluation.submissions.runs.reading import CPU_SECONDS, SILENCE_SECONDS
from evaluation.tracks.work.sandbox import LimitReached, sandbox
from tests.hostile.runs import DEPTH, TOPICS, runs
from tests.marks import quick_only
from trackside.checks import Verdict
from trackside.sandbox.limits import Limits

NAMES = tuple(runs(1.0))
MOST_JSON = 64_000  # bytes of a verdict
# Valid except for their docnos, so only the collection rejects them.
READ_WHOLE = {"every_docno_its_own", "all_tied_and_mixed"}


def check(content: bytes, **changes: Any) -> tuple[dict[str, Any], int]:
    """The verdict of a sandbox for a collection without documents, and its peak memory."""
    limits = Limits.for_file(len(content), cpu_seconds=CPU_SECONDS, silence_seconds=SILENCE_SECONDS)
    values = {"max_per_topic": DEPTH, "tag_max": 50, "seed": 11} | changes
    topics = json.dumps(TOPICS).encode()
    verdict: dict[str, Any] = {}
    with sandbox("check", BytesIO(content), limits=limits, values=values, content=topics) as running:
        for message in running.messages():
            if message.kind == "unknown":
                running.answer(content=message.content)
            elif message.kind == "near":
                running.answer(content=b"{}")
            elif message.kind == "verdict":
                verdict = message.values
            else:
                running.answer({"answer": message.kind == "has_run_left"})
    return verdict, running.peak_bytes


def look_at(name: str, share: float) -> None:
    content = runs(share)[name]()
    verdict, peak = check(content)
    assert not verdict["is_accepted"]
    assert len(json.dumps(verdict)) <= MOST_JSON
    assert all(len(fault["examples"]) <= 3 for fault in verdict["faults"])
    assert peak <= max(256_000_000, 8 * len(content))
    assert Verdict.from_json(verdict).to_json() == verdict
    if name in READ_WHOLE:
        assert "unknown_docno" in {fault["code"] for fault in verdict["faults"]}


# A parser without limits takes gigabytes for these at full size; a hundredth gets the same verdicts.
@pytest.mark.parametrize("name", quick_only(NAMES, quick=["stray_bytes", "nul_lines", "bzip2_bomb"]))
def test_hostile_run_gets_a_small_verdict(name: str) -> None:
    look_at(name, 0.01)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_hostile_run_of_full_size_stays_within_its_memory(name: str) -> None:
    look_at(name, 1.0)


@pytest.mark.whole
def test_million_topics_are_counted_and_not_stored() -> None:
    verdict, _ = check(runs(0.3)["million_topics"]())
    (unknown,) = (fault for fault in verdict["faults"] if fault["code"] == "unknown_topic")
    assert unknown["count"] == 300_000  # every line
    assert unknown["topic_count"] == 1000
    assert unknown["note"] == "The file has more; the first 1,000 were checked."
    assert verdict["summary"]["line_count"] == 300_000


@pytest.mark.whole
def test_reading_stops_far_beyond_what_a_run_of_the_task_can_have() -> None:
    # 50 topics of 1,000 results: reading stops at a million lines of two million.
    verdict, _ = check(_lines(2_000_000))
    (too_large,) = (fault for fault in verdict["faults"] if fault["code"] == "too_large")
    assert "More than 1,000,000 lines" in too_large["note"]
    # Topics that may occur after the stop are not reported as missing.
    assert "topic_without_results" not in {fault["code"] for fault in verdict["faults"]}


def _lines(count: int) -> bytes:
    return b"t000 Q0 d 1 1 t\n" * count


def test_memory_limit_names_what_was_needed() -> None:
    content = runs(1.0)["every_docno_its_own"]()
    with pytest.raises(LimitReached, match="more than 100 MB of memory") as raised:
        check_within(content, Limits(100_000_000, 60, 120.0))
    assert raised.value.limit == "memory"


@pytest.mark.whole
def test_processor_limit_ends_the_reading() -> None:
    with pytest.raises(LimitReached, match="more than 1 seconds of processor time"):
        check_within(runs(1.0)["stray_bytes"](), Limits(256_000_000, 1, 120.0))


def test_silence_ends_the_reading() -> None:
    """Nobody answers the job's first question, so it waits without using the processor."""
    with pytest.raises(LimitReached, match="did nothing for 2 seconds") as raised:
        check_within(_lines(10), Limits(256_000_000, 60, 2.0), is_answered=False)
    assert raised.value.limit == "silence"


def check_within(content: bytes, limits: Limits, *, is_answered: bool = True) -> None:
    values = {"max_per_topic": DEPTH, "tag_max": 50, "seed": 11}
    topics = json.dumps(TOPICS).encode()
    with sandbox("check", BytesIO(content), limits=limits, values=values, content=topics) as running:
        for _ in running.messages():
            if is_answered:
                running.answer()
