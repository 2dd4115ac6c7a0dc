"""Take in an uploaded run file."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from evaluation.actions.enqueue import enqueue
from evaluation.actions.store_blob import store_blob
from evaluation.core.errors import InputError
from evaluation.models import Run, Task, Team

if TYPE_CHECKING:
    from datetime import datetime

    from django.core.files.base import File

    from evaluation.models import User

LONGEST_NAME = 255


class TaskNotOpen(InputError):
    """The task takes no runs now, by the database clock."""


class NotOfTeam(InputError):
    """The person may not act for the team in this task."""


class UploadTooLarge(InputError):
    """The file is larger than the site takes."""


@transaction.atomic
def receive_run(*, task: Task, team: Team, file: File[bytes], description: str, by: User) -> Run:
    """Keep the file as it came, and queue its check. In time = the last byte was stored before the close.

    Raises NotOfTeam, TaskNotOpen, UploadTooLarge; nothing is kept then.
    """
    if not may_submit(by, team, task):
        raise NotOfTeam(f"You cannot submit for {team} in {task}. Choose a team that you belong to.")
    if file.size > settings.MAX_UPLOAD_BYTES:
        raise UploadTooLarge(
            f"The file has {file.size:,} bytes; {settings.MAX_UPLOAD_BYTES:,} are allowed. "
            "Pack it with gzip, or list fewer results a topic."
        )
    _check_open(task, Now())
    run = Run.objects.create(
        task=task,
        team=team,
        upload=store_blob(file=file),
        file_name=PurePath(file.name or "run").name[-LONGEST_NAME:],
        description=description,
        received_by=by,
    )
    run.refresh_from_db(fields=["received_at"])
    _check_open(task, run.received_at)
    enqueue("evaluation.check_run", run.pk)
    return run


def may_submit(person: User, team: Team, task: Task) -> bool:
    """Whether the person acts for the team: its members do, and for baselines the organizers."""
    if team.track_id != task.track_id:
        return False
    if team.is_baseline and Task.objects.organized_by(person).contains(task):
        return True
    return Team.objects.of_member(person).contains(team)


def _check_open(task: Task, moment: datetime | Now) -> None:
    if not Task.objects.open_at(moment).contains(task):
        raise TaskNotOpen(
            f"{task} takes no runs now: it opens {_when(task.opens_at)} and closes {_when(task.closes_at)}."
        )


def _when(moment: datetime | None) -> str:
    return f"on {moment:%d %B %Y at %H:%M %Z}" if moment else "on a day not set yet"
