"""Edit the description of a run, and withdraw it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from evaluation.core.errors import InputError
from evaluation.core.text.replies import check_replies
from evaluation.runs.models import Run, RunState
from evaluation.runs.receiving import NotOfTeam, takes_runs_of
from evaluation.runs.submission import SubmissionQuestion
from evaluation.teams.models import Team
from evaluation.tracks.models import Task

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.contrib.auth.models import AnonymousUser

    from evaluation.access.people import User

EDITABLE = (RunState.RECEIVED, RunState.ACCEPTED)


class RunNotEditable(InputError):
    """The task has closed, or the run is neither accepted nor waiting for its check."""


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

    Raises NotOfTeam, RunNotEditable, ReplyMissing, ReplyUnknown.
    """
    run = Run.objects.select_for_update(of=("self",)).select_related("team", "task__track").get(pk=run.pk)
    is_organizer = Task.objects.organized_by(by).contains(run.task)
    if not is_organizer and not Team.objects.of_member(by).contains(run.team):
        raise NotOfTeam(f"{run} is a run of {run.team}. Its members and the organizers can change it.")
    if not may_edit(run):
        raise RunNotEditable(
            f"{run} is {run.get_state_display()}. Only accepted and unchecked runs can be changed, until the "
            "task closes. Ask the organizers to change this one."
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


class RunNotAccepted(InputError):
    """The run is not accepted; only an accepted run can be withdrawn."""


class RunSettled(InputError):
    """The task has closed or the run is pooled, so its team cannot withdraw it."""


class WithdrawalReasonMissing(InputError):
    """Organizers must give a reason of at most REASON_MAX characters, which the leaderboard shows."""


@transaction.atomic
def withdraw_run(*, run: Run, by: User, reason: str = "") -> Run:
    """Withdraw an accepted run: it does not count, but its page, file, tag and pool items stay.

    A team can withdraw its run until the task closes, and while no pool contains it. Organizers always can,
    with a ``reason`` of 1 to 500 characters; then leaderboards list the run as withdrawn. Raises NotOfTeam,
    RunNotAccepted, RunSettled, WithdrawalReasonMissing.
    """
    run = Run.objects.select_for_update(of=("self",)).select_related("team", "task__track").get(pk=run.pk)
    is_own = Team.objects.of_member(by).contains(run.team)
    is_organizer = Task.objects.organized_by(by).contains(run.task)
    if not is_own and not is_organizer:
        raise NotOfTeam(f"{run} is a run of {run.team}. Its members and the organizers can withdraw it.")
    if run.state != RunState.ACCEPTED:
        raise RunNotAccepted(f"{run} is {run.get_state_display()}. Only an accepted run can be withdrawn.")
    if not is_organizer and is_settled(run):
        raise RunSettled(
            f"You cannot withdraw {run}: its task has closed, or a pool contains its results. "
            "Ask the organizers to withdraw it, and tell them why."
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
        raise WithdrawalReasonMissing(
            f"On the run's page, give the reason why {run} is withdrawn, in at most {REASON_MAX} characters "
            "without NUL. The leaderboard shows it."
        )
    return words
