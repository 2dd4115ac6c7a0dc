"""The part of a track file that grants teams a later close."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models.functions import Now

from evaluation.access.people import User
from evaluation.runs.granting import grant_exception
from evaluation.runs.late_exceptions import LateException
from evaluation.teams.models import Team
from evaluation.track_files.parts import PartSchema, TrackFilePart, moment_in, register_part
from evaluation.tracks.models import Task
from trackside.errors import InputError


class LateExceptionPart(PartSchema):
    """A later close for one team, in the time zone of the task, or with an offset."""

    team: str
    closes_at: datetime
    reason: str


def _open_exceptions(task: Task) -> list[LateException]:
    rows = LateException.objects.filter(task=task, withdrawn_at__isnull=True, closes_at__gt=Now())
    return list(rows.select_related("team").order_by("team__name"))


def _read(task: Task) -> list[dict[str, Any]]:
    """Return the exceptions that have not ended: an ended one cannot be granted again."""
    zone = ZoneInfo(task.time_zone)
    return [
        {
            "team": exception.team.name,
            "closes_at": exception.closes_at.astimezone(zone).replace(tzinfo=None),
            "reason": exception.reason,
        }
        for exception in _open_exceptions(task)
    ]


def _apply(task: Task, parts: list[LateExceptionPart], by: User) -> bool:
    """Grant the exceptions that the teams do not have; return whether there were any."""
    known = {(row.team.name, row.closes_at, row.reason) for row in _open_exceptions(task)}
    is_changed = False
    for part in parts:
        closes_at = moment_in(part.closes_at, task.time_zone)
        if (part.team, closes_at, part.reason.strip()) in known:
            continue
        team = Team.objects.filter(track=task.track_id, name=part.team).first()
        if team is None:
            raise InputError(
                f"{task.track} has no team {part.team}. Name it under [[teams]].", code="team-unknown"
            )
        grant_exception(task=task, team=team, closes_at=closes_at, reason=part.reason, by=by)
        is_changed = True
    return is_changed


def register_exceptions() -> None:
    """Register the part. Called when Django starts."""
    register_part(
        TrackFilePart(
            "late_exceptions",
            list[LateExceptionPart],
            _read,
            _apply,
            is_copied=False,
            is_stored_one_by_one=True,
        )
    )
