"""Warnings about ranks, ties and the direction of scores. None rejects a run: the ranking is by score."""

from collections.abc import Iterator

import numpy as np
import polars as pl

from trackside.checks.codes import FaultCode
from trackside.checks.fault_collector import EXAMPLES, SHOWN_CHARACTERS
from trackside.checks.verdict import Example, Fault
from trackside.files import Rankings

_TOP = 10
FEWEST = 3  # results of a topic whose order tells anything
NEARLY_ALL = 0.9  # of these topics: then the whole run is upside down
MOST = 0.5  # of these topics: then ties decide the order of the run


class OrderCheck:
    """Finds where the rank and score columns disagree with the ranking by score."""

    def __init__(self) -> None:
        self._parts: list[pl.DataFrame] = []
        self._ties = _Ties()
        self._lost: list[str] = []

    def add(self, batch: pl.DataFrame, rankings: Rankings) -> None:
        """Examine a batch of complete topics and its rankings."""
        by_topic = _by_topic(batch)
        inverted = _inverted(batch, by_topic)
        self._parts.append(by_topic.with_columns(is_inverted=pl.col("topic").is_in(inverted)))
        self._ties.add(rankings)
        self._lost += _lost_ranks(batch, rankings)

    def faults(self) -> Iterator[Fault]:
        """All warnings, with places in file order."""
        if not self._parts:
            return
        by_topic = pl.concat(self._parts).sort("first_line")
        yield _not_counted(by_topic)
        yield _topics_fault(
            FaultCode.RANK_AGAINST_SCORE,
            by_topic.filter(pl.col("is_whole") & pl.col("is_distinct") & ~pl.col("is_falling_by_rank")),
        )
        rising = by_topic.filter(pl.col("is_rising"))
        yield _topics_fault(FaultCode.SCORES_ASCENDING, rising)
        ordered = by_topic.filter(pl.col("size") >= FEWEST)
        inverted = ordered.filter(pl.col("is_inverted"))
        if inverted.height >= NEARLY_ALL * ordered.height:
            yield _topics_fault(FaultCode.UPSIDE_DOWN, inverted)
        lost = ordered.filter(pl.col("topic").is_in(self._lost))
        if lost.height > MOST * ordered.height:
            yield _topics_fault(FaultCode.RANKS_LOST, lost)
        yield self._ties.fault()


def _by_topic(rows: pl.DataFrame) -> pl.DataFrame:
    """One row per topic."""
    rank, score = pl.col("rank"), pl.col("score")
    by_rank = score.sort_by("rank")
    return rows.group_by("topic", maintain_order=True).agg(
        first_line=pl.col("line").first(),
        lowest=rank.min(),
        highest=rank.max(),
        size=pl.len(),
        is_whole=rank.is_not_null().all(),
        is_distinct=rank.n_unique() == pl.len(),
        is_falling_by_rank=(by_rank.diff().fill_null(0.0).fill_nan(0.0) <= 0).all(),
        is_rising=(score.diff().fill_null(0.0) >= 0).all() & (score.first() < score.last()),
    )


def _inverted(rows: pl.DataFrame, by_topic: pl.DataFrame) -> pl.Series:
    """Topics in which scores rise with the rank: Spearman's correlation of the two is positive."""
    odd = by_topic.filter((pl.col("size") >= FEWEST) & pl.col("is_whole") & ~pl.col("is_falling_by_rank"))[
        "topic"
    ]
    correlations = (
        rows.filter(pl.col("topic").is_in(odd.implode()))
        .group_by("topic")
        .agg(rho=pl.corr("rank", "score", method="spearman"))
    )
    return correlations.filter(pl.col("rho").fill_nan(0.0) > 0)["topic"].implode()


def _lost_ranks(rows: pl.DataFrame, rankings: Rankings) -> list[str]:
    """Topics most of whose first ten results tie, and whose ranks are in another order than the ranking."""
    topics, scores = rankings.topic_of_row, rankings.scores
    is_tie = (topics[1:] == topics[:-1]) & (scores[1:] == scores[:-1])
    if not is_tie.any():
        return []
    in_tie = np.concatenate((is_tie, [False])) | np.concatenate(([False], is_tie))
    is_first = np.arange(len(scores)) - rankings.bounds[topics] < _TOP
    sizes = np.bincount(topics[is_first], minlength=len(rankings.topics))
    tied = np.bincount(topics[is_first & in_tie], minlength=len(rankings.topics))
    names = pl.Series([rankings.topics[index] for index in np.flatnonzero(2 * tied > sizes)], dtype=pl.String)
    first = (
        rows.filter(pl.col("topic").is_in(names.implode()) & pl.col("score").is_finite())
        .sort("topic", "score", "docno", descending=[False, True, True])
        .group_by("topic", maintain_order=True)
        .agg(pl.col("rank").head(_TOP))
    )
    rank = pl.col("rank").list
    is_ranked = (rank.drop_nulls().list.len() == rank.len()) & (rank.n_unique() == rank.len())
    return first.filter(is_ranked & (rank.sort() != pl.col("rank")))["topic"].to_list()


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
        Example(line, "", topic[:SHOWN_CHARACTERS], f"  ranks {lowest} to {highest}")
        for line, topic, lowest, highest in topics.head(EXAMPLES)
        .select("first_line", "topic", "lowest", "highest")
        .iter_rows()
    )
    return Fault(code, topics.height, int(topics["first_line"][0]), examples=examples, note=note)


class _Ties:
    """Lines that share their score with another line of their topic, and the ties that reach a top 10."""

    def __init__(self) -> None:
        self._count = self._topic_count = self._top_count = 0
        self._first_topic: str | None = None
        self._examples: list[Example] = []

    def add(self, rankings: Rankings) -> None:
        topics, scores = rankings.topic_of_row, rankings.scores
        is_tie = (topics[1:] == topics[:-1]) & (scores[1:] == scores[:-1])
        if not is_tie.any():
            return
        in_tie = np.concatenate((is_tie, [False])) | np.concatenate(([False], is_tie))
        positions = np.arange(len(scores)) - rankings.bounds[topics]
        rows = np.flatnonzero(in_tie)
        self._count += len(rows)
        self._topic_count += len(np.unique(topics[rows]))
        self._top_count += int((is_tie & (positions[:-1] < _TOP)).sum())
        if self._first_topic is None:
            self._first_topic = rankings.topics[topics[rows[0]]][:SHOWN_CHARACTERS]
        for row in rows[: EXAMPLES - len(self._examples)].tolist():
            before = f"{rankings.topics[topics[row]]} {rankings.docnos[row]} "[:SHOWN_CHARACTERS]
            self._examples.append(Example(None, before, f"{scores[row]:g}", ""))

    def fault(self) -> Fault:
        top = self._top_count
        note = (
            f"{top:,} of the ties reach{'es' * (top == 1)} into a top {_TOP} and can move nDCG@{_TOP}."
            if top
            else f"None reaches into a top {_TOP}."
        )
        return Fault(
            FaultCode.TIED_SCORES,
            self._count,
            None,
            self._first_topic,
            self._topic_count,
            tuple(self._examples),
            note,
        )
