"""Bring baseline runs in, many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.core.files.base import ContentFile
from django.db import transaction

from evaluation.actions.check_run import check_run
from evaluation.actions.note_progress import note_progress
from evaluation.actions.receive_run import receive_run
from evaluation.core.errors import InputError
from evaluation.core.imports.archives import members_of
from evaluation.core.imports.faults import ImportFault
from evaluation.models import Run, RunState

if TYPE_CHECKING:
    from evaluation.core.imports.archives import Member
    from evaluation.core.imports.faults import Faults
    from evaluation.models import Import, Team


def import_runs(*, task_import: Import, faults: Faults, is_trial: bool) -> dict[str, int]:
    """Upload and check each file of the archive for the import's team; a trial takes each back at once.

    Each run is a transaction of its own: what was accepted stays when a later one fails, and counts as the
    same when the import runs again. Raises ArchiveUnreadable, ArchiveUnsafe.
    """
    counts = {"added": 0, "changed": 0, "same": 0}
    tags: dict[str, str] = {}
    with task_import.upload.open() as file:
        for member in note_progress(members_of(file), task_import=task_import):
            try:
                outcome = _upload(task_import, member, faults, tags, is_trial=is_trial)
            except InputError as error:
                faults.add(ImportFault.RUN_REFUSED, member.name, str(error))
                continue
            if outcome:
                counts[outcome] += 1
    return counts


@transaction.atomic
def _upload(
    task_import: Import, member: Member, faults: Faults, tags: dict[str, str], *, is_trial: bool
) -> str | None:
    """What became of the file: added, changed (it replaced one), same (there already), or None: rejected."""
    file = ContentFile(member.read(), member.name)
    run = receive_run(
        task=task_import.task,
        team=cast("Team", task_import.team),  # a constraint gives each import of runs one
        file=file,
        description=f"From {task_import.file_name}.",
        by=task_import.confirmed_by or task_import.received_by,
    )
    known = Run.objects.accepted().filter(task=task_import.task, team=task_import.team, upload=run.upload)
    if known.exists():
        transaction.set_rollback(True)
        return "same"
    checked = check_run(run_id=run.pk)
    outcome = _outcome(member, checked, faults, tags)
    if is_trial or outcome is None:
        transaction.set_rollback(True)
    return outcome


def _outcome(member: Member, run: Run | None, faults: Faults, tags: dict[str, str]) -> str | None:
    if run is None:
        faults.add(ImportFault.RUN_REFUSED, member.name, "Earlier uploads of the team wait for their check.")
        return None
    if run.state == RunState.REJECTED:
        found = "; ".join(f"{fault['title']} ({fault['found']})" for fault in (run.verdict or {})["faults"])
        faults.add(ImportFault.RUN_REJECTED, member.name, found)
        return None
    if run.tag in tags:
        faults.add(ImportFault.TAG_TWICE, member.name, f"{run.tag}, as in {tags[run.tag]}")
        return None
    tags[run.tag] = member.name
    return "changed" if run.replaces else "added"
