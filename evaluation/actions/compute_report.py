"""Compute a task's report."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.db.models.functions import Now

from evaluation.actions.compute_values import compute_values, rankings_of
from evaluation.actions.gather_inputs import gather_inputs
from evaluation.core.code_version import code_version
from evaluation.core.errors import InputError
from evaluation.core.report import JudgedSet, ReportFrame, report_content
from evaluation.core.report.build import build_report
from evaluation.core.report.choice import Choice
from evaluation.core.report.sections.strata import topics_of_strata
from evaluation.core.report.stored import to_json
from evaluation.core.report.study import study_of
from evaluation.models import MeasureValue, Report, ReportProgress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from evaluation.actions.gather_inputs import ReportInputs
    from evaluation.core.report.design import GradedSet
    from evaluation.models import Task

MOST_CHOSEN = 30  # reports of a choice that are kept for each task, the latest


def compute_report(*, task: Task, choice: Choice | None = None) -> Report | None:
    """Compare the latest version of every other qrels with the people's, over the chosen accepted runs.

    A report of the same inputs is found, not computed again, and becomes the latest. None while there are no
    runs, no qrels of people or no others. Of two asked for the same at once, as when several qrels are
    published together, one waits and finds the other's. Raises InputError, which the report's progress keeps
    as well.
    """
    inputs = gather_inputs(task=task, choice=choice or Choice())
    if inputs is None:
        return None
    inputs_sha256 = inputs.sha256
    known = Report.objects.filter(task=task, inputs_sha256=inputs_sha256)
    progress = _progress(inputs)
    try:
        with _alone(inputs_sha256):
            if not known.update(computed_at=Now()):
                progress.update(begun_at=Now(), done_count=0)
                _store(inputs, inputs_sha256, partial(_tell, progress))
    except InputError as error:
        progress.update(ended_at=Now(), problem=str(error), inputs_sha256=inputs_sha256)
        raise
    progress.update(ended_at=Now())
    return known.get()


@contextmanager
def _alone(inputs_sha256: str) -> Iterator[None]:
    """Be the only one in the body with these inputs; PostgreSQL lets the next one in should this one die.

    The lock is the session's, so that no transaction is open while it computes.
    """
    key = [int(inputs_sha256[:16], 16) - 2**63]  # a bigint
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", key)
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", key)


def _progress(inputs: ReportInputs) -> Any:
    """The row that says how far it is, as a queryset to update."""
    place = {"task": inputs.task, "choice_sha256": inputs.choice.sha256}
    fresh = {"asked_at": Now(), "begun_at": None, "ended_at": None, "problem": "", "inputs_sha256": ""}
    ReportProgress.objects.update_or_create(
        **place, defaults=fresh, create_defaults=fresh | {"choice": inputs.choice.to_json()}
    )
    return ReportProgress.objects.filter(**place)


def _tell(progress: Any, done: int, total: int) -> None:
    progress.update(done_count=done, section_count=total)


def _store(inputs: ReportInputs, inputs_sha256: str, told: Callable[[int, int], None]) -> None:
    content, body = _computed(inputs, told)
    made = Report(
        task=inputs.task,
        reference=inputs.reference,
        choice=inputs.choice.to_json(),
        inputs_sha256=inputs_sha256,
        content=content,
        body=body,
        code_version=code_version(),
        computed_at=Now(),
    )
    Report.objects.bulk_create([made], ignore_conflicts=True)
    chosen = Report.objects.filter(task=inputs.task).exclude(choice={}).order_by("-computed_at")
    Report.objects.filter(pk__in=list(chosen.values_list("pk", flat=True)[MOST_CHOSEN:])).delete()


def _computed(
    inputs: ReportInputs, told: Callable[[int, int], None]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The key figures with the topics of each group under "strata", and all sections."""
    design = inputs.design
    for qrels in inputs.qrels:
        compute_values(qrels=qrels, runs=inputs.runs, measures=design.measures)
    graded = inputs.graded_sets()
    study = study_of(design, inputs.described, rankings_of(inputs.runs), graded)
    report = build_report(study, code_version=code_version(), told=told)
    frame = ReportFrame(design.scale, design.level, inputs.described, design.measures)
    reference, *others = (JudgedSet(each.facts, each.qrels.topics, _grades_of(each)) for each in graded)
    reference = replace(reference, values=_stored_values(inputs, reference.topics))
    means = [study.compared_means(judge) for judge in study.others]
    summary = report_content(frame, reference, others, means, code_version=code_version())
    return summary | {"strata": topics_of_strata(study)}, to_json(report)


def _grades_of(graded: GradedSet) -> dict[tuple[str, str], int]:
    return {(topic, docno): grade for topic, own in graded.qrels for docno, grade in own.items()}


def _stored_values(inputs: ReportInputs, topics: Sequence[str]) -> dict[str, dict[str, list[float | None]]]:
    """People's values by measure and tag on the topics, which a choice may have narrowed."""
    wanted, measures = set(topics), inputs.design.measures
    kept = [place for place, topic in enumerate(inputs.reference.topics) if topic in wanted]
    rows = MeasureValue.objects.filter(qrels=inputs.reference, run__in=inputs.runs, measure__in=measures)
    values: dict[str, dict[str, list[float | None]]] = {measure: {} for measure in measures}
    for measure, tag, of_topics in rows.values_list("measure", "run__tag", "values"):
        values[measure][tag] = [of_topics[place] for place in kept]
    return values
