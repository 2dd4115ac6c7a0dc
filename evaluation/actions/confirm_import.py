"""Let a tried import be added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from evaluation.actions.enqueue import enqueue
from evaluation.core.errors import InputError
from evaluation.models import Import, ImportState

if TYPE_CHECKING:
    from evaluation.models import User


class ImportNotTried(InputError):
    """Only an import whose trial has ended can be confirmed, once."""


@transaction.atomic
def confirm_import(*, task_import: Import, by: User) -> Import:
    """Queue the import's second run, which stores what the trial said. Raises ImportNotTried."""
    locked = Import.objects.select_for_update(of=("self",)).get(pk=task_import.pk)
    if locked.state != ImportState.TRIED:
        raise ImportNotTried(
            f"{locked} is {locked.get_state_display()}. Only one that was tried can be added."
        )
    locked.state, locked.confirmed_by, locked.confirmed_at = ImportState.CONFIRMED, by, Now()
    locked.seen_count, locked.seen_at = 0, Now()
    locked.save(update_fields=["state", "confirmed_by", "confirmed_at", "seen_count", "seen_at"])
    enqueue("evaluation.run_import", locked.pk)
    return locked
