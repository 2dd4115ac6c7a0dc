"""Each judge as a run, and every run re-ranked by a judge: does a judge overrate its own ranking?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.measures.judged import place_in_topic
from evaluation.core.report.tables import Column, Number, Table
from evaluation.core.report.resampled import coefficient
from evaluation.core.report.retrieved import Retrieved
from evaluation.core.report.shared_values import means_of
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.correlation.coefficients import kendall_tau_b_of_rows
from evaluation.core.statistics.ranks import run_ranks

if TYPE_CHECKING:
    from evaluation.core.arrays import Flags, Floats
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.study import Study


def judges_as_runs(study: Study) -> Table:
    """Value and rank of each judge with raw scores, as a run that ranks the pool by these scores."""
    columns = (
        Column("measure"),
        Column("judge"),
        Column("people", ".4f"),
        Column("rank by people", "d"),
        Column("itself", ".4f"),
        Column("rank by itself", "d"),
        Column("runs", "d"),
    )
    rows: list[tuple[Cell, ...]] = []
    for judge in study.others:
        run = judge_as_run(study, judge)
        if run is None:
            continue
        for at, measure in enumerate(study.measures):
            cells: list[Cell] = []
            for place in (PEOPLE, judge):
                graded = study.judgments(study.grades[place])
                values = graded.values(run, [measure])[:, study.is_judged[place]]
                cells += _among(study, place, at, float(means_of(values)[0]))
            rows.append((measure, study.name(judge), *cells, len(study.runs) + 1))
    notes = ("The judge ranks every scored item of the pool; no single run retrieves all of them.",)
    return Table("judges-as-runs", "Each judge as if it were a run.", columns, tuple(rows), notes)


def _among(study: Study, place: int, at: int, value: float) -> list[Cell]:
    if value != value:
        return [None, None]
    means = dict(zip(study.tags, study.means(place, at).tolist(), strict=True))
    known = {tag: mean for tag, mean in means.items() if mean == mean}
    return [value, run_ranks(known | {"": value})[""]]


def judge_as_run(study: Study, judge: int) -> Retrieved | None:
    """Rank the pool by the judge's raw scores, ties by docno descending; None without raw scores."""
    scores = study.raw_scores[judge]
    pairs = np.flatnonzero(~np.isnan(scores))
    if not pairs.size:
        return None
    by_docno = sorted(pairs.tolist(), key=lambda pair: study.docnos[pair].encode(), reverse=True)
    pairs = np.array(by_docno, dtype=np.int64)
    pairs = pairs[np.lexsort((-scores[pairs], study.topic_of_pair[pairs]))]
    topics = study.topic_of_pair[pairs]
    counts = np.bincount(topics, minlength=len(study.topics))
    return Retrieved(pairs, place_in_topic(topics), counts)


def re_ranked_runs(study: Study) -> Table:
    """Values of every run after the judge re-ranks its graded results, as if all systems used the judge."""
    columns = (
        Column("measure"),
        Column("judge"),
        Column("runs", ",d"),
        Column("people, as submitted", ".4f", estimand="mean over runs on the topics of both"),
        Column("people, re-ranked", ".4f"),
        Column("judge, as submitted", ".4f"),
        Column("judge, re-ranked", ".4f"),
        Column("tau as submitted", "z.2f", estimand="tau-b of the runs' means on these topics"),
        Column("tau re-ranked", "z.2f"),
    )
    rows: list[tuple[Cell, ...]] = []
    for judge in study.others:
        values = _re_ranked_values(study, judge)
        for at, measure in enumerate(study.measures):
            shared = study.shared_values(at, PEOPLE, judge)
            if not shared.runs.size:
                continue
            before = shared.means()
            after = np.array([means_of(each) for each in values[:, at][:, shared.runs][:, :, shared.topics]])
            means = [float(each[place].mean()) for place in (0, 1) for each in (before, after)]
            taus = [Number.of(coefficient(kendall_tau_b_of_rows, *each)) for each in (before, after)]
            rows.append((measure, study.name(judge), shared.runs.size, *means, *taus))
    notes = (
        "A simulation: in every run, the graded results are sorted by the judge's raw score if it has one, "
        "else by its grade; equal ones keep their order. A judge that is also a ranker "
        "overrates its own ranking: its own values rise more than people's, and its order of the runs is "
        "less informative.",
    )
    return Table("re-ranked-by-judge", "All runs re-ranked by the judge.", columns, tuple(rows), notes)


def _re_ranked_values(study: Study, judge: int) -> Floats:
    """Values [people or judge, measure, run, topic] of the re-ranked runs on the shared pairs."""
    is_shared = np.zeros(study.topic_of_pair.size, dtype=np.bool_)
    is_shared[study.shared_pairs(PEOPLE, judge)] = True
    scores = study.raw_scores[judge]
    order = np.where(np.isnan(scores), study.grades[judge], scores) if (~np.isnan(scores)).any() else None
    key = study.grades[judge].astype(np.float64) if order is None else order
    runs = (_re_ranked(study, each, key, is_shared) for each in study.retrieved)  # one in memory at a time
    graded = [study.judgments(np.where(is_shared, study.grades[place], -1)) for place in (PEOPLE, judge)]
    found = np.array([[each.values(run, study.measures) for each in graded] for run in runs])
    return found.transpose(1, 2, 0, 3)


def _re_ranked(study: Study, found: Retrieved, key: Floats, is_shared: Flags) -> Retrieved:
    """Reorder the shared pairs of a run by descending key, within the ranks that they occupy."""
    shared = np.flatnonzero(is_shared[found.pairs])
    pairs, ranks = found.pairs[shared], found.ranks[shared]
    topics = study.topic_of_pair[pairs]
    return replace(found, pairs=pairs[np.lexsort((ranks, -key[pairs], topics))], ranks=ranks)
