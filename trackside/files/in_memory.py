"""Runs and qrels in memory: dictionaries such as those of pytrec_eval, and frames of polars and pandas."""

from __future__ import annotations  # polars is imported on first use

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any, Protocol

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.errors import InputError
from trackside.lazy_polars import pl

Nested = Mapping[str, Mapping[str, Any]]  # by topic and docno


_LONG = 2**63


def names(values: Sequence[Any], what: str) -> list[str]:
    """Topics or docnos as texts; whole numbers are converted. Raises entry-unfit."""
    is_text = set(map(type, values)) <= {str}
    texts = list(values) if is_text else [_name(value, what) for value in values]
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        stray = next(name for name in texts if any("\ud800" <= letter <= "\udfff" for letter in name))
        raise InputError(
            f"{what} {stray!r}: it cannot be written as UTF-8. Correct it.", code="entry-unfit"
        ) from None
    return texts


def scores(results: Nested) -> Floats:
    """Scores of all topics one after another; NaN is allowed. Raises entry-unfit for what is no number."""
    values = [score for ranking in results.values() for score in ranking.values()]
    if not set(map(type, values)) <= {float}:
        values = [
            _score(score, topic, docno)
            for topic, ranking in results.items()
            for docno, score in ranking.items()
        ]
    return np.array(values, np.float64)


def grades(judgments: Nested) -> Ints:
    """Grades of all topics one after another. Raises entry-unfit for values that are not whole numbers."""
    values = [grade for pairs in judgments.values() for grade in pairs.values()]
    if set(map(type, values)) <= {int} and all(abs(value) < _LONG for value in values):
        return np.array(values, np.int64)
    checked = [
        _grade(grade, topic, docno) for topic, pairs in judgments.items() for docno, grade in pairs.items()
    ]
    return np.array(checked, np.int64)


def _name(value: Any, what: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Integral) and not isinstance(value, bool):
        return str(int(value))
    raise InputError(f"{what} {value!r}: give a text or a whole number.", code="entry-unfit")


def _score(value: Any, topic: str, docno: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"topic {topic}, docno {docno}: the score {value!r} is not a number. Correct or drop it.",
            code="entry-unfit",
        ) from None


def _grade(value: Any, topic: str, docno: str) -> int:
    try:
        number = int(value)
        is_whole = abs(number) < _LONG and (isinstance(value, Integral) or number == float(value))
    except (TypeError, ValueError, OverflowError):
        number, is_whole = 0, False
    if not is_whole:
        raise InputError(
            f"topic {topic}, docno {docno}: the grade {value!r} is not a whole number. Correct or drop it.",
            code="entry-unfit",
        )
    return number


class SeriesLike(Protocol):
    """A column that can return its values as a list."""

    def to_list(self) -> list[Any]:
        """The values in order."""


class DataFrameLike(Protocol):
    """A data frame of polars, pandas or another library with such columns."""

    def __getitem__(self, name: str, /) -> SeriesLike: ...


def column(frame: DataFrameLike, name: str, dtype: type[pl.DataType]) -> pl.Series:
    """One column as a polars series. Numbers may name topics and docnos: 301 is "301".

    Raises column-unfit for a gap, and for values that are not numbers, or not whole numbers if these are
    needed.
    """
    values = frame[name]
    if not hasattr(values, "to_list"):
        raise InputError(f"column {name}: several columns have this name. Keep one.", code="column-unfit")
    try:
        series = values if isinstance(values, pl.Series) else pl.Series(name, values.to_list(), strict=True)
        cast = series.cast(dtype)
        is_of_kind = not (series.dtype.is_temporal() or (dtype is pl.String and series.dtype == pl.Boolean))
    except (pl.exceptions.PolarsError, TypeError, ValueError, OverflowError) as error:
        why = str(error).partition("\n")[0]
        raise InputError(
            f"column {name}: its values are not {_KINDS[dtype.__name__]} ({why}). Convert them.",
            code="column-unfit",
        ) from error
    if not is_of_kind:
        raise InputError(
            f"column {name}: its values are not {_KINDS[dtype.__name__]} ({series.dtype}). Convert them.",
            code="column-unfit",
        )
    if dtype is pl.String and series.dtype.is_float():
        raise InputError(
            f"column {name}: numbers with a decimal point. Convert it to text or whole numbers.",
            code="column-unfit",
        )
    if cast.null_count():
        row = int(cast.is_null().arg_true()[0])
        raise InputError(
            f"column {name}, row {row}: no value. Fill the gap, or drop the row.", code="column-unfit"
        )
    if dtype is pl.Int64 and series.dtype.is_float() and (cast.cast(pl.Float64) != series).any():
        row = int((cast.cast(pl.Float64) != series).arg_true()[0])
        raise InputError(
            f"column {name}, row {row}: {series[row]} is not a whole number. Round it.", code="column-unfit"
        )
    return cast


_KINDS = {"String": "texts", "Float64": "numbers", "Int64": "whole numbers"}
