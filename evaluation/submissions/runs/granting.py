"""Grant a team a later close of a task, and withdraw it."""

from datetime import datetime

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from evaluation.platform.access.people import User
from evaluation.submissions.runs.late_exceptions import REASON_MAX, LateException
from evaluation.submissions.teams.membership import mail_team
from evaluation.submissions.teams.models import Team
from evaluation.tracks.mail.actions import site_link
from evaluation.tracks.models import Task
from trackside.errors import InputError
from trackside.text.time_zones import FUTURE, format_in_zone


@transaction.atomic
def grant_exception(*, task: Task, team: Team, closes_at: datetime, reason: str, by: User) -> LateException:
    """Let the team upload runs until ``closes_at``, and mail it. Its late runs are marked as such.

    Possible until judging opens or the first pool is frozen. Raises team-of-other-track,
    exception-reason-missing, exception-too-late, exception-end-not-possible, exception-granted.
    """
    task = Task.objects.select_for_update(no_key=True, of=("self",)).select_related("track").get(pk=task.pk)
    if team.track_id != task.track_id:
        raise InputError(
            f"{team} is a team of {team.track}. Choose one of {task.track}.", code="team-of-other-track"
        )
    words = reason.strip()
    if not words or len(words) > REASON_MAX or "\0" in words:  # PostgreSQL stores no NUL
        raise InputError(
            f"Give the reason why {team} may upload late, in at most {REASON_MAX} characters without NUL. "
            "The team reads it, too.",
            code="exception-reason-missing",
        )
    _check_not_pooled(task)
    _check_end(task, closes_at)
    if LateException.objects.filter(task=task, team=team, withdrawn_at__isnull=True).exists():
        raise InputError(
            f"{team} has an exception for {task} already. Withdraw it first.",
            code="exception-granted",
            status=409,
        )
    granted = LateException.objects.create(
        task=task, team=team, closes_at=closes_at, reason=words, granted_by=by
    )
    _mail(granted)
    return granted


def _check_not_pooled(task: Task) -> None:
    if Task.objects.filter(pk=task.pk, judging_at__lte=Now()).exists():
        raise InputError(
            f"Judging of {task} has opened, so no more runs can be taken.",
            code="exception-too-late",
            status=409,
        )
    if task.pools.exists():
        raise InputError(
            f"A pool of {task} is frozen. A later run would not be in it, so it would not be judged like the "
            "others.",
            code="exception-too-late",
            status=409,
        )


def _check_end(task: Task, closes_at: datetime) -> None:
    if task.closes_at is None:
        raise InputError(
            f"{task} has no close yet, so it takes the runs of every team.", code="exception-end-not-possible"
        )
    first, last = max(task.closes_at + task.grace, timezone.now()), task.judging_at
    if closes_at > FUTURE:
        raise InputError(
            f"An exception must end before {FUTURE.year}. Choose another end.",
            code="exception-end-not-possible",
        )
    if closes_at <= first or (last and closes_at > last):
        until = last and f", and at the latest {format_in_zone(last, task.time_zone)}, when judging opens"
        raise InputError(
            f"An exception must end later than {format_in_zone(first, task.time_zone)}{until or ''}. "
            "Choose another end.",
            code="exception-end-not-possible",
        )


def _mail(granted: LateException) -> None:
    task = granted.task
    context = {
        "granted": granted,
        "until": format_in_zone(granted.closes_at, task.time_zone),
        "link": site_link("run_upload", task.track.slug, task.slug),
    }
    mail_team(granted.team, "late_exception", context)


@transaction.atomic
def withdraw_exception(*, exception: LateException, by: User) -> LateException:
    """End the exception immediately; runs uploaded under it stay. Raises exception-not-open."""
    rows = LateException.objects.filter(pk=exception.pk, withdrawn_at__isnull=True)
    if not rows.update(withdrawn_at=Now(), withdrawn_by=by):
        raise InputError(
            f"The exception of {exception} is withdrawn already.", code="exception-not-open", status=409
        )
    exception.refresh_from_db()
    return exception
