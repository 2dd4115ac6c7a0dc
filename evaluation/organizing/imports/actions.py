"""Receive, confirm, remove and run imports."""

import logging
from collections.abc import Callable, Collection
from pathlib import PurePath
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.files.base import File
from django.db import DatabaseError, transaction
from django.db.models.functions import Now

from evaluation.collections.chosen_fields import ChosenFields, ImportKind
from evaluation.collections.storing import sha256_of, store_blob
from evaluation.organizing.imports.adding_corpora import import_corpus
from evaluation.organizing.imports.adding_items import import_items
from evaluation.organizing.imports.adding_qrels import import_qrels
from evaluation.organizing.imports.adding_runs import import_runs
from evaluation.organizing.imports.models import WORKING, Import, ImportState
from evaluation.platform.access.people import User
from evaluation.submissions.teams.models import Team
from evaluation.tracks.archiving import check_requester
from evaluation.tracks.models import Task
from evaluation.tracks.work.queueing import KeyUsedTwice, end_work, lock_claim, lock_client_key, queue_work
from trackside.errors import InputError
from trackside.imports.faults import Faults
from trackside.imports.fields import FieldChoice

LONGEST_NAME = 255


def check_size(size: int) -> None:
    """Raise import-too-large if the file is over the site's limit."""
    if size > settings.MAX_IMPORT_BYTES:
        raise InputError(
            f"The file is larger than {settings.MAX_IMPORT_BYTES / 2**20:,.0f} MiB. Split it.",
            code="import-too-large",
            status=413,
        )


@transaction.atomic
def receive_import(
    *,
    task: Task,
    kind: ImportKind,
    file: File[bytes],
    by: User,
    team: Team | None = None,
    options: dict[str, Any] | None = None,
    choice: FieldChoice | None = None,
    client_uuid: UUID | None = None,
) -> Import:
    """Store the file unchanged, and queue its trial, which stores no records.

    Without a ``choice`` of fields it begins with the task's latest confirmed one for this kind.
    If the person repeats an upload with the same ``client_uuid``, return the first import. Raises
    KeyUsedTwice.
    """
    if client_uuid and (sent := _earlier_import(client_uuid, by)):
        return _check_same(sent, (task.pk, kind, sha256_of(file), team and team.pk, options or {}))
    made = Import.objects.create(
        task=task,
        kind=kind,
        upload=store_blob(file=file),
        file_name=PurePath(file.name or "file").name[-LONGEST_NAME:],
        team=team,
        options=options or {},
        choice=choice.to_json() if choice else latest_choice(task, kind),
        received_by=by,
        client_uuid=client_uuid,
    )
    queue_work(row=made, by=by)
    return made


def _earlier_import(client_uuid: UUID, by: User) -> Import | None:
    lock_client_key(client_uuid)
    return Import.objects.filter(client_uuid=client_uuid, received_by=by).first()


def _check_same(sent: Import, asked: tuple[Any, ...]) -> Import:
    if (sent.task_id, sent.kind, sent.upload_id, sent.team_id, sent.options) != asked:
        raise KeyUsedTwice(
            f"This key was used with another upload, which created import {sent.pk}. "
            "Use a new key for a new import."
        )
    return sent


def latest_choice(task: Task, kind: str) -> dict[str, Any]:
    """Return the task's latest confirmed choice of fields for the kind; empty without one."""
    chosen = ChosenFields.objects.filter(task=task, kind=kind).first()
    return dict(chosen.choice) if chosen else {}


def set_chosen_fields(task: Task, kind: str, choice: dict[str, Any]) -> bool:
    """Store the choice of fields with which new imports of the kind begin; return whether it changed."""
    if latest_choice(task, kind) == choice:
        return False
    ChosenFields.objects.update_or_create(task=task, kind=kind, defaults={"choice": choice})
    return True


class ImportNotTried(InputError):
    """The import's trial has not ended, or it is already confirmed or removed."""

    status = 409


@transaction.atomic
def choose_fields(*, task_import: Import, choice: FieldChoice, by: User) -> Import:
    """Store the choice of fields of a tried import, and queue its trial again. Raises ImportNotTried."""
    locked = _lock_tried(task_import, "Only the fields of a tried import can be chosen.")
    queue_work(
        row=locked, by=by, state=ImportState.RECEIVED, choice=choice.to_json(), counts=None, seen_count=0
    )
    return locked


