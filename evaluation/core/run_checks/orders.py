"""Warnings about ranks, ties and the direction of scores. None stops a run: the ranking is by score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from evaluation.core.run_checks.codes import FaultCode
from evaluation.core.run_checks.findings import EXAMPLES, rows_fault
from evaluation.core.run_checks.verdict import Example, Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from evaluation.core.trec_files import Rankings

_TOP = 10


def order_faults(rows: pl.DataFrame, scores: NDArray[np.float64], rankings: Rankings) -> Iterator[Fault]:
    """What the rank and score columns say that the ranking by score does not follow."""
    ranks = rows["rank"].cast(pl.Int64, strict=False)
    yield rows_fault(FaultCode.RANK_NOT_WHOLE, rows.filter(ranks.is_null()), "rank")
    by_topic = _by_topic(rows, ranks, scores)
    yield _not_counted(by_topic)
    yield _topics_fault(
        FaultCode.RANK_AGAINST_SCORE,
        by_topic.filter(pl.col("is_whole") & pl.col("is_distinct") & ~pl.col("is_falling_by_rank")),
    )
    rising = by_topic.filter(pl.col("is_rising"))
    yield _topics_fault(FaultCode.SCORES_ASCENDING, rising)
    yield _ties(rankings)


def _by_topic(rows: pl.DataFrame, ranks: pl.Series, scores: NDArray[np.float64]) -> pl.DataFrame:
    """One row a topic, in the order of the file."""
    table = pl.DataFrame({"line": rows["line"], "topic": rows["topic"], "rank": ranks, "score": scores})
    rank, score = pl.col("rank"), pl.col("score")
    by_rank = score.sort_by("rank")
    return table.group_by("topic", maintain_order=True).agg(
        first_line=pl.col("line").first(),
        lowest=rank.min(),
        highest=rank.max(),
        size=pl.len(),
        is_whole=rank.is_not_null().all(),
        is_distinct=rank.n_unique() == pl.len(),
        is_falling_by_rank=(by_rank.diff().fill_null(0.0).fill_nan(0.0) <= 0).all(),
        is_rising=(score.diff().fill_null(0.0) >= 0).all() & (score.first() < score.last()),
    )


def _not_counted(by_topic: pl.DataFrame) -> Fault:
    is_counted = pl.col("is_distinct") & (pl.col("lowest") == 1) & (pl.col("highest") == pl.col("size"))
    others = by_topic.filter(pl.col("is_whole") & ~is_counted)
    from_zero = others.filter(
        pl.col("is_distinct") & (pl.col("lowest") == 0) & (pl.col("highest") == pl.col("size") - 1)
    ).height
    note = f"They count from 0 in {from_zero:,} of them." if from_zero else ""
    return _topics_fault(FaultCode.RANK_NOT_COUNTED, others, note)


def _topics_fault(code: FaultCode, topics: pl.DataFrame, note: str = "") -> Fault:
    if not topics.height:
        return Fault(code, 0)
    examples = tuple(
        Example(row["first_line"], "", row["topic"], f"  ranks {row['lowest']} to {row['highest']}")
        for row in topics.head(EXAMPLES).iter_rows(named=True)
    )
    return Fault(code, topics.height, int(topics["first_line"][0]), examples=examples, note=note)


def _ties(rankings: Rankings) -> Fault:
    """Lines that share their score with another of their topic, and how many such pairs stand in a top 10."""
    topics, scores = rankings.topic_of_row, rankings.scores
    is_tie = (topics[1:] == topics[:-1]) & (scores[1:] == scores[:-1])
    if not is_tie.any():
        return Fault(FaultCode.TIED_SCORES, 0)
    in_tie = np.concatenate((is_tie, [False])) | np.concatenate(([False], is_tie))
    place = np.arange(len(scores)) - rankings.bounds[topics]
    in_top = int((is_tie & (place[:-1] < _TOP)).sum())
    first = int(np.flatnonzero(in_tie)[0])
    topic = rankings.topics[topics[first]]
    note = (
        f"{in_top:,} of the ties reach{'es' * (in_top == 1)} into a top {_TOP} and can move nDCG@{_TOP}."
        if in_top
        else f"None reaches into a top {_TOP}."
    )
    examples = tuple(
        Example(None, f"{rankings.topics[topics[row]]} {rankings.docnos[row]} ", f"{scores[row]:g}", "")
        for row in np.flatnonzero(in_tie)[:EXAMPLES].tolist()
    )
    touched = len(np.unique(topics[in_tie]))
    return Fault(FaultCode.TIED_SCORES, int(in_tie.sum()), None, topic, touched, examples, note)
