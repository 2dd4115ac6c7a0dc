"""Hostile import files are read, or refused with a reason, within the memory that their size allows."""

import gzip
import random
import time
import zipfile
from collections.abc import Callable
from io import BytesIO

import pytest

from evaluation.tracks.work.sandbox import FileRefused, LimitReached, sandbox
from tests.marks import quick_only
from trackside.sandbox.limits import Limits

MOST = 256_000_000  # bytes for any small file


def packed(part: bytes, count: int) -> bytes:
    file = BytesIO()
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=1, mtime=0) as packer:
        for _ in range(count):
            packer.write(part)
    return file.getvalue()


def archive(count: int) -> bytes:
    """A zip of empty files: nothing but its directory, 100 bytes an entry."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for number in range(count):
            made.writestr(f"f{number}", b"")
    return file.getvalue()


def read(job: str, content: bytes, **values: object) -> int:
    """The peak memory of a job."""
    limits = Limits.for_file(len(content), cpu_seconds=120, silence_seconds=600.0)
    with sandbox(job, BytesIO(content), limits=limits, values=values, content=b'["t"]') as running:
        for message in running.messages():
            if message.kind == "is_known":
                running.answer({"answer": True})
    return running.peak_bytes


DICE = random.Random(5)
# A megabyte with a compression ratio of about 20: a ratio of 100 is refused by itself.
NAMES = [b"%032x" % DICE.getrandbits(128) for _ in range(1000)]
JSON_LINES = b"".join(b'{"id": "%s", "title": "%s"}\n' % (name, b"x" * 1000) for name in NAMES)
ROWS = b"".join(b"%s,%s\n" % (name, b"x" * 1000) for name in NAMES)
READ: dict[str, Callable[[], bytes]] = {
    "topics never closed": lambda: b"<top>" * 144_000 + b"</top>",  # 720 KB, which once took 13 minutes
    "100 MB of JSON lines": lambda: packed(JSON_LINES, 100),
    "100 MB of a table": lambda: packed(b"id,title\n" + ROWS, 100),
    "deep JSON": lambda: b'{"id": ' + b"[" * 500_000,
    "bytes that are no text": lambda: b"id\n" + b"\xff" * 1_000_000,
    "one JSON value of 8 MB": lambda: b"[" + b'{"id": "a", "title": "%s"},' % (b"x" * 100) * 60_000 + b"{}]",
    "XML of 5 MB": lambda: (
        b"<topics>" + b"<topic number='1'><title>x</title></topic>" * 120_000 + b"</topics>"
    ),
    "SGML of 5 MB": lambda: b"<top><num>1<title>x < y</top>" * 160_000,
}
REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "one line of 300 MB": (lambda: packed(b'{"id": "' + b"x" * 1_000_000, 300), "a line is longer than"),
    "a table of one line": (lambda: packed(b"a," * 500_000, 300), "a line is longer than"),
}


@pytest.mark.parametrize("name", quick_only(READ, quick=["topics never closed", "bytes that are no text"]))
def test_hostile_topics_are_read_within_their_memory(name: str) -> None:
    content = READ[name]()
    try:
        assert read("records", content, kind="topics", columns=[], choice={}, is_trial=True) <= MOST
    except FileRefused:
        assert name in ("topics never closed", "bytes that are no text")


@pytest.mark.parametrize("name", quick_only(REFUSED, quick=["a table of one line"]))
def test_hostile_topics_are_refused_with_the_reason(name: str) -> None:
    build, words = REFUSED[name]
    with pytest.raises(FileRefused, match=words):
        read("records", build(), kind="topics", columns=[], choice={}, is_trial=True)


@pytest.mark.whole
def test_archive_of_very_many_files_ends_only_its_reader() -> None:
    content = archive(20_000)
    assert read("archive", content, most=1000, most_files=20_000) <= MOST


@pytest.mark.whole
def test_highly_compressed_qrels_reach_the_limit() -> None:
    content = packed(b"".join(b"t 0 d%d 1\n" % number for number in range(100_000)), 60)
    with pytest.raises((LimitReached, FileRefused)):
        read("grades", content, numbers=[(0, 0), (1, 1)])


def test_time_on_the_wall_is_no_limit() -> None:
    """A busy parent takes longer between two messages than the silence that its child may keep."""
    limits = Limits.for_file(1000, cpu_seconds=60, silence_seconds=1.0)
    values, names = {"most": 1000, "most_files": 3}, []
    with sandbox("archive", BytesIO(archive(3)), limits=limits, values=values) as running:
        for message in running.messages():
            names.append(message.values["name"])
            time.sleep(0.6)
    assert names == ["f0", "f1", "f2"]
