"""Compute and store the values of measures."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from django.db import transaction
from django.db.models.functions import Now

from evaluation.results.qrels.models import Qrels
from evaluation.results.values.models import MeasureValue
from evaluation.submissions.runs.models import Run
from evaluation.submissions.runs.rankings import Ranking
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from evaluation.tracks.work.queueing import end_work
from evaluation.tracks.work.recomputing.models import Scoring
from trackside.code_version import code_version
from trackside.files import Qrels as CoreQrels
from trackside.files import Rankings
from trackside.measuring import Evaluation, evaluate
from trackside.measuring.names import parse_measure
from trackside.pooling.depth import unique_relevant

Row = tuple[str, str, bytes]

GRADED_MEASURES = ("nDCG@10", "Judged@10")
LEVEL_MEASURES = ("AP", "RR@10", "R@1000", "P@10")
JUDGED_DEPTHS = (5, 10, 20, 30, 100)
RECALL_POINTS = tuple(f"{point / 10:.1f}" for point in range(11))


@transaction.atomic
def compute_values(*, qrels: Qrels, runs: Iterable[Run], measures: Sequence[str]) -> None:
    """Store the values of the measures for each run under the qrels; replace values of older code."""
    tags = {run.pk: run for run in runs}
    fresh = MeasureValue.objects.filter(qrels=qrels, run__in=tags, code_version=code_version())
    done = set(fresh.values_list("run", "measure"))
    missing = [run for run in tags.values() if any((run.pk, measure) not in done for measure in measures)]
    if not missing:
        return
    evaluation = evaluate(rankings_of(missing), _core_qrels(qrels), measures)
    MeasureValue.objects.bulk_create(
        _values(qrels, missing, evaluation, measures),
        update_conflicts=True,
        unique_fields=["run", "qrels", "measure"],
        update_fields=["values", "mean", "code_version", "computed_at"],
    )


def measures_at(level: int, scale: Sequence[int]) -> list[str]:
    """Return the measures of leaderboards: binary ones at the relevance level first, then at higher grades.

    A level of 1 is omitted from the name, as in ir_measures.
    """
    levels = [level, *(grade for grade in scale if grade > level)]
    return [*GRADED_MEASURES, *(measure_at(measure, grade) for grade in levels for measure in LEVEL_MEASURES)]


def shown_measures(task: Task) -> list[str]:
    """Return the measures of the task's leaderboard: chosen by its organizers, else the site's default."""
    criteria = Criteria.objects.current(task)
    measures = task.measures or measures_at(task.relevance_level, sorted(criteria.scale))
    return [with_gains(measure, criteria) for measure in measures]


def with_gains(measure: str, criteria: Criteria) -> str:
    """Return the measure's name with the gains of a scale that writes other numbers in files."""
    gains = criteria.gains
    if not gains or (parsed := parse_measure(measure)).gains:
        return measure
    return str(parsed.with_gains(gains))


def judged_measures() -> list[str]:
    """Return the Judged@k measures: the share of the first k results that the qrels judge."""
    return [f"Judged@{depth}" for depth in JUDGED_DEPTHS]


def recall_measures(level: int) -> list[str]:
    """Return the measures of interpolated precision at the 11 standard recall points, at this level."""
    return [measure_at(f"IPrec@{point}", level) for point in RECALL_POINTS]


def stored_measures(task: Task) -> list[str]:
    """Return all stored measures: those of leaderboards, and those of a run's page alone."""
    listed = shown_measures(task)
    further = [*judged_measures(), *recall_measures(task.relevance_level)]
    return [*listed, *(measure for measure in further if measure not in listed)]


def measure_at(measure: str, level: int) -> str:
    """Return the measure's name at a relevance level, such as AP(rel=2) and R(rel=2)@1000."""
    name, at_sign, depth = measure.partition("@")
    return measure if level == 1 else f"{name}(rel={level}){at_sign}{depth}"


def rankings_of(runs: Sequence[Run]) -> Iterator[Rankings]:
    """Yield the stored results of each run, with one run in memory at a time."""
    for run in runs:
        stored = Ranking.objects.filter(run=run).values_list("topic", "docnos", "scores")
        rows: list[Row] = [(topic, docnos, bytes(scores)) for topic, docnos, scores in stored.iterator()]
        yield Rankings.from_packed(rows, tag=run.tag)


def _core_qrels(qrels: Qrels) -> CoreQrels:
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for topic, docno, grade in qrels.pairs.values_list("topic", "docno", "grade"):
        if grade is not None:
            grades[topic][docno] = grade
    return CoreQrels.from_dict(grades, name=qrels.name)


def _values(
    qrels: Qrels, runs: Sequence[Run], evaluation: Evaluation, measures: Sequence[str]
) -> Iterable[MeasureValue]:
    means = evaluation.means()
    for r, run in enumerate(runs):
        for m, measure in enumerate(measures):
            yield MeasureValue(
                run=run,
                qrels=qrels,
                measure=measure,
                values=[_or_null(value) for value in evaluation.values[r, 0, :, m]],
                mean=_or_null(means[r, 0, m]),
                code_version=code_version(),
                computed_at=Now(),
            )


def _or_null(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)


UNIQUE, UNIQUE_TO_TEAM = "UniqueRel", "UniqueRel(team)"
"""Measures: relevant documents down to the pool's depth that no other run, or team, retrieves there."""


def score_runs(*, task: Task) -> None:
    """Store all values of the accepted runs under the latest version of each of the task's qrels.

    Existing values are kept, except counts of unique documents, which depend on all other runs.
    """
    runs = list(Run.objects.accepted().filter(task=task).select_related("team", "task"))
    current = list(Qrels.objects.filter(task=task).current())
    if not runs or not current:
        return
    measures = stored_measures(task)
    tops = {
        run.tag: ranking.top(run.depth_in_pool) for run, ranking in zip(runs, rankings_of(runs), strict=True)
    }
    for qrels in current:
        compute_values(qrels=qrels, runs=runs, measures=measures)
        _store_uniques(qrels, runs, tops, task.relevance_level)


@transaction.atomic
def _store_uniques(
    qrels: Qrels, runs: Sequence[Run], tops: Mapping[str, dict[str, list[str]]], level: int
) -> None:
    relevant: dict[str, set[str]] = defaultdict(set)
    for topic, docno in qrels.pairs.filter(grade__gte=level).values_list("topic", "docno"):
        relevant[topic].add(docno)
    counts = unique_relevant(tops, {run.tag: run.team.name for run in runs}, relevant)
    MeasureValue.objects.bulk_create(
        [
            MeasureValue(
                run=run,
                qrels=qrels,
                measure=measure,
                values=[float(by_topic.get(topic, 0)) for topic in qrels.topics],
                mean=sum(by_topic.values()) / len(qrels.topics),
                code_version=code_version(),
                computed_at=Now(),
            )
            for run in runs
            for measure, by_topic in (
                (UNIQUE, counts[run.tag].by_run),
                (UNIQUE_TO_TEAM, counts[run.tag].by_team),
            )
        ],
        update_conflicts=True,
        unique_fields=["run", "qrels", "measure"],
        update_fields=["values", "mean", "code_version", "computed_at"],
    )


def run_scoring(*, scoring: Scoring) -> None:
    """Score the runs of the row's task. Raises ClaimLost.

    It is deterministic: equal inputs give equal values.
    """
    score_runs(task=scoring.task)
    end_work(scoring, ended_at=Now())
