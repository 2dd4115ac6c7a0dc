import math

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from trackside.files.rows import order
from trackside.files.text_columns import TextColumn


def ordered(rows: list[tuple[int, float, str]], *, single: bool = False) -> list[tuple[int, float, str]]:
    topics, scores, docnos = zip(*rows, strict=True) if rows else ((), (), ())
    permutation = order(
        np.array(topics, np.int64),
        np.array(scores, np.float64),
        TextColumn.of_series(pl.Series(docnos, dtype=pl.String)),
        single=single,
    )
    return rows if permutation is None else [rows[place] for place in permutation.tolist()]


def test_order_puts_higher_scores_first_within_each_topic() -> None:
    assert ordered([(1, 0.5, "a"), (0, 1.0, "b"), (0, 2.0, "c")]) == [
        (0, 2.0, "c"),
        (0, 1.0, "b"),
        (1, 0.5, "a"),
    ]


def test_order_breaks_ties_by_docno_descending_bytewise() -> None:
    # As bytes "9" > "100" > "10", and "é" (C3 A9) > "z" (7A) > "Z" (5A).
    rows = [(0, 1.0, docno) for docno in ("10", "9", "100", "Z", "z", "é")]
    assert [docno for _, _, docno in ordered(rows)] == ["é", "z", "Z", "9", "100", "10"]


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


def test_order_of_nothing_and_of_one_result_is_as_it_is() -> None:
    assert ordered([]) == []
    assert ordered([(0, 1.0, "a")]) == [(0, 1.0, "a")]


def test_order_compares_doubles_unless_asked() -> None:
    scores = np.array([1.0, 1.0 + 2.0**-30])
    found = order(np.array([0, 0]), scores, TextColumn.of_series(pl.Series(["b", "a"])))
    assert found is not None
    assert found.tolist() == [1, 0]


def test_equal_docnos_of_different_topics_are_no_tie() -> None:
    rows = [(0, 1.0, "a"), (0, 1.0, "b"), (1, 1.0, "c"), (1, 1.0, "d")]
    assert [docno for _, _, docno in ordered(rows)] == ["b", "a", "d", "c"]
