"""Evaluate runs under qrels: the values of measures by topic, and their means."""

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from trackside.errors import InputError
from trackside.files import Qrels, Rankings
from trackside.files.corpora import Corpus
from trackside.measuring.evaluation import Evaluation
from trackside.measuring.family import Measure, Summary
from trackside.measuring.judged import JudgedRun, Judgments
from trackside.measuring.lookup import ABSENT, Found, JudgedPairs
from trackside.measuring.meetings import Meeting, meeting
from trackside.measuring.names import parse_measures


def evaluate(
    runs: Iterable[Rankings],
    qrels: Qrels | Sequence[Qrels],
    measures: Iterable[str | Measure],
    *,
    level: int | None = None,
    gains: Mapping[int, float] | None = None,
    max_results: int | None = None,
    is_judged_only: bool = False,
    is_complete: bool = True,
) -> Evaluation:
    """Values of measures for runs under one or more sets of qrels.

    ``runs`` may be a generator: only one run is in memory at a time. ``level`` is the lowest relevant grade
    for measures whose name gives none; ``gains`` maps grades to gains for nDCG and related measures;
    ``max_results`` (trec_eval -M) truncates each topic after ranking; ``is_judged_only`` (-J) drops results
    without a grade. ``is_complete`` (-c) counts judged topics without results as 0; without it such a topic
    is an error, as in trec_eval 10.

    A run is evaluated within the corpus of each set of qrels that has one.
    Matches every printed digit of trec_eval 10. Raises InputError.
    """
    sets = (qrels,) if not isinstance(qrels, (list, tuple)) else tuple(qrels)
    wanted = tuple(_wanted(measures, level, gains))
    if not sets or not wanted:
        raise InputError("no qrels or no measures: name at least one of each.", code="nothing-to-evaluate")
    _refuse_limits(wanted, sets, max_results)
    judges = _Judge(sets, max_results, is_judged_only=is_judged_only, is_complete=is_complete)
    names, values, summaries, ids = [], [], [], []
    for run in runs:
        parts = judges.parts(run)
        run_values, summary = judges.values(parts, wanted)
        names.append(run.tag)
        values.append(run_values)
        summaries.append(summary)
        ids.append(judges.meetings(parts, run))
    if not names:
        raise InputError("no runs: name at least one.", code="nothing-to-evaluate")
    return Evaluation(
        tuple(names),
        tuple(qrels_set.name for qrels_set in sets),
        judges.pairs.topics,
        wanted,
        np.array(values),
        judges.pairs.is_judged,
        np.array(summaries),
        tuple(ids),
    )


def _values(judged: JudgedRun, measures: Sequence[Measure]) -> list[NDArray[np.float64]]:
    condensed = judged.judged_only() if any(measure.is_judged_only for measure in measures) else judged
    return [
        measure.family.values(condensed if measure.is_judged_only else judged, measure)
        for measure in measures
    ]


def _wanted(
    measures: Iterable[str | Measure], level: int | None, gains: Mapping[int, float] | None
) -> Iterable[Measure]:
    for item in measures:
        for measure in parse_measures([item]) if isinstance(item, str) else [item]:
            leveled = measure if level is None else measure.at_level(level)
            yield leveled.with_gains(gains) if gains else leveled


def _refuse_limits(measures: Sequence[Measure], qrels: Sequence[Qrels], max_results: int | None) -> None:
    if max_results is not None and max_results < 1:
        raise InputError(
            f"at most {max_results} results per topic: give a number from 1 up.", code="limit-not-positive"
        )
    if any(measure.relevant_from < 0 for measure in measures):
        raise InputError("the relevance level is below 0: give 0 or more.", code="limit-not-positive")
    for measure in measures:
        if measure.family.is_sampled and any(qrels_set.strata is None for qrels_set in qrels):
            raise InputError(
                f"{measure}: needs a sampled pool. Give prels, whose fourth column is the stratum.",
                code="strata-needed",
            )


# A run within each corpus of the qrels (None: all of it), and its judged results.
_Parts = dict[Corpus | None, tuple[Rankings, Found]]


