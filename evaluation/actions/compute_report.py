"""Compute a task's report."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models.functions import Now

from evaluation.actions.compute_values import compute_values, measure_at, measures_at
from evaluation.core.code_version import code_version
from evaluation.core.report import JudgedSet, ReportFrame, ReportRun, report_content
from evaluation.models import Criteria, MeasureValue, Qrels, QrelsKind, Report, Run, Task

if TYPE_CHECKING:
    from collections.abc import Sequence


@transaction.atomic
def compute_report(*, task: Task) -> Report | None:
    """Compare the latest version of every other qrels with the people's, over the task's accepted runs.

    A report of the same runs, families, qrels and code is found, not computed again, and becomes the latest.
    None while there are no runs, no qrels of people or no others.
    """
    Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    reference, others = _qrels(task)
    runs = list(
        Run.objects.accepted()
        .filter(task=task)
        .select_related("team")
        .prefetch_related("families")
        .order_by("tag")
    )
    if reference is None or not others or not runs:
        return None
    frame = _frame(task, runs)
    inputs = _inputs_sha256(frame, runs, [reference, *others])
    known = Report.objects.filter(task=task, inputs_sha256=inputs)
    if not known.update(computed_at=Now()):
        content = _content(task, frame, runs, reference, others)
        Report.objects.create(
            task=task,
            reference=reference,
            inputs_sha256=inputs,
            content=content,
            code_version=code_version(),
            computed_at=Now(),
        )
    return known.get()


def _qrels(task: Task) -> tuple[Qrels | None, list[Qrels]]:
    """The latest people's qrels, and the others: second assessors, then models by name."""
    current = list(Qrels.objects.filter(task=task).current())
    peoples = [qrels for qrels in current if qrels.kind == QrelsKind.HUMAN]
    reference = max(peoples, key=lambda qrels: qrels.created_at, default=None)
    others = [qrels for qrels in current if qrels.kind != QrelsKind.HUMAN]
    return reference, sorted(others, key=lambda qrels: (qrels.kind != QrelsKind.SECOND, qrels.name))


def _frame(task: Task, runs: Sequence[Run]) -> ReportFrame:
    scale = Criteria.objects.current(task).scale
    level = task.relevance_level
    levels = [level, *(grade for grade in scale if grade > level)]
    return ReportFrame(
        scale=scale,
        level=level,
        runs=[
            ReportRun(run.tag, run.team.name, tuple(sorted(each.name for each in run.families.all())))
            for run in runs
        ],
        measures=["nDCG@10", *(measure_at("AP", each) for each in levels)],
    )


def _inputs_sha256(frame: ReportFrame, runs: Sequence[Run], sets: Sequence[Qrels]) -> str:
    inputs: list[Any] = [
        code_version(),
        frame.scale,
        frame.level,
        [
            (run.pk, shown.tag, shown.team, shown.families)
            for run, shown in zip(runs, frame.runs, strict=True)
        ],
        [(qrels.pk, qrels.sha256) for qrels in sets],
    ]
    return hashlib.sha256(json.dumps(inputs).encode()).hexdigest()


def _content(
    task: Task, frame: ReportFrame, runs: Sequence[Run], reference: Qrels, others: Sequence[Qrels]
) -> dict[str, Any]:
    stored = measures_at(task.relevance_level, frame.scale)
    for qrels in (reference, *others):
        compute_values(qrels=qrels, runs=runs, measures=stored)
    sets = [_judged_set(qrels, runs, frame.measures) for qrels in others]
    return report_content(
        frame, _judged_set(reference, runs, frame.measures), sets, code_version=code_version()
    )


def _judged_set(qrels: Qrels, runs: Sequence[Run], measures: Sequence[str]) -> JudgedSet:
    rows = MeasureValue.objects.filter(qrels=qrels, run__in=runs, measure__in=measures)
    values: dict[str, dict[str, list[float | None]]] = {measure: {} for measure in measures}
    for measure, tag, of_topics in rows.values_list("measure", "run__tag", "values"):
        values[measure][tag] = of_topics
    pairs = list(qrels.pairs.values_list("topic", "docno", "grade", "raw_score"))
    return JudgedSet(
        facts={
            "name": qrels.name,
            "version": qrels.version,
            "kind": qrels.kind,
            "sha256": qrels.sha256,
            "pair_count": qrels.pair_count,
            "graded_count": qrels.graded_count,
            "provenance": qrels.provenance,
        },
        topics=qrels.topics,
        grades={(topic, docno): grade for topic, docno, grade, _ in pairs if grade is not None},
        raw_scores={(topic, docno): score for topic, docno, _, score in pairs if score is not None},
        values=values,
    )
