"""The grades of a demo task, and its report, as the worker computes it."""

from django.db import transaction

from assessment.actions.publish_judgments import publish_judgments
from evaluation.actions.enqueue import enqueue
from evaluation.config.demo.steps.judging import publish_jobs, wait_for_jobs
from evaluation.config.demo.steps.people import organizer
from evaluation.config.demo.steps.pool import main_pool
from evaluation.config.demo.steps.waiting import Wait
from evaluation.config.demo.steps.words import publish_words
from evaluation.models import Qrels, QrelsKind, Report, Task


def publish_grades(task: Task, wait: Wait) -> None:
    """Publish the grades that are not published yet, in one go, so that the report is computed once."""
    wait_for_jobs(main_pool(task), wait)
    with transaction.atomic():
        if not task.qrels.filter(kind=QrelsKind.HUMAN).exists():
            publish_judgments(task=task, by=organizer())
        publish_jobs(main_pool(task))
        publish_words(task)
        if not _is_current(task):
            enqueue("evaluation.compute_report", task.pk)


def wait_for_report(task: Task, wait: Wait) -> None:
    """Wait until the latest report is of the latest qrels."""
    wait(lambda: (int(_is_current(task)), 1), f"computing the report of the {task.slug} task")


def _is_current(task: Task) -> bool:
    report = Report.objects.whole().filter(task=task).order_by("computed_at").last()
    if report is None:
        return False
    compared = {qrels["sha256"] for qrels in (report.content["reference"], *report.content["others"])}
    return compared == set(Qrels.objects.filter(task=task).current().values_list("sha256", flat=True))
