"""Take in a file that an organizer brings."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from django.db import transaction

from evaluation.actions.enqueue import enqueue
from evaluation.actions.store_blob import store_blob
from evaluation.models import Import, ImportKind

if TYPE_CHECKING:
    from django.core.files.base import File

    from evaluation.models import Task, Team, User

LONGEST_NAME = 255


@transaction.atomic
def receive_import(
    *,
    task: Task,
    kind: ImportKind,
    file: File[bytes],
    by: User,
    team: Team | None = None,
    options: dict[str, Any] | None = None,
) -> Import:
    """Keep the file as it came, and queue its trial, which stores nothing."""
    made = Import.objects.create(
        task=task,
        kind=kind,
        upload=store_blob(file=file),
        file_name=PurePath(file.name or "file").name[-LONGEST_NAME:],
        team=team,
        options=options or {},
        received_by=by,
    )
    enqueue("evaluation.run_import", made.pk)
    return made
