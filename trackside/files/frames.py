"""Columns of data frames of polars, pandas and similar libraries."""

from __future__ import annotations  # polars is imported on first use

from typing import Any, Protocol

from trackside.errors import InputError
from trackside.lazy_polars import pl


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
