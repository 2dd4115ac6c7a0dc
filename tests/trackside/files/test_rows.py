"""The order of results, and pairs of topic and document that occur twice."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trackside.files import Qrels, Rankings
from trackside.files.rows import may_repeat, order
from trackside.files.text_columns import TextColumn
from trackside.measuring import evaluate


def ordered(rows: list[tuple[int, float, str]], *, single: bool = False) -> list[tuple[int, float, str]]:
    topics, scores, docnos = zip(*rows, strict=True) if rows else ((), (), ())
    permutation = order(
        np.array(topics, np.int64),
        np.array(scores, np.float64),
        TextColumn.of_series(pl.Series(docnos, dtype=pl.String)),
        single=single,
    )
    return rows if permutation is None else [rows[place] for place in permutation.tolist()]


def test_order_leaves_sorted_results_alone() -> None:
    assert order(np.array([0, 0]), np.array([2.0, 1.0]), TextColumn.of_series(pl.Series(["a", "b"]))) is None


def test_order_in_single_precision_ties_what_a_float_cannot_distinguish() -> None:
    # 1 + 2^-30 is 1 as a 32-bit float, so docnos decide there; as a double it is higher than 1.
    rows = [(0, 1.0 + 2.0**-30, "a"), (0, 1.0, "b")]
    assert [docno for _, _, docno in ordered(rows)] == ["a", "b"]
    assert [docno for _, _, docno in ordered(rows, single=True)] == ["b", "a"]


rows = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from([-1.0, -0.0, 0.0, 0.1, 1e300]), st.text("aZé9", max_size=2)),
    max_size=12,
)


@given(rows)
def test_order_is_that_of_a_plain_sort(rows: list[tuple[int, float, str]]) -> None:
    # Python sorts stably, so sorting by the last key first gives the definition.
    plain = sorted(rows, key=lambda row: row[2].encode(), reverse=True)
    plain = sorted(plain, key=lambda row: (row[0], -row[1]))
    assert [(topic, score, docno) for topic, score, docno in ordered(rows)] == plain


def test_order_in_single_precision_takes_what_no_float_holds_for_infinite() -> None:
    rows = [(0, math.inf, "a"), (0, 1e300, "b"), (0, 3e38, "c")]
    assert [docno for _, _, docno in ordered(rows, single=True)] == ["b", "a", "c"]


def test_rankings_know_whether_a_docno_comes_twice_in_a_topic() -> None:
    assert not Rankings.from_file(b"t Q0 a 1 1 x\nu Q0 a 1 1 x\n").has_duplicates
    assert Rankings.from_file(b"t Q0 a 1 1 x\nt Q0 a 2 0 x\n").has_duplicates


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
