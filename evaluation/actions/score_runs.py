"""Score the runs of a task under its qrels."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from evaluation.actions.compute_values import compute_values, rankings_of, stored_measures
from evaluation.core.code_version import code_version
from evaluation.core.uniques import unique_relevant
from evaluation.models import MeasureValue, Qrels, Run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from evaluation.models import Task

UNIQUE, UNIQUE_TO_TEAM = "UniqueRel", "UniqueRel(team)"
"""Relevant documents down to the pool's depth that no other run, or other team, has there."""


def score_runs(*, task: Task) -> None:
    """Store every value of the accepted runs under the latest version of each of the task's qrels.

    Values that are there are kept, but for unique documents: a run more or less changes everybody's.
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
                mean=sum(by_topic.values()) / len(qrels.topics) if qrels.topics else None,
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
