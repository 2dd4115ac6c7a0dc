"""Edit the description of a run, and withdraw it."""

from collections.abc import Mapping

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models.functions import Now

from evaluation.platform.access.people import User, organizes
from evaluation.submissions.runs.models import Run, RunState
from evaluation.submissions.runs.receiving import takes_runs_of
from evaluation.submissions.runs.submission import SubmissionQuestion
from evaluation.submissions.teams.models import Team
from evaluation.tracks.models import Task
from trackside.errors import InputError
from trackside.text.replies import check_replies

EDITABLE = (RunState.RECEIVED, RunState.ASKED, RunState.ACCEPTED)


@transaction.atomic
def edit_run(
    *,
    run: Run,
    description: str,
    type: str,  # noqa: A002 - the name of the field
    backbone: str,
    suggested_family: str,
    replies: Mapping[str, str],
    by: User,
) -> Run:
    """Replace description, kind and replies; the file and its verdict do not change.

    Raises not-of-team, run-not-editable, reply-missing, reply-unknown.
    """
    run = Run.objects.select_for_update(of=("self",)).select_related("team", "task__track").get(pk=run.pk)
    is_organizer = organizes(by, run.task.track_id)
    if not is_organizer and not Team.objects.of_member(by).contains(run.team):
        raise InputError(
            f"{run} is a run of {run.team}. Its members and the organizers can change it.",
            code="not-of-team",
            status=403,
        )
    if not may_edit(run):
        raise InputError(
            f"{run} is {run.get_state_display()}. Only accepted and unchecked runs can be changed, until the "
            "task closes. Ask the organizers to change this one.",
            code="run-not-editable",
        )
    run.replies = check_replies(SubmissionQuestion.objects.asked_of(run.task, run.team), replies)
    run.description, run.type = description, type
    run.backbone, run.suggested_family = backbone, suggested_family
    run.save(update_fields=["description", "type", "backbone", "suggested_family", "replies"])
    return run


def may_edit(run: Run) -> bool:
    """Whether the run's description can still be changed, by the database clock."""
    return run.state in EDITABLE and takes_runs_of(run.task, run.team, Now())


REASON_MAX = 500  # characters


@transaction.atomic
def withdraw_run(*, run: Run, by: User, reason: str = "") -> Run:
    """Withdraw an accepted run: it does not count, but its page, file, tag and pool items stay.

    A team can withdraw its run until the task closes, and while no pool contains it. Organizers always can,
    with a ``reason`` of 1 to 500 characters; then leaderboards list the run as withdrawn. Raises not-of-team,
    run-not-accepted, run-settled, withdrawal-reason-missing.
    """
    run = Run.objects.select_for_update(of=("self",)).select_related("team", "task__track").get(pk=run.pk)
    is_own = Team.objects.of_member(by).contains(run.team)
    is_organizer = organizes(by, run.task.track_id)
    if not is_own and not is_organizer:
        raise InputError(
            f"{run} is a run of {run.team}. Its members and the organizers can withdraw it.",
            code="not-of-team",
            status=403,
        )
    if run.state != RunState.ACCEPTED:
        raise InputError(
            f"{run} is {run.get_state_display()}. Only an accepted run can be withdrawn.",
            code="run-not-accepted",
            status=409,
        )
    if not is_organizer and is_settled(run):
        raise InputError(
            f"You cannot withdraw {run}: its task has closed, or a pool contains its results. "
            "Ask the organizers to withdraw it, and tell them why.",
            code="run-settled",
            status=409,
        )
    run.withdrawal_reason = _checked_reason(run, reason) if is_organizer else ""
    run.state, run.withdrawn_at, run.withdrawn_by = RunState.WITHDRAWN, Now(), by
    run.save(update_fields=["state", "withdrawn_at", "withdrawn_by", "withdrawal_reason"])
    return run


def may_withdraw(person: User | AnonymousUser, run: Run) -> bool:
    """Whether the person may withdraw the run in its current state, by the database clock."""
    if run.state != RunState.ACCEPTED:
        return False
    if Task.objects.organized_by(person).filter(pk=run.task_id).exists():
        return True
    return Team.objects.of_member(person).filter(pk=run.team_id).exists() and not is_settled(run)


def is_settled(run: Run) -> bool:
    """Whether the run's task has closed, by the database clock, or a pool contains results of the run."""
    is_closed = Task.objects.filter(pk=run.task_id, closes_at__lt=Now()).exists()
    return is_closed or run.pool_runs.exists()


def _checked_reason(run: Run, reason: str) -> str:
    words = reason.strip()
    if not words or len(words) > REASON_MAX or "\0" in words:  # PostgreSQL stores no NUL
        raise InputError(
            f"On the run's page, give the reason why {run} is withdrawn, in at most {REASON_MAX} characters "
            "without NUL. The leaderboard shows it.",
            code="withdrawal-reason-missing",
        )
    return words
