"""Compute a task's report."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from django.db.models.functions import Now

from evaluation.actions.compute_values import compute_values, measure_at, measures_at, rankings_of
from evaluation.core.code_version import code_version
from evaluation.core.report import JudgedSet, ReportFrame, ReportRun, report_content
from evaluation.core.report.build import build_report
from evaluation.core.report.stored import to_json
from evaluation.core.report.study import Design, GradedSet, study_of
from evaluation.core.trec_files import Qrels as CoreQrels
from evaluation.models import Criteria, MeasureValue, Qrels, QrelsKind, Report, Run, Task

if TYPE_CHECKING:
    from collections.abc import Sequence

CONTENT_FORM = 2  # raised when stored content changes its form, so that older reports are computed anew


def compute_report(*, task: Task) -> Report | None:
    """Compare the latest version of every other qrels with the people's, over the task's accepted runs.

    A report of the same runs, families, qrels and code is found, not computed again, and becomes the latest.
    None while there are no runs, no qrels of people or no others. No lock is held while it computes: of two
    that compute the same, the first to end is kept.
    """
    reference, others = report_qrels(task)
    runs = report_runs(task)
    if reference is None or not others or not runs:
        return None
    frame = _frame(task, runs)
    inputs = _inputs_sha256(frame, runs, [reference, *others])
    known = Report.objects.filter(task=task, inputs_sha256=inputs)
    if not known.update(computed_at=Now()):
        made = Report(
            task=task,
            reference=reference,
            inputs_sha256=inputs,
            content=_content(task, frame, runs, reference, others),
            code_version=code_version(),
            computed_at=Now(),
        )
        Report.objects.bulk_create([made], ignore_conflicts=True)
    return known.get()


def report_runs(task: Task) -> list[Run]:
    """The accepted runs by tag, with team and families."""
    accepted = Run.objects.accepted().filter(task=task)
    return list(accepted.select_related("team").prefetch_related("families").order_by("tag"))


def report_qrels(task: Task) -> tuple[Qrels | None, list[Qrels]]:
    """The latest people's qrels, and the others: second assessors, then models by name."""
    current = list(Qrels.objects.filter(task=task).current())
    peoples = [qrels for qrels in current if qrels.kind == QrelsKind.HUMAN]
    reference = max(peoples, key=lambda qrels: qrels.created_at, default=None)
    others = [qrels for qrels in current if qrels.kind != QrelsKind.HUMAN]
    return reference, sorted(others, key=lambda qrels: (qrels.kind != QrelsKind.SECOND, qrels.name))


def report_design(task: Task) -> Design:
    """Scale, level and measures of the task."""
    scale = tuple(sorted(Criteria.objects.current(task).scale))
    levels = [task.relevance_level, *(grade for grade in scale if grade > task.relevance_level)]
    measures = ("nDCG@10", *(measure_at("AP", each) for each in levels))
    return Design(scale=scale, level=task.relevance_level, measures=measures)


def described(run: Run) -> ReportRun:
    """What the report says of a run."""
    return ReportRun(run.tag, run.team.name, tuple(sorted(each.name for each in run.families.all())))


def graded_set(qrels: Qrels) -> GradedSet:
    """Stored qrels as the report takes them."""
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    raw_scores = {}
    for topic, docno, grade, score in qrels.pairs.values_list("topic", "docno", "grade", "raw_score"):
        if grade is not None:
            grades[topic][docno] = grade
        if score is not None:
            raw_scores[topic, docno] = score
    return GradedSet(_facts(qrels), CoreQrels.from_dict(grades, name=qrels.name), raw_scores)


def _facts(qrels: Qrels) -> dict[str, Any]:
    return {
        "name": qrels.name,
        "version": qrels.version,
        "kind": qrels.kind,
        "sha256": qrels.sha256,
        "pair_count": qrels.pair_count,
        "graded_count": qrels.graded_count,
        "provenance": qrels.provenance,
    }


def _frame(task: Task, runs: Sequence[Run]) -> ReportFrame:
    design = report_design(task)
    return ReportFrame(design.scale, design.level, [described(run) for run in runs], design.measures)


def _inputs_sha256(frame: ReportFrame, runs: Sequence[Run], sets: Sequence[Qrels]) -> str:
    inputs: list[Any] = [
        code_version(),
        CONTENT_FORM,
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
    """The key figures, and under "report" all sections."""
    stored = measures_at(task.relevance_level, frame.scale)
    for qrels in (reference, *others):
        compute_values(qrels=qrels, runs=runs, measures=stored)
    graded = [graded_set(qrels) for qrels in (reference, *others)]
    sets = [
        _judged_set(qrels, each, runs, frame.measures)
        for qrels, each in zip((reference, *others), graded, strict=True)
    ]
    study = study_of(report_design(task), frame.runs, rankings_of(runs), graded)
    report = build_report(study, code_version=code_version())
    summary = report_content(frame, sets[0], sets[1:], code_version=code_version())
    return summary | {"report": to_json(report)}


def _judged_set(qrels: Qrels, graded: GradedSet, runs: Sequence[Run], measures: Sequence[str]) -> JudgedSet:
    rows = MeasureValue.objects.filter(qrels=qrels, run__in=runs, measure__in=measures)
    values: dict[str, dict[str, list[float | None]]] = {measure: {} for measure in measures}
    for measure, tag, of_topics in rows.values_list("measure", "run__tag", "values"):
        values[measure][tag] = of_topics
    grades = {(topic, docno): grade for topic, own in graded.qrels for docno, grade in own.items()}
    return JudgedSet(facts=graded.facts, topics=qrels.topics, grades=grades, values=values)
