"""Columns of data frames, polars' own or those of any library that is like pandas."""

from __future__ import annotations

from typing import Any, Protocol

import polars as pl


class Column(Protocol):
    """A column that gives its values as a list."""

    def to_list(self) -> list[Any]:
        """The values in order."""


class Frame(Protocol):
    """A data frame: of polars, pandas or another library whose columns give lists."""

    def __getitem__(self, name: str, /) -> Column: ...


def column(frame: Frame, name: str, dtype: type[pl.DataType]) -> pl.Series:
    """One column as a polars series. Numbers may name topics and docnos: 301 is "301"."""
    found = frame[name]
    series = found if isinstance(found, pl.Series) else pl.Series(name, found.to_list())
    return series.cast(dtype)
