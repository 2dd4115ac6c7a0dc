"""One run and one set of qrels in each form that the library reads."""

from __future__ import annotations

import gzip
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl

SCORES = {"301": {"a": 3.0, "b": 2.0, "c": 2.0}, "302": {"b": 1.5}}
GRADES = {"301": {"a": 0, "b": 1, "c": 2}, "302": {"b": 1, "z": -1}}
RUN_ROWS = [("301", "a", 3.0), ("301", "b", 2.0), ("301", "c", 2.0), ("302", "b", 1.5)]
QREL_ROWS = [("301", "a", 0), ("301", "b", 1), ("301", "c", 2), ("302", "b", 1), ("302", "z", -1)]


class TrecQrel(NamedTuple):
    """As ir_datasets has them."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str


class ScoredDoc(NamedTuple):
    """As ir_measures and ir_datasets have them."""

    query_id: str
    doc_id: str
    score: float


def columns(rows: list[tuple[Any, ...]], *names: str) -> dict[str, list[Any]]:
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


RUN_FILE = "".join(f"{topic} Q0 {docno} 1 {score} own\n" for topic, docno, score in RUN_ROWS).encode()
QRELS_FILE = "".join(f"{topic} 0 {docno} {grade}\n" for topic, docno, grade in QREL_ROWS).encode()
RUN_COLUMNS = columns(RUN_ROWS, "topic", "docno", "score")
RUN_FORMS: dict[str, Any] = {
    "bytes": RUN_FILE,
    "packed bytes": gzip.compress(RUN_FILE),
    "dictionary": SCORES,
    "lists": RUN_COLUMNS,
    "arrays": {name: np.array(values) for name, values in RUN_COLUMNS.items()},
    "whole numbers for topics": RUN_COLUMNS | {"topic": np.array([301, 301, 301, 302])},
    "polars": pl.DataFrame(RUN_COLUMNS),
    "pandas": pd.DataFrame(RUN_COLUMNS),
    "pandas of PyTerrier": pd.DataFrame(columns(RUN_ROWS, "qid", "docno", "score") | {"docid": [9, 8, 7, 6]}),
    "pandas of ir_measures": pd.DataFrame(columns(RUN_ROWS, "query_id", "doc_id", "score")),
    "named tuples": [ScoredDoc(*row) for row in RUN_ROWS],
    "generator of named tuples": (ScoredDoc(*row) for row in RUN_ROWS),
}
QREL_COLUMNS = columns(QREL_ROWS, "topic", "docno", "grade")
QRELS_FORMS: dict[str, Any] = {
    "bytes": QRELS_FILE,
    "dictionary": GRADES,
    "lists": QREL_COLUMNS,
    "arrays": {name: np.array(values) for name, values in QREL_COLUMNS.items()},
    "whole numbers as floats": QREL_COLUMNS | {"grade": np.array([0.0, 1.0, 2.0, 1.0, -1.0])},
    "polars": pl.DataFrame(QREL_COLUMNS),
    "pandas of PyTerrier": pd.DataFrame(columns(QREL_ROWS, "qid", "docno", "label")),
    "pandas of ir_measures": pd.DataFrame(columns(QREL_ROWS, "query_id", "doc_id", "relevance")),
    "named tuples": [TrecQrel(*row, iteration="0") for row in QREL_ROWS],
}