class _Judge:
    """Turns a run into judged runs, one per set of qrels."""

    def __init__(
        self, qrels: Sequence[Qrels], max_results: int | None, *, is_judged_only: bool, is_complete: bool
    ) -> None:
        self.pairs = JudgedPairs(qrels)
        self._qrels = qrels
        self._max_results = max_results
        self._is_judged_only = is_judged_only
        self._is_complete = is_complete
        self._judgments = [
            Judgments(len(self.pairs.topics), self.pairs.topic_of_pair[is_in], grades[is_in], strata)
            for grades, strata, is_in in self.pairs.sets()
        ]

    def parts(self, run: Rankings) -> _Parts:
        """The run within the corpus of each set of qrels."""
        parts = {corpus: run.within(corpus) for corpus in {qrels.corpus for qrels in self._qrels}}
        return {corpus: (part, self.pairs.find(part)) for corpus, part in parts.items()}

    def meetings(self, parts: _Parts, whole: Rankings) -> tuple[Meeting, ...]:
        """How the ids of the run meet those of each set of qrels."""
        return tuple(
            meeting(*parts[qrels.corpus], qrels, self.pairs, index, whole=whole)
            for index, qrels in enumerate(self._qrels)
        )

    def values(
        self, parts: _Parts, measures: Sequence[Measure]
    ) -> tuple[NDArray[np.float64], list[list[float]]]:
        """Values [qrels, topic, measure] of the run, and their summaries [qrels, measure]."""
        within = {corpus: self.judge(part, hits) for corpus, (part, hits) in parts.items()}
        judged = [within[qrels.corpus][index] for index, qrels in enumerate(self._qrels)]
        per_set = [_values(judged_run, measures) for judged_run in judged]
        for rows, is_judged in zip(per_set, self.pairs.is_judged, strict=True):
            for value in rows:
                value[~is_judged] = np.nan
        summaries = [
            [
                _summarised(value, measure, judged_run, is_complete=self._is_complete)
                for value, measure in zip(rows, measures, strict=True)
            ]
            for rows, judged_run in zip(per_set, judged, strict=True)
        ]
        return np.array(per_set).transpose(0, 2, 1), summaries

    def judge(self, run: Rankings, hits: Found) -> list[JudgedRun]:
        """The run under each set of qrels. Raises topic-missing, duplicate-docno."""
        indices = self.pairs.places(run)
        is_answered = np.zeros(len(self.pairs.topics), np.bool_)
        is_answered[indices[indices >= 0]] = True
        if not self._is_complete:
            self._refuse_missing(run, is_answered)
        ranks = hits.rows - run.bounds[run.topic_of_row[hits.rows]]
        sizes = np.diff(run.bounds)
        if self._max_results is not None:
            sizes = np.minimum(sizes, self._max_results)
        if run.has_duplicates:
            refuse_duplicates(run, indices, sizes)
        retrieved = np.zeros(len(self.pairs.topics), np.int64)
        retrieved[indices[indices >= 0]] = sizes[indices >= 0]
        return [self._under(index, hits, ranks, retrieved, is_answered) for index in range(len(self._qrels))]

    def _under(
        self,
        index: int,
        hits: Found,
        ranks: NDArray[np.int64],
        retrieved: NDArray[np.int64],
        is_answered: NDArray[np.bool_],
    ) -> JudgedRun:
        grades = self.pairs.grades[index][hits.pairs]
        mask = grades != ABSENT
        if self._max_results is not None:
            mask &= ranks < self._max_results
        strata = self.pairs.strata[index]
        judged = JudgedRun(
            self._judgments[index],
            hits.topics[mask],
            ranks[mask],
            grades[mask],
            retrieved,
            is_answered,
            None if strata is None else strata[hits.pairs][mask],
        )
        return judged.judged_only() if self._is_judged_only else judged

    def _refuse_missing(self, run: Rankings, is_answered: NDArray[np.bool_]) -> None:
        missing = np.flatnonzero(~is_answered)
        if len(missing):
            raise InputError(
                f"run {run.tag}: topic {self.pairs.topics[missing[0]]} is judged but has no results "
                f"({len(missing)} such topics). Let them count as 0 (without --no-complete), or fix the run.",
                code="topic-missing",
            )


def refuse_duplicates(run: Rankings, indices: NDArray[np.int64], sizes: NDArray[np.int64]) -> None:
    """Raise duplicate-docno if a judged topic (index 0 and up) repeats a docno.

    As in trec_eval, only the results evaluated count.
    """
    for topic, index, start, size in zip(run.topics, indices, run.bounds, sizes, strict=False):
        docnos = run.docnos[int(start) : int(start + size)]
        if index >= 0 and docnos.n_unique() < len(docnos):
            twice = docnos.filter(docnos.is_duplicated())[0]
            raise InputError(
                f"run {run.tag}: topic {topic} names {twice} twice. Keep the line with the higher score.",
                code="duplicate-docno",
            )


def _summarised(
    values: NDArray[np.float64], measure: Measure, judged: JudgedRun, *, is_complete: bool
) -> float:
    """Combine the values of the topics; topics without a value are left out, NaN if none has one.

    Values are added sequentially in topic order, so the mean equals trec_eval's to the last bit.
    """
    defined = values[~np.isnan(values)]
    summary = measure.family.summary
    if not len(defined):
        return math.nan
    if summary is Summary.SUM_FROM_ONE and is_complete:
        # trec_eval -c sums relevant documents from the file and ignores the level there.
        return float(judged.judgments.relevant(1).sum())
    if summary in (Summary.SUM, Summary.SUM_FROM_ONE):
        return float(defined.cumsum()[-1])
    if summary is Summary.GEOMETRIC_MEAN:
        return math.exp(sum(math.log(value) for value in defined.tolist()) / len(defined))
    if summary is Summary.MEDIAN:
        return float(np.median(defined))
    if summary in (Summary.POOLED_MEAN, Summary.POOLED_MEDIAN):
        ranks = judged.ranks[judged.grades >= measure.relevant_from] + 1.0
        return float(ranks.mean() if summary is Summary.POOLED_MEAN else np.median(ranks))
    return float(defined.cumsum()[-1] / len(defined))
