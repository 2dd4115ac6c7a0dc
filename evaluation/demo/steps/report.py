"""Publishes the grades of a demo task and waits for the worker's report."""

from django.db import transaction

from assessment.publishing.actions import publish_judgments
from evaluation.demo.steps.judging import publish_jobs, wait_for_jobs
from evaluation.demo.steps.people import organizer
from evaluation.demo.steps.pool import main_pool
from evaluation.demo.steps.waiting import Wait
from evaluation.demo.steps.words import publish_words
from evaluation.qrels.models import Qrels, QrelsKind
from evaluation.reports.models import Report
from evaluation.tracks.models import Task
from evaluation.work.recomputing.actions import ask_results


def publish_grades(task: Task, wait: Wait) -> None:
    """Publish all unpublished grades in one transaction, so that the report is computed once."""
    wait_for_jobs(main_pool(task), wait)
    with transaction.atomic():
        if not task.qrels.filter(kind=QrelsKind.HUMAN).exists():
            publish_judgments(task=task, by=organizer())
        publish_jobs(main_pool(task))
        publish_words(task)
        if not _is_current(task):
            ask_results(task_id=task.pk)


def wait_for_report(task: Task, wait: Wait) -> None:
    """Wait until the latest report uses the latest qrels."""
    wait(lambda: (int(_is_current(task)), 1), f"computing the report of the {task.slug} task")


def _is_current(task: Task) -> bool:
    report = Report.objects.whole().filter(task=task).order_by("computed_at").last()
    if report is None or report.is_old:
        return False
    return {graded.sha256 for graded in report.summary.facts.qrels} == set(
        Qrels.objects.filter(task=task).current().values_list("sha256", flat=True)
    )
