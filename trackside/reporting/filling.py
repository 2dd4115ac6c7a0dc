"""Fill a study in one pass over the runs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from trackside.arrays import Floats
from trackside.errors import InputError
from trackside.files import Qrels, Rankings
from trackside.findings.retrieved import GradedPairs, Retrieved, retrieved_of
from trackside.measuring.lookup import JudgedPairs
from trackside.measuring.meetings import meetings
from trackside.reporting.design import Design, GradedSet, ReportRun
from trackside.reporting.measures import not_comparable, refuse_incomparable
from trackside.reporting.study import Study


def study_of(
    design: Design,
    runs: Sequence[ReportRun] | None,
    rankings: Iterable[Rankings],
    sets: Sequence[GradedSet],
) -> Study:
    """Look the runs up in all qrels, one run at a time; the first set is the reference. Raises InputError."""
    if not design.measures:
        raise not_comparable(", ".join(design.left_out) or "no measures")
    refuse_incomparable(design.measures)
    pairs = JudgedPairs([graded.qrels for graded in sets])
    described = None if runs is None else {run.tag: run for run in runs}
    results = _look_up(rankings, sets[0].qrels, pairs, design, described)
    tags = sorted(results, key=str.encode)
    values = np.array([results[tag].values for tag in tags]).transpose(1, 2, 0, 3)
    values[np.broadcast_to(~pairs.is_judged[:, None, None, :], values.shape)] = np.nan
    for index, name in enumerate(design.measures):
        if (values[:, index] < 0).any():  # by unusual options, such as SetF with x below 0
            raise not_comparable(name)
    docnos = tuple(pairs.docnos.to_list())
    return Study(
        design,
        tuple(results[tag].run for tag in tags),
        tuple(replace(graded, raw_scores={}) for graded in sets),  # they follow as an array
        pairs.topics,
        docnos,
        pairs.topic_of_pair,
        pairs.is_judged,
        pairs.grades,
        _raw_scores(sets, pairs, docnos),
        tuple(results[tag].retrieved for tag in tags),
        values,
        tuple(f"{tag}: {results[tag].unmet}" for tag in tags if results[tag].unmet),
    )


class _StudiedRun(NamedTuple):
    """A run with its results, its values [set, measure, topic], a line if its ids hardly meet people's."""

    run: ReportRun
    retrieved: Retrieved
    values: Floats
    unmet: str


def _look_up(
    rankings: Iterable[Rankings],
    people: Qrels,
    pairs: JudgedPairs,
    design: Design,
    described: Mapping[str, ReportRun] | None,
) -> dict[str, _StudiedRun]:
    """Look the runs up in all qrels, by tag. Raises InputError."""
    judgments = [GradedPairs(grades, pairs.topic_of_pair, len(pairs.topics)) for grades in pairs.grades]
    studied = {}
    for ranking in rankings:
        run = ReportRun(ranking.tag, "", ()) if described is None else described.get(ranking.tag)
        if run is None:
            raise InputError(f"run {ranking.tag} is not in the list of runs. Add it, or leave it out.")
        results = pairs.find(ranking)
        retrieved = retrieved_of(ranking, pairs, results)
        values = np.array([grades.values(retrieved, design.measures) for grades in judgments])
        (meeting,) = meetings(ranking, [people], pairs, results)
        studied[ranking.tag] = _StudiedRun(run, retrieved, values, meeting.line)
    if not studied:
        raise InputError("no runs: name at least one.")
    return studied


def _raw_scores(sets: Sequence[GradedSet], pairs: JudgedPairs, docnos: Sequence[str]) -> Floats:
    index_of_pair = {
        (pairs.topics[topic], docno): index
        for index, (topic, docno) in enumerate(zip(pairs.topic_of_pair.tolist(), docnos, strict=True))
    }
    scores = np.full(pairs.grades.shape, np.nan)
    for row, graded in zip(scores, sets, strict=True):
        for pair, score in graded.raw_scores.items():
            if pair in index_of_pair:
                row[index_of_pair[pair]] = score
    return scores
