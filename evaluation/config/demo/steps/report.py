"""The report of a demo task, as the worker computes it."""

from evaluation.actions.enqueue import enqueue
from evaluation.config.demo.steps.waiting import Wait
from evaluation.models import Qrels, Report, Task


def wait_for_report(task: Task, wait: Wait) -> None:
    """Have the report computed, unless the latest one is of the latest qrels, and wait for it."""
    if not _is_current(task):
        enqueue("evaluation.compute_report", task.pk)
        wait(lambda: (int(_is_current(task)), 1), f"computing the report of the {task.slug} task")


def _is_current(task: Task) -> bool:
    report = Report.objects.filter(task=task).order_by("computed_at").last()
    if report is None:
        return False
    compared = {qrels["sha256"] for qrels in (report.content["reference"], *report.content["others"])}
    return compared == set(Qrels.objects.filter(task=task).current().values_list("sha256", flat=True))