@transaction.atomic
def retry_import(*, task_import: Import, by: User) -> Import:
    """Queue a failed import again, from its trial. Raises import-not-failed."""
    locked = Import.objects.select_for_update(of=("self",)).get(pk=task_import.pk)
    if locked.state != ImportState.FAILED or locked.removed_at:
        raise InputError(
            f"{locked} is {_state_of(locked)}. Only a failed import can be tried again.",
            code="import-not-failed",
            status=409,
        )
    queue_work(row=locked, by=by, state=ImportState.RECEIVED, error="", ended_at=None, seen_count=0)
    return locked


@transaction.atomic
def confirm_import(*, task_import: Import, by: User, without: Collection[str] = ()) -> Import:
    """Queue the import's second run, which stores its records, but not the fields ``without``.

    Raises ImportNotTried, and import-fields-undecided if fields of unknown names are neither chosen nor left
    out: texts for assessors would be lost.
    """
    locked = _lock_tried(task_import, "Only a tried import can be added.")
    if undecided := [name for name in locked.undecided if name not in without]:
        raise InputError(
            f"Shall assessors and models see {', '.join(undecided)}? Choose a use of each field, or leave it "
            "out; then add the records.",
            code="import-fields-undecided",
            status=409,
        )
    choice = locked.choice
    if locked.undecided:
        choice = choice | {"left_out": [*choice.get("left_out", []), *locked.undecided]}
    if choice or locked.roles:
        kept = FieldChoice().to_json() | {"roles": locked.roles} | choice
        set_chosen_fields(locked.task, locked.kind, kept)
    confirmed = {"confirmed_by": by, "confirmed_at": Now(), "choice": choice, "seen_count": 0}
    queue_work(row=locked, by=by, state=ImportState.CONFIRMED, **confirmed)
    return locked


def _lock_tried(task_import: Import, cure: str) -> Import:
    locked = Import.objects.select_for_update(of=("self",)).get(pk=task_import.pk)
    if locked.state != ImportState.TRIED or locked.removed_at:
        raise ImportNotTried(f"{locked} is {_state_of(locked)}. {cure}")
    return locked


def _state_of(task_import: Import) -> str:
    return "removed" if task_import.removed_at else task_import.get_state_display()


@transaction.atomic
def remove_import(*, task_import: Import, by: User) -> None:
    """Remove an import that failed or was only tried from the list; its row is kept.

    Raises import-not-removable.
    """
    locked = Import.objects.select_for_update(of=("self",)).get(pk=task_import.pk)
    if not locked.is_removable:
        raise InputError(
            f"{locked} is {locked.get_state_display()}. Only an import that failed or was only tried can be "
            "removed.",
            code="import-not-removable",
        )
    locked.removed_by, locked.removed_at = by, Now()
    locked.save(update_fields=["removed_by", "removed_at"])


log = logging.getLogger(__name__)
IMPORTERS: dict[str, Callable[..., dict[str, int]]] = {
    ImportKind.TOPICS: import_items,
    ImportKind.COLLECTION: import_items,
    ImportKind.DOCNOS: import_items,
    ImportKind.CORPUS: import_corpus,
    ImportKind.RUNS: import_runs,
    ImportKind.QRELS: import_qrels,
}


def run_import(*, task_import: Import) -> None:
    """Try a claimed import without storing records, or add its records if it is confirmed.

    The import fails with a reason if the file cannot be read, if its person no longer organizes the track, or
    if the track is archived. A database error also fails it, and is logged. Raises ClaimLost; then nothing is
    stored.
    """
    row = _begin(task_import)
    is_trial, faults = row.state == ImportState.TRYING, Faults()
    try:
        check_requester(row.task, row.confirmed_by or row.received_by)
        counts = IMPORTERS[row.kind](task_import=row, faults=faults, is_trial=is_trial)
    except InputError as error:
        _end(row, ImportState.FAILED, error=str(error))
    except DatabaseError:
        log.exception("Import %d failed.", row.pk)
        _end(row, ImportState.FAILED, error="The database rejected it; see the site's log.")
    else:
        counts["refused"] = faults.refused_count
        state = ImportState.TRIED if is_trial else ImportState.DONE
        _end(row, state, counts=counts, faults=faults.to_json())


@transaction.atomic
def _begin(claimed: Import) -> Import:
    lock_claim(claimed)
    task_import = Import.objects.select_related(
        "task__collection", "task__track", "team", "upload", "received_by", "confirmed_by"
    ).get(pk=claimed.pk)
    task_import.state = WORKING.get(ImportState(task_import.state), ImportState(task_import.state))
    task_import.seen_count = 0
    task_import.save(update_fields=["state", "seen_count"])
    return task_import


def _end(task_import: Import, state: ImportState, **fields: object) -> None:
    ended = None if state == ImportState.TRIED else Now()
    end_work(task_import, state=state, ended_at=ended, **fields)
