"""Score runs under a set of qrels."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
from django.db import transaction
from django.db.models.functions import Now

from evaluation.core.code_version import code_version
from evaluation.core.measures import evaluate
from evaluation.core.trec_files import Qrels as CoreQrels
from evaluation.core.trec_files import Rankings
from evaluation.models import Criteria, MeasureValue, Ranking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from evaluation.core.measures import Evaluation
    from evaluation.models import Qrels, Run, Task

    Row = tuple[str, str, bytes]

GRADED_MEASURES = ("nDCG@10", "Judged@10")
LEVEL_MEASURES = ("AP", "RR@10", "R@1000", "P@10")
JUDGED_DEPTHS = (5, 10, 20, 30, 100)
RECALL_POINTS = tuple(f"{point / 10:.1f}" for point in range(11))


@transaction.atomic
def compute_values(*, qrels: Qrels, runs: Iterable[Run], measures: Sequence[str]) -> None:
    """Store the values of the measures for each run under the qrels; those of an older code are replaced."""
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
    """What leaderboards list: measures by yes and no at the relevance level first, then at higher grades.

    A level of 1 is left out of the name, as in ir_measures.
    """
    levels = [level, *(grade for grade in scale if grade > level)]
    return [
        *GRADED_MEASURES,
        *(measure_at(measure, at) for at in levels for measure in LEVEL_MEASURES),
    ]


def shown_measures(task: Task) -> list[str]:
    """What the task's leaderboard lists: the measures its organizers chose, or the site's own choice."""
    return task.measures or measures_at(task.relevance_level, sorted(Criteria.objects.current(task).scale))


def judged_measures() -> list[str]:
    """Shares of the first k results that the qrels judge."""
    return [f"Judged@{depth}" for depth in JUDGED_DEPTHS]


def recall_measures(level: int) -> list[str]:
    """Interpolated precision at the eleven standard points of recall, at a relevance level."""
    return [measure_at(f"IPrec@{point}", level) for point in RECALL_POINTS]


def stored_measures(task: Task) -> list[str]:
    """Everything that is stored of a run: what leaderboards list, and what a run's own page shows besides."""
    listed = shown_measures(task)
    besides = [*judged_measures(), *recall_measures(task.relevance_level)]
    return [*listed, *(measure for measure in besides if measure not in listed)]


def measure_at(measure: str, level: int) -> str:
    """The measure's name at a relevance level, as in AP(rel=2) and R(rel=2)@1000."""
    name, at, depth = measure.partition("@")
    return measure if level == 1 else f"{name}(rel={level}){at}{depth}"


def rankings_of(runs: Sequence[Run]) -> Iterator[Rankings]:
    """The stored results of each run, one held at a time."""
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
