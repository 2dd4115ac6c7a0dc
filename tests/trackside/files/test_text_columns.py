"""Columns of texts, against the same operations on Python's strings."""

import pickle
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trackside.files.text_columns import TextColumn

names = st.text("ab\0é9", max_size=20) | st.sampled_from(["", "docno-07", "docno-08", "x" * 300])
columns = st.lists(names, max_size=25)
FORMS: dict[str, Callable[[list[str]], TextColumn]] = {
    "series": lambda texts: TextColumn.of_series(pl.Series(texts, dtype=pl.String)),
    "lines": lambda texts: TextColumn.of_lines("".join(f"{text}\n" for text in texts).encode()),
}


@pytest.mark.parametrize("form", FORMS)
@given(texts=columns)
def test_texts_are_kept_in_any_order_of_rows(form: str, texts: list[str]) -> None:
    column = FORMS[form](texts)
    rows = np.arange(len(texts))[::-1]
    for own, wanted in ((column, texts), (column.take(rows), texts[::-1])):
        assert own.to_list() == wanted
        assert own.series.to_list() == wanted
    twice = column.take(np.repeat(rows, 2))
    assert twice.series.to_list() == [text for text in texts[::-1] for _ in range(2)]


@pytest.mark.parametrize("form", FORMS)
@given(texts=columns)
def test_columns_are_pickled_as_their_texts(form: str, texts: list[str]) -> None:
    column = FORMS[form](texts * 2)
    copied = pickle.loads(pickle.dumps(column.take(slice(0, len(texts)))))
    assert (copied.to_list(), copied.series.to_list()) == (texts, texts)
    assert copied.tail_hashes.tolist() == FORMS[form](texts).tail_hashes.tolist()


@given(columns, columns)
def test_columns_are_joined(first: list[str], second: list[str]) -> None:
    for one in FORMS.values():
        for other in FORMS.values():
            assert TextColumn.joined([one(first), other(second)]).to_list() == first + second


@pytest.mark.parametrize("form", FORMS)
@given(texts=columns)
def test_equal_texts_have_equal_hashes_and_others_have_others(form: str, texts: list[str]) -> None:
    column = FORMS[form](texts)
    for seed in (0, 1):
        hashes = column.hashes(seed).tolist()
        assert len(set(hashes)) == len(set(texts))
        assert dict(zip(texts, hashes, strict=True)) == dict(
            zip(texts, FORMS["series"](texts).hashes(seed).tolist(), strict=True)
        )


tailed = st.tuples(st.sampled_from(["", "a", "b", "ab"]), st.sampled_from(["docno-07", "7" * 16, "8" * 17]))


@pytest.mark.parametrize("form", FORMS)
@given(pairs=st.lists(tailed, max_size=25))
def test_hashes_of_tails_are_those_of_width_and_last_bytes(form: str, pairs: list[tuple[str, str]]) -> None:
    texts = ["".join(pair) for pair in pairs]
    column = FORMS[form](texts)
    tails = [(len(text), text[-16:]) for text in texts]
    found = column.keys(0).tolist()
    assert len(set(zip(found, tails, strict=True))) == len(set(found)) == len(set(tails))
    assert column.keys(1).tolist() == column.hashes(1).tolist()
    parts = [column, FORMS["lines"](texts), column.take(np.arange(len(texts))[::-1])]
    assert TextColumn.joined(parts).keys(0).tolist() == [*found, *found, *found[::-1]]


@given(st.text("ab", min_size=64, max_size=64), st.integers(1, 64), st.integers(1, 9))
def test_columns_of_one_width_equal_themselves_but_for_changed_texts(
    text: str, width: int, count: int
) -> None:
    texts = [text[:width]] * count
    one, other = (FORMS["lines"](texts) for _ in range(2))
    assert one.equals(other).all()
    changed = FORMS["lines"]([*texts[1:], text[: width - 1] + "c"])
    assert one.equals(changed).tolist() == [True] * (count - 1) + [False]


def test_texts_with_line_feeds_are_joined() -> None:
    first = FORMS["lines"](["ab", "", "docno-07"])
    parts = [first, first.take(np.array([2, 0])), FORMS["series"](["a\nb", "c"])]
    joined = TextColumn.joined(parts)
    assert joined.to_list() == ["ab", "", "docno-07", "docno-07", "ab", "a\nb", "c"]
    assert joined.series.to_list() == joined.to_list()


def test_seeds_separate_hashes() -> None:
    column = FORMS["lines"](["docno-07"])
    assert column.hashes(0)[0] != column.hashes(1)[0]


@pytest.mark.parametrize("form", FORMS)
@given(texts=columns, others=columns)
def test_comparisons_are_those_of_strings(form: str, texts: list[str], others: list[str]) -> None:
    column = FORMS[form](texts)
    assert column.is_like_previous().tolist() == [a == b for a, b in pairwise(texts)]
    size = min(len(texts), len(others))
    first, second = FORMS[form](texts[:size]), FORMS["series"](others[:size])
    assert first.equals(second).tolist() == [a == b for a, b in zip(texts, others, strict=False)]
    order = np.lexsort(column.sort_keys()[::-1]).tolist()
    assert order == sorted(range(len(texts)), key=lambda row: texts[row].encode())
