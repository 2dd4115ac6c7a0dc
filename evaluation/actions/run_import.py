"""Try an import, or add what it holds."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from django.db import DatabaseError, transaction
from django.db.models.functions import Now

from evaluation.actions.import_items import import_items
from evaluation.actions.import_qrels import import_qrels
from evaluation.actions.import_runs import import_runs
from evaluation.core.errors import InputError
from evaluation.core.imports.faults import Faults
from evaluation.models import Import, ImportKind, ImportState
from evaluation.models.imports import WORKING

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)
IMPORTERS: dict[str, Callable[..., dict[str, int]]] = {
    ImportKind.TOPICS: import_items,
    ImportKind.COLLECTION: import_items,
    ImportKind.DOCNOS: import_items,
    ImportKind.RUNS: import_runs,
    ImportKind.QRELS: import_qrels,
}


def run_import(*, import_id: int) -> Import | None:
    """Try a received import, storing nothing; add a confirmed one. None when there is nothing to do.

    Whoever claims it has it alone. A file that cannot be read makes it failed, with the reason; what a
    database refuses does too, and is logged.
    """
    found = _claim(import_id)
    if found is None:
        return None
    is_trial, faults = found.state == ImportState.TRYING, Faults()
    try:
        counts = IMPORTERS[found.kind](task_import=found, faults=faults, is_trial=is_trial)
    except InputError as error:
        return _end(found, ImportState.FAILED, error=str(error))
    except DatabaseError:
        log.exception("Import %d failed.", found.pk)
        return _end(found, ImportState.FAILED, error="The database refused it; the log says why.")
    counts["refused"] = faults.refused_count
    state = ImportState.TRIED if is_trial else ImportState.DONE
    return _end(found, state, counts=counts, faults=faults.to_json())


@transaction.atomic
def _claim(import_id: int) -> Import | None:
    found = (
        Import.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("task__collection", "task__track", "team", "upload", "received_by", "confirmed_by")
        .filter(pk=import_id, state__in=WORKING)
        .first()
    )
    if found:
        found.state, found.seen_at = WORKING[ImportState(found.state)], Now()
        found.save(update_fields=["state", "seen_at"])
    return found


def _end(found: Import, state: ImportState, **fields: object) -> Import:
    ended = None if state == ImportState.TRIED else Now()
    Import.objects.filter(pk=found.pk).update(state=state, ended_at=ended, seen_at=Now(), **fields)
    found.refresh_from_db()
    return found
