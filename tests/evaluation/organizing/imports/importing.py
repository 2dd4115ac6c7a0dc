"""Try and add small imports."""

import io
import zipfile

from django.core.files.base import ContentFile

from evaluation.models import (
    Import,
    ImportKind,
    ImportState,
    Task,
    Team,
)
from evaluation.organizing.imports.actions import confirm_import, receive_import, run_import
from evaluation.tracks.work.queueing import run_waiting
from tests.factories import make_organizer


def try_import(
    task: Task,
    holds: ImportKind,
    content: bytes,
    team: Team | None = None,
    **options: str,
) -> Import:
    """Upload the content and run the trial."""
    made = receive_import(
        task=task,
        kind=holds,
        file=ContentFile(content, "brought.file"),
        by=make_organizer(task.track),
        team=team,
        options=options,
    )
    return run_queued(made)


def run_queued(queued: Import) -> Import:
    """Run the only import in the queue."""
    assert run_waiting(Import, lambda row: run_import(task_import=row), worker="test") == 1
    queued.refresh_from_db()
    return queued


def add_import(tried: Import) -> Import:
    """Confirm a trial without the fields that it asks about, and run the import."""
    assert tried.state == ImportState.TRIED, tried.error
    confirm_import(task_import=tried, without=tried.undecided, by=tried.received_by)
    return run_queued(tried)


def zip_of(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def codes_of(found: Import) -> dict[str, int]:
    return {fault["code"]: fault["count"] for fault in found.faults}
