"""Find uploads whose check got lost on the way."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from evaluation.actions.enqueue import enqueue
from evaluation.models import Run, RunState

PATIENCE = timedelta(seconds=30)


@transaction.atomic
def sweep_runs() -> int:
    """Queue the check of every upload that has waited for half a minute, and return how many there were.

    One that a worker holds is left to it. A check that was queued twice is done once.
    """
    waiting = (
        Run.objects.select_for_update(skip_locked=True)
        .filter(state=RunState.RECEIVED, received_at__lt=Now() - PATIENCE)
        .values_list("pk", flat=True)
    )
    found = list(waiting)
    for run in found:
        enqueue("evaluation.check_run", run)
    return len(found)
