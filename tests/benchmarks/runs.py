"""Made-up run and qrels files of a given shape, the same for the same seed."""

from pathlib import Path
from uuid import UUID

import numpy as np
import polars as pl
from numpy.typing import NDArray

POOL = 3000
JUDGED = 130


def docno_list(count: int, seed: int = 0) -> pl.Series:
    """Docnos that look like UUIDs, as AToMiC's do."""
    high, low = np.random.default_rng(seed).integers(1 << 62, size=(2, count)).tolist()
    names = [str(UUID(int=(first << 64) | second)) for first, second in zip(high, low, strict=True)]
    return pl.Series("docno", names)


def topic_name(place: int) -> str:
    return f"projected-{place:05d}-001"


def write_run(path: Path, topics: int, depth: int, docnos: pl.Series, seed: int) -> Path:
    """A run of ``topics`` x ``depth`` results with 32-bit scores, as retrieval libraries write them."""
    random = np.random.default_rng(seed)
    chosen = np.concatenate(
        [_pool(topic, len(docnos))[random.permutation(POOL)[:depth]] for topic in range(topics)]
    )
    scores = -np.sort(-random.random((topics, depth), dtype=np.float32) * 30, axis=1)
    frame = pl.DataFrame(
        {
            "topic": np.repeat([topic_name(topic) for topic in range(topics)], depth),
            "q0": "Q0",
            "docno": docnos.gather(chosen),
            "rank": np.tile(np.arange(1, depth + 1), topics),
            "score": scores.ravel().astype(np.float64)
            if seed % 2
            else scores.ravel().astype(np.float64).round(6),
            "tag": f"run_{seed:03d}",
        }
    )
    frame.write_csv(path, include_header=False, separator=" ", quote_style="never")
    return path


def write_qrels(path: Path, topics: int, docnos: pl.Series, seed: int) -> Path:
    """Grades 0 to 2 for the first documents of each topic's pool, more of 0."""
    random = np.random.default_rng(1000 + seed)
    chosen = np.concatenate([_pool(topic, len(docnos))[:JUDGED] for topic in range(topics)])
    frame = pl.DataFrame(
        {
            "topic": np.repeat([topic_name(topic) for topic in range(topics)], JUDGED),
            "iteration": "0",
            "docno": docnos.gather(chosen),
            "grade": random.choice([0, 0, 1, 2], len(chosen)),
        }
    )
    frame.write_csv(path, include_header=False, separator=" ", quote_style="never")
    return path


def _pool(topic: int, docno_count: int) -> NDArray[np.int64]:
    return np.random.default_rng(10_000 + topic).choice(docno_count, POOL, replace=False, shuffle=False)
