"""Plain blocks, split by whole-array operations, read as the reader of any block reads them."""

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trackside.errors import InputError
from trackside.files import MalformedLine, Qrels, Rankings
from trackside.files.plain import PlainBlock

PLAIN = b"t1 Q0 d1 1 2.5 tag\nt1 Q0 d2 2 1.5 tag\nt2 Q0 d1 1 0.5 last\n"
FIELDS = st.sampled_from(
    ["t1", "t2", "Q0", "d1", "d22", "docno-0000001", "1", "2.5", "1e-5", "nan", "é", "#", "-3"]
)
SEPARATORS = st.sampled_from([" "] * 12 + ["\t", "  ", "\r", "\v", "\0", "\n"])


def lines(width: int) -> st.SearchStrategy[bytes]:
    """Lines of mostly ``width`` fields, some with other separators."""
    field = st.tuples(FIELDS, SEPARATORS)
    few = st.integers(0, 9).flatmap(
        lambda pick: st.lists(field, min_size=width if pick else 1, max_size=width if pick else 9)
    )
    line = few.map(lambda parts: "".join(a + b for a, b in parts[:-1]) + parts[-1][0])
    return st.tuples(st.lists(line, min_size=1, max_size=6), st.booleans()).map(
        lambda drawn: ("\n".join(drawn[0]) + "\n" * drawn[1]).encode()
    )


def run_of(raw: bytes) -> object:
    try:
        run = Rankings.from_file(raw)
    except InputError as error:
        return str(error)
    return run.tag, run.to_dict(), [*run.docnos], run.scores.tolist(), run.has_duplicates, run.oddities


def qrels_of(raw: bytes) -> object:
    try:
        qrels = Qrels.from_file(raw)
    except InputError as error:
        return str(error)
    return qrels.to_dict(), qrels.sha256, qrels.oddities


@pytest.mark.parametrize(("width", "read"), [(6, run_of), (4, qrels_of)])
@given(data=st.data(), block_bytes=st.integers(1, 80))
def test_both_readers_agree(width: int, read: object, data: st.DataObject, block_bytes: int) -> None:
    raw = data.draw(lines(width))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("trackside.files.streams.BLOCK_BYTES", block_bytes)
        found = read(raw)  # type: ignore[operator]
        patch.setattr(PlainBlock, "of", lambda *_: None)
        assert found == read(raw)  # type: ignore[operator]


def test_plain_lines_are_plain() -> None:
    block = PlainBlock.of(PLAIN, 6)
    assert block is not None
    topics, scores = block.texts(0), block.scores(4)
    assert topics is not None
    assert scores is not None
    assert (topics.to_list(), scores.tolist(), block.field(-1, 5)) == (
        ["t1", "t1", "t2"],
        [2.5, 1.5, 0.5],
        "last",
    )


@pytest.mark.parametrize(
    "raw",
    [
        # A short line and an overlong one have together the separators of two sound lines.
        b"t1 Q0 d1 1 2.5\nt1 Q0 d2 2 1.5 tag more\n",
        b"t1 Q0 d1 1 2.5 tag more\nt1 Q0 d2 2 1.5\n",
        b"t1 Q0 d1 1 2.5 tag\nt1\nt1 Q0 d2 2 1.5 tag t1 Q0 d3 3 1\n",
        b"t1 Q0 d1 1 2.5  tag\nt1 Q0 d2 2 tag\n",
        b" t1 Q0 d1 1 2.5\nt1 Q0 d2 2 1.5 tag x\n",
        b"t1\tQ0 d1 1 2.5 tag\n",
        b"t1 Q0 d1 1 2.5 tag\r\n",
        b"t1 Q0 d\x001 1 2.5 tag\n",
        b"#1 Q0 d1 1 2.5 tag\n",
        "t1 Q0 dé 1 2.5 tag\n".encode(),
        b"\n\n\n\n\n\n",
        b"",
    ],
)
def test_other_blocks_are_not_plain(raw: bytes) -> None:
    assert PlainBlock.of(raw, 6) is None


def test_short_and_overlong_lines_that_cancel_out_are_refused() -> None:
    with pytest.raises(MalformedLine, match="line 1: 5 columns where 6 are needed"):
        Rankings.from_file(b"t1 Q0 d1 1 2.5\nt1 Q0 d2 2 1.5 tag more\n")


def test_a_number_that_is_no_decimal_leaves_the_block_to_the_other_reader() -> None:
    block = PlainBlock.of(PLAIN.replace(b"1.5", b"1.5x"), 6)
    assert block is not None
    assert block.scores(4) is None
    assert block.grades(4) is None


def test_exponents_are_read_row_by_row() -> None:
    block = PlainBlock.of(PLAIN.replace(b"1.5", b"1.5e-7"), 6)
    assert block is not None
    scores = block.scores(4)
    assert scores is not None
    assert scores.tolist() == [2.5, 1.5e-7, 0.5]


def test_a_run_of_several_blocks_is_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trackside.files.streams.BLOCK_BYTES", 60)
    raw = PLAIN + "t3 Q0 é 1 3 tag\nt3 Q0 d9  2 1 tag\nt4 Q0 d1 1 1 end\n".encode()
    run = Rankings.from_file(raw)
    assert run.to_dict() == {
        "t1": {"d1": 2.5, "d2": 1.5},
        "t2": {"d1": 0.5},
        "t3": {"é": 3.0, "d9": 1.0},
        "t4": {"d1": 1.0},
    }
    assert run.tag == "end"
    assert np.diff(run.bounds).tolist() == [2, 1, 2, 1]


docno = st.sampled_from(["d1", "d10", "d9", "é", "Zz", "x" * 70, "y" * 300]) | st.text("ab", min_size=1)
result = st.tuples(st.sampled_from(["t1", "t10", "t2"]), docno, st.sampled_from([2.5, -1.0, 1.0, 1 + 2**-30]))


@given(
    results=st.lists(result, min_size=1, unique_by=lambda row: row[:2]),
    line_end=st.sampled_from(["\n", "\r\n", "\n\n"]),
    single=st.booleans(),
    block_bytes=st.integers(1, 200),
    depth=st.integers(0, 4),
)
def test_results_are_those_of_a_plain_loop(
    results: list[tuple[str, str, float]], line_end: str, single: bool, block_bytes: int, depth: int
) -> None:
    raw = "".join(f"{topic} Q0 {name} 1 {score!r} tag{line_end}" for topic, name, score in results).encode()
    wanted: dict[str, list[str]] = {}
    for topic, name, _ in sorted(
        results, key=lambda row: (np.float32(row[2]) if single else row[2], row[1].encode()), reverse=True
    ):
        wanted.setdefault(topic, []).append(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("trackside.files.streams.BLOCK_BYTES", block_bytes)
        run = Rankings.from_file(gzip.compress(raw), single=single)
    assert {topic: docnos for topic, docnos, _ in run.results()} == wanted
    assert {topic: list(run[topic]) for topic in run} == wanted
    assert run.docnos.to_list() == [name for topic in run.topics for name in wanted[topic]]
    assert run.top(depth) == {topic: docnos[:depth] for topic, docnos in wanted.items()}
    scores = {(topic, name): score for topic, name, score in results}
    assert run.to_dict() == {topic: {d: scores[topic, d] for d in docnos} for topic, docnos in wanted.items()}
