"""Runs and qrels as objects of ranx, and frames as those of pandas, each loaded on first use.

The reverse needs no function: ``read_run`` and ``read_qrels`` accept their objects. For pytrec_eval use
``to_dict()`` of either.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from trackside.errors import InputError
from trackside.files import Qrels, Rankings
from trackside.lazy_polars import pl


def to_ranx(thing: Rankings | Qrels) -> Any:
    """A ``ranx.Run`` or ``ranx.Qrels`` of the same name. Raises InputError.

    ranx ranks equal scores in another order than trec_eval, so its values may differ from ours on ties. Pairs
    that are in the pool but not judged (grade below 0) are left out: ranx would read them as grades.
    """
    ranx = _module("ranx")
    if isinstance(thing, Rankings):
        return ranx.Run(thing.to_dict(), name=thing.tag)
    if isinstance(thing, Qrels):
        graded = {
            topic: {docno: grade for docno, grade in grades.items() if grade >= 0}
            for topic, grades in thing.items()
        }
        return ranx.Qrels(graded, name=thing.name)
    raise InputError(f"ranx has no counterpart of a {type(thing).__name__}: give Rankings or Qrels.")


def to_pandas(frame: pl.DataFrame) -> Any:
    """The frame as a ``pandas.DataFrame``, without pyarrow. Nulls are None or NaN. Raises InputError."""
    return _module("pandas").DataFrame(frame.to_dict(as_series=False))


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise InputError(f"{name} is not installed: pip install {name}.") from error
