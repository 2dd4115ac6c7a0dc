"""Receive an uploaded run file."""

import logging
from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePath
from uuid import UUID

from django.conf import settings
from django.core.files.base import File
from django.db import transaction
from django.db.models import Q, Sum
from django.db.models.functions import Coalesce, Now

from evaluation.collections.storing import sha256_of, store_blob
from evaluation.platform.access.people import User, organizes
from evaluation.submissions.runs.late_exceptions import LateException
from evaluation.submissions.runs.models import Run, RunState
from evaluation.submissions.runs.submission import SubmissionQuestion
from evaluation.submissions.teams.models import Team
from evaluation.submissions.teams.registering import check_registered
from evaluation.tracks.models import Task
from evaluation.tracks.work.queueing import KeyUsedTwice, enqueue, lock_client_key
from trackside.errors import InputError
from trackside.text.replies import check_replies
from trackside.text.time_zones import format_in_zone

log = logging.getLogger(__name__)
LONGEST_NAME = 255


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
    received_at: datetime | None = None,
) -> Run:
    """Store the file unchanged, and queue its check. A run is in time if its last byte came before the close.

    ``received_at`` is when an import received the file, by the database clock; None means now.

    A run after the close, in the task's grace period or by an exception of the team, is accepted and marked
    as late, unless the team sent the same bytes in time. ``replies`` are those to the task's questions, by
    name; optional for baselines. If the person repeats an upload with the same ``client_uuid``, return the
    first run. Raises not-of-team, team-not-approved, task-not-open, upload-too-large,
    storage-full, reply-missing, reply-unknown, KeyUsedTwice; then nothing is stored.
    """
    if client_uuid and (sent := _earlier_upload(client_uuid, by)):
        return _check_same(sent, task, team, file)
    _check_team(task, team, by)
    _check_size(file.size)
    _check_storage(team, file.size, by)
    texts = check_replies(SubmissionQuestion.objects.asked_of(task, team), replies or {})
    _check_open(task, team, received_at or Now())
    run = Run.objects.create(
        task=task,
        team=team,
        upload=store_blob(file=file),
        file_name=PurePath(file.name or "run").name[-LONGEST_NAME:],
        description=description,
        type=type,
        backbone=backbone,
        suggested_family=suggested_family,
        replies=texts,
        received_by=by,
        client_uuid=client_uuid,
        received_at=received_at or Now(),
    )
    _check_in_time(run)
    enqueue("evaluation.check_run", run.pk)
    return run


def _check_in_time(run: Run) -> None:
    """Refuse a run whose last byte was stored too late. Mark a run stored after the close as late."""
    run.refresh_from_db(fields=["received_at"])
    _check_open(run.task, run.team, run.received_at)
    if not Task.objects.open_at(run.received_at).contains(run.task) and not _was_sent_in_time(run):
        _mark_late(run)


def _mark_late(run: Run) -> None:
    run.is_late = True
    if not Task.objects.taking_runs_at(run.received_at).filter(pk=run.task_id).exists():
        exceptions = LateException.objects.open_at(run.received_at)
        run.late_exception = exceptions.get(task=run.task_id, team=run.team_id)
    run.save(update_fields=["is_late", "late_exception"])
    log.warning("Run %d of task %d arrived after the close: %s.", run.pk, run.task_id, run.lateness)


def _was_sent_in_time(run: Run) -> bool:
    """Whether the team sent the same bytes before the close, and they were not rejected."""
    same = Run.objects.filter(task=run.task_id, team=run.team_id, upload=run.upload_id, is_late=False)
    return same.exclude(pk=run.pk).exclude(state=RunState.REJECTED).exists()


def _earlier_upload(client_uuid: UUID, by: User) -> Run | None:
    lock_client_key(client_uuid)
    return Run.objects.filter(client_uuid=client_uuid, received_by=by).first()


def _check_same(sent: Run, task: Task, team: Team, file: File[bytes]) -> Run:
    if (sent.task_id, sent.team_id, sent.upload_id) != (task.pk, team.pk, sha256_of(file)):
        raise KeyUsedTwice(
            f"This key was used with another upload, which created run {sent.pk}. "
            "Use a new key for a new run."
        )
    return sent


def may_submit(person: User, team: Team, task: Task) -> bool:
    """Whether the person may submit for the team: as a member, or as an organizer for baselines."""
    if team.track_id != task.track_id:
        return False
    if team.is_baseline and organizes(person, task.track_id):
        return True
    return Team.objects.of_member(person).contains(team)


def _check_team(task: Task, team: Team, by: User) -> None:
    if not may_submit(by, team, task):
        raise InputError(
            f"You cannot submit for {team} in {task}. Choose a team that you belong to.",
            code="not-of-team",
            status=403,
        )
    check_registered(team)


def _check_size(size: int) -> None:
    if size > settings.MAX_UPLOAD_BYTES:
        raise InputError(
            f"The file has {size:,} bytes; {settings.MAX_UPLOAD_BYTES:,} are allowed. "
            "Pack it with gzip, or list fewer results per topic.",
            code="upload-too-large",
            status=413,
        )


def _check_storage(team: Team, size: int, by: User) -> None:
    """Raise storage-full if the limit is exceeded; uploads for baselines are not limited."""
    if team.is_baseline:
        return
    counted = Run.objects.filter(Q(received_by=by) | Q(team__in=Team.objects.counted_for(by)))
    stored = counted.aggregate(total=Coalesce(Sum("upload__size"), 0))["total"]
    if stored + size > settings.MAX_STORED_BYTES:
        raise InputError(
            f"You and your teams store {stored:,} bytes of run files; one person may store "
            f"{settings.MAX_STORED_BYTES:,}. Ask the site's staff to raise the limit.",
            code="storage-full",
            status=409,
        )


def takes_runs_of(task: Task, team: Team, moment: datetime | Now) -> bool:
    """Whether the task takes runs of the team at the moment: while open, in its grace, or by an exception."""
    in_grace = Task.objects.taking_runs_at(moment).filter(pk=task.pk).exists()
    return in_grace or LateException.objects.open_at(moment).filter(task=task, team=team).exists()


def _check_open(task: Task, team: Team, moment: datetime | Now) -> None:
    if not takes_runs_of(task, team, moment):
        opens, closes = (_when(task, date) for date in (task.opens_at, task.closes_at))
        raise InputError(
            f"{task} takes no runs now: it opens {opens} and closes {closes}.",
            code="task-not-open",
            status=409,
        )


def _when(task: Task, moment: datetime | None) -> str:
    return f"on {format_in_zone(moment, task.time_zone)}" if moment else "on a day not set yet"
