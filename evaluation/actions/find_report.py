"""Find the report of a choice, if it was computed from what is there now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.actions.gather_inputs import gather_inputs
from evaluation.models import Report, ReportProgress

if TYPE_CHECKING:
    from evaluation.core.report.choice import Choice
    from evaluation.models import Task


def find_report(*, task: Task, choice: Choice) -> Report | ReportProgress | None:
    """The report that computing it now would give; or how its computing ended, where that failed.

    None when it has to be computed. While there is nothing to compare, the latest one stays.
    """
    inputs = gather_inputs(task=task, choice=choice)
    if inputs is None:
        return Report.objects.filter(task=task, choice=choice.to_json()).order_by("-computed_at").first()
    same = Report.objects.filter(task=task, inputs_sha256=inputs.sha256).defer("body")
    failed = ReportProgress.objects.filter(task=task, inputs_sha256=inputs.sha256).exclude(problem="")
    return same.first() or failed.first()
