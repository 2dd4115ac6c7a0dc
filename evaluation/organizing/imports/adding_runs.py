"""Add the runs of an import: each file of an archive is uploaded and checked."""

from typing import cast

from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction

from evaluation.organizing.imports.models import Import
from evaluation.organizing.imports.reading import note_progress, read_members
from evaluation.submissions.runs.checking import check_run
from evaluation.submissions.runs.models import Run, RunState
from evaluation.submissions.runs.receiving import receive_run
from evaluation.submissions.teams.models import Team
from evaluation.tracks.work.queueing import lock_claim
from trackside.errors import InputError
from trackside.imports.faults import Faults, ImportFault


def import_runs(*, task_import: Import, faults: Faults, is_trial: bool) -> dict[str, int]:
    """Upload and check each file of the archive for the import's team; a trial rolls all of this back.

    A run counts as received when its archive was, so a close between receipt and confirmation refuses none.

    Each run has its own transaction: accepted runs stay if a later one fails, and count as ``same`` if the
    import runs again. Raises FileRefused, LimitReached, SandboxCrashed.
    """
    counts = {"added": 0, "changed": 0, "same": 0}
    tags: dict[str, str] = {}
    with task_import.upload.open() as file:
        members = read_members(task_import, file, faults, settings.MAX_UPLOAD_BYTES)
        for member in note_progress(members, task_import=task_import):
            name = str(member.values["name"])
            if member.kind == "unreadable":
                faults.add(ImportFault.RUN_REFUSED, name, str(member.values["text"]))
                continue
            content = ContentFile(member.content, name)
            try:
                outcome = _upload(task_import, content, faults, tags, is_trial=is_trial)
            except InputError as error:
                faults.add(ImportFault.RUN_REFUSED, name, str(error))
                continue
            if outcome:
                counts[outcome] += 1
    return counts


@transaction.atomic
def _upload(
    task_import: Import, file: ContentFile[bytes], faults: Faults, tags: dict[str, str], *, is_trial: bool
) -> str | None:
    """Return the outcome: added, changed (it replaced a run), same (already there), or None if rejected."""
    lock_claim(task_import)
    run = receive_run(
        task=task_import.task,
        team=cast("Team", task_import.team),  # a constraint: imports of runs have a team
        file=file,
        description=f"From {task_import.file_name}.",
        by=task_import.confirmed_by or task_import.received_by,
        received_at=task_import.received_at,
    )
    known = Run.objects.accepted().filter(task=task_import.task, team=task_import.team, upload=run.upload)
    if known.exists():
        transaction.set_rollback(True)
        return "same"
    checked = check_run(run_id=run.pk)
    outcome = _outcome(str(file.name), checked, faults, tags)
    if is_trial or outcome is None:
        transaction.set_rollback(True)
    return outcome


def _outcome(name: str, run: Run | None, faults: Faults, tags: dict[str, str]) -> str | None:
    if run is None:
        faults.add(ImportFault.RUN_REFUSED, name, "Earlier uploads of the team wait for their check.")
        return None
    if run.state == RunState.ASKED:
        words = "Its ranks and scores disagree. Mend it, or upload it by itself and confirm it."
        faults.add(ImportFault.RUN_REJECTED, name, words)
        return None
    if run.state == RunState.REJECTED:
        refused = run.verdict.faults if run.verdict else []
        words = "; ".join(f"{fault['title']} ({fault['found']})" for fault in refused)
        faults.add(ImportFault.RUN_REJECTED, name, words)
        return None
    if run.tag in tags:
        faults.add(ImportFault.TAG_TWICE, name, f"{run.tag}, as in {tags[run.tag]}")
        return None
    tags[run.tag] = name
    return "changed" if run.replaces else "added"
