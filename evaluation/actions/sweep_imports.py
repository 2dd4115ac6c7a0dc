"""Find imports whose worker is gone."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from evaluation.actions.enqueue import enqueue
from evaluation.models import Import, ImportState
from evaluation.models.imports import WORKING

PATIENCE = timedelta(minutes=5)  # the longest that one statement of an import may take


@transaction.atomic
def sweep_imports() -> int:
    """Queue again what no worker took up or has been heard of for five minutes; how many there were."""
    before = {at_work: waiting for waiting, at_work in WORKING.items()}
    silent = Import.objects.select_for_update(skip_locked=True).filter(
        state__in={*WORKING, *before}, seen_at__lt=Now() - PATIENCE
    )
    found = list(silent)
    for each in found:
        state = ImportState(each.state)
        Import.objects.filter(pk=each.pk).update(state=before.get(state, state), seen_at=Now())
        enqueue("evaluation.run_import", each.pk)
    return len(found)
