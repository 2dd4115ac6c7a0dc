"""Take in an uploaded run file."""

from __future__ import annotations

import logging
from pathlib import PurePath
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import connection, transaction
from django.db.models.functions import Now

from evaluation.actions.enqueue import enqueue
from evaluation.actions.store_blob import store_blob
from evaluation.core.errors import InputError
from evaluation.core.replies import check_replies
from evaluation.core.time_zones import zoned
from evaluation.models import Run, SubmissionQuestion, Task, Team

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID

    from django.core.files.base import File

    from evaluation.models import User

log = logging.getLogger(__name__)
LONGEST_NAME = 255


class TaskNotOpen(InputError):
    """The task takes no runs now, by the database clock."""


class NotOfTeam(InputError):
    """The person may not act for the team in this task."""


class UploadTooLarge(InputError):
    """The file is larger than the site takes."""


class KeyUsedTwice(InputError):
    """Another upload came under the same client UUID."""


@transaction.atomic
def receive_run(
    *,
    task: Task,
    team: Team,
    file: File[bytes],
    description: str,
    by: User,
    type: str = "",  # noqa: A002 - the name of the field
    backbone: str = "",
    suggested_family: str = "",
    replies: Mapping[str, str] | None = None,
    client_uuid: UUID | None = None,
) -> Run:
    """Keep the file as it came, and queue its check. In time = the last byte was stored before the close.

    One in the task's grace period after the close is taken and marked as late. ``replies`` are those to the
    task's questions, by name; baselines need none. An upload that the person sends again under the same
    ``client_uuid`` is the run that it made the first time. Raises NotOfTeam, TaskNotOpen, UploadTooLarge,
    ReplyMissing, ReplyUnknown, KeyUsedTwice; nothing is kept then.
    """
    if client_uuid and (sent := _sent_before(client_uuid, by)):
        return _same(sent, task, team, file)
    if not may_submit(by, team, task):
        raise NotOfTeam(f"You cannot submit for {team} in {task}. Choose a team that you belong to.")
    if file.size > settings.MAX_UPLOAD_BYTES:
        raise UploadTooLarge(
            f"The file has {file.size:,} bytes; {settings.MAX_UPLOAD_BYTES:,} are allowed. "
            "Pack it with gzip, or list fewer results a topic."
        )
    given = check_replies(SubmissionQuestion.objects.asked_of(task, team), replies or {})
    _check_open(task, Now())
    run = Run.objects.create(
        task=task,
        team=team,
        upload=store_blob(file=file),
        file_name=PurePath(file.name or "run").name[-LONGEST_NAME:],
        description=description,
        type=type,
        backbone=backbone,
        suggested_family=suggested_family,
        replies=given,
        received_by=by,
        client_uuid=client_uuid,
    )
    run.refresh_from_db(fields=["received_at"])
    _check_open(task, run.received_at)
    if not Task.objects.open_at(run.received_at).contains(task):
        run.is_late = True
        run.save(update_fields=["is_late"])
        log.warning("Run %d of task %d came in the grace period after the close.", run.pk, task.pk)
    enqueue("evaluation.check_run", run.pk)
    return run


def _sent_before(client_uuid: UUID, by: User) -> Run | None:
    # Whoever sends it again while the first request is still at work waits for what becomes of that.
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [client_uuid.int % 2**63])
    return Run.objects.select_related("upload").filter(client_uuid=client_uuid, received_by=by).first()


def _same(sent: Run, task: Task, team: Team, file: File[bytes]) -> Run:
    if (sent.task_id, sent.team_id, sent.upload.size) != (task.pk, team.pk, file.size):
        raise KeyUsedTwice(
            f"This key came with another upload before, which made run {sent.pk}. "
            "Send a new key with a new run."
        )
    return sent


def may_submit(person: User, team: Team, task: Task) -> bool:
    """Whether the person acts for the team: its members do, and for baselines the organizers."""
    if team.track_id != task.track_id:
        return False
    if team.is_baseline and Task.objects.organized_by(person).contains(task):
        return True
    return Team.objects.of_member(person).contains(team)


def _check_open(task: Task, moment: datetime | Now) -> None:
    if not Task.objects.taking_runs_at(moment).contains(task):
        opens, closes = (_when(task, each) for each in (task.opens_at, task.closes_at))
        raise TaskNotOpen(f"{task} takes no runs now: it opens {opens} and closes {closes}.")


def _when(task: Task, moment: datetime | None) -> str:
    return f"on {zoned(moment, task.time_zone)}" if moment else "on a day not set yet"
