"""One run and one set of qrels in each form that the library reads."""

import gzip
from typing import Any

import pandas as pd
import polars as pl

SCORES = {"301": {"a": 3.0, "b": 2.0, "c": 2.0}, "302": {"b": 1.5}}
GRADES = {"301": {"a": 0, "b": 1, "c": 2}, "302": {"b": 1, "z": -1}}
RUN_ROWS = [("301", "a", 3.0), ("301", "b", 2.0), ("301", "c", 2.0), ("302", "b", 1.5)]
QREL_ROWS = [("301", "a", 0), ("301", "b", 1), ("301", "c", 2), ("302", "b", 1), ("302", "z", -1)]


def columns(rows: list[tuple[Any, ...]], *names: str) -> dict[str, list[Any]]:
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


RUN_FILE = "".join(f"{topic} Q0 {docno} 1 {score} own\n" for topic, docno, score in RUN_ROWS).encode()
QRELS_FILE = "".join(f"{topic} 0 {docno} {grade}\n" for topic, docno, grade in QREL_ROWS).encode()
RUN_COLUMNS = columns(RUN_ROWS, "topic", "docno", "score")
RUN_FORMS: dict[str, Any] = {
    "bytes": RUN_FILE,
    "packed bytes": gzip.compress(RUN_FILE),
    "dictionary": SCORES,
    "whole numbers for topics": pl.DataFrame(RUN_COLUMNS | {"topic": [301, 301, 301, 302]}),
    "polars": pl.DataFrame(RUN_COLUMNS),
    "pandas": pd.DataFrame(RUN_COLUMNS),
    "pandas of PyTerrier": pd.DataFrame(columns(RUN_ROWS, "qid", "docno", "score") | {"docid": [9, 8, 7, 6]}),
    "pandas of ir_measures": pd.DataFrame(columns(RUN_ROWS, "query_id", "doc_id", "score")),
}
QREL_COLUMNS = columns(QREL_ROWS, "topic", "docno", "grade")
QRELS_FORMS: dict[str, Any] = {
    "bytes": QRELS_FILE,
    "dictionary": GRADES,
    "whole numbers as floats": pl.DataFrame(QREL_COLUMNS | {"grade": [0.0, 1.0, 2.0, 1.0, -1.0]}),
    "polars": pl.DataFrame(QREL_COLUMNS),
    "pandas of PyTerrier": pd.DataFrame(columns(QREL_ROWS, "qid", "docno", "label")),
    "pandas of ir_measures": pd.DataFrame(columns(QREL_ROWS, "query_id", "doc_id", "relevance")),
}
