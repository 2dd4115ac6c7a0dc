"""Have the report of a choice of runs and topics computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from evaluation.actions.enqueue import enqueue
from evaluation.core.errors import InputError
from evaluation.models import ReportProgress, Task

if TYPE_CHECKING:
    from evaluation.core.report.choice import Choice

MOST_WAITING = 3  # choices of a task: a form that anybody can send must not keep all workers busy


class TooManyChoices(InputError):
    """As many choices as may wait are waiting."""


@transaction.atomic
def ask_report(*, task: Task, choice: Choice) -> ReportProgress:
    """Queue it, unless it waits or is being computed; how far it is. Raises TooManyChoices."""
    Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    waiting = ReportProgress.objects.waiting().filter(task=task)
    known = waiting.filter(choice_sha256=choice.sha256).first()
    if known:
        return known
    if not choice.is_all and waiting.exclude(choice={}).count() >= MOST_WAITING:
        raise TooManyChoices(
            f"{task}: {MOST_WAITING} other choices are being computed. Look again in a minute."
        )
    fresh = {"asked_at": Now(), "begun_at": None, "ended_at": None, "done_count": 0, "problem": ""}
    progress, _ = ReportProgress.objects.update_or_create(
        task=task, choice_sha256=choice.sha256, defaults={"choice": choice.to_json(), **fresh}
    )
    enqueue("evaluation.compute_chosen_report", progress.pk)
    return progress
