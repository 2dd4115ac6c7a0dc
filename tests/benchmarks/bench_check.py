"""The check of a 50 MB run, compared with a plain Python loop that does the same checks."""

import math
import re
import time
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.measuring import Row, medians, peak_bytes
from tests.benchmarks.runs import docno_list, topic_name, write_run
from trackside.checks import DocnoFile, check_run

TOPICS = 700
CHECK = (
    "from trackside.checks import check_run, DocnoFile\n"
    "check_run({!r}, topics=[f'projected-{{place:05d}}-001' for place in range(700)], docnos=DocnoFile({!r}))"
)


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """Time and memory."""
    docnos = docno_list(200_000)
    run = write_run(folder / "run", TOPICS, 1000, docnos, 2)
    known = folder / "docnos"
    known.write_text("\n".join(docnos) + "\n")
    topics = {topic_name(place) for place in range(TOPICS)}
    assert check_run(run, topics=topics, docnos=DocnoFile(known)).is_accepted
    assert line_loop(run, topics, known)
    taken = medians({
        "ours": lambda: check_run(run, topics=topics, docnos=DocnoFile(known)),
        "loop": lambda: line_loop(run, topics, known),
    }, rounds=3, clock=time.process_time)  # fmt: skip
    size = run.stat().st_size
    loop = {"a plain Python loop over lines": taken["loop"]}
    yield Row.faster(f"check of {size / 1e6:.0f} MB, processor", taken["ours"], loop, least=1.5, aim=3)
    peak = peak_bytes(CHECK.format(str(run), str(known)))
    yield Row.below("its peak memory over the file", peak / size, 8, f"{peak / 1e6:.0f} MB")


def line_loop(path: Path, topics: set[str], known_path: Path) -> bool:
    """Columns, tag, known topics and docnos, no docno twice, finite scores, ranks, ties, counts."""
    known = set(known_path.read_text().split())
    tag_pattern = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,49}")
    seen: dict[str, dict[str, float]] = {}
    ranks: dict[str, list[int]] = {}
    tags: set[str] = set()
    with path.open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            fields = line.split()
            if len(fields) != 6 or fields[1] != "Q0" or "\0" in line or line.endswith("\r\n"):
                return False
            topic, _, docno, rank, score, tag = fields
            value = float(score)
            results = seen.setdefault(topic, {})
            if topic not in topics or docno not in known or docno in results or not math.isfinite(value):
                return False
            results[docno] = value
            ranks.setdefault(topic, []).append(int(rank))
            tags.add(tag)
    is_tied = any(len(set(results.values())) < len(results) for results in seen.values())
    is_ranked = all(sorted(each) == list(range(1, len(each) + 1)) for each in ranks.values())
    is_falling = all(list(each.values()) == sorted(each.values(), reverse=True) for each in seen.values())
    is_small = all(len(results) <= 1000 for results in seen.values())
    ordered = [
        sorted(each.items(), key=lambda pair: (pair[1], pair[0]), reverse=True) for each in seen.values()
    ]
    found = {"tied": is_tied, "ranked": is_ranked, "falling": is_falling, "topics": len(ordered)}
    is_tag_good = len(tags) == 1 and all(map(tag_pattern.fullmatch, tags))
    return seen.keys() == topics and is_tag_good and is_small and found["topics"] == TOPICS
