"""Change what a team says of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from evaluation.actions.receive_run import NotOfTeam
from evaluation.core.errors import InputError
from evaluation.core.replies import check_replies
from evaluation.models import Run, RunState, SubmissionQuestion, Task, Team

if TYPE_CHECKING:
    from collections.abc import Mapping

    from evaluation.models import User

EDITABLE = (RunState.RECEIVED, RunState.ACCEPTED)


class RunNotEditable(InputError):
    """What is said of a run can be changed until the task closes, and only of a run that counts or may."""


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
    """Replace description, kind and replies; the file and its verdict stay as they are.

    Raises NotOfTeam, RunNotEditable, ReplyMissing, ReplyUnknown.
    """
    run = Run.objects.select_for_update(of=("self",)).select_related("team", "task__track").get(pk=run.pk)
    is_organizer = Task.objects.organized_by(by).contains(run.task)
    if not is_organizer and not Team.objects.of_member(by).contains(run.team):
        raise NotOfTeam(f"{run} is a run of {run.team}. Its members and the organizers can change it.")
    if not may_edit(run):
        raise RunNotEditable(
            f"{run} is {run.get_state_display()}, and its task is open until its close only. "
            "Ask the organizers to change what is said of it."
        )
    run.replies = check_replies(SubmissionQuestion.objects.asked_of(run.task, run.team), replies)
    run.description, run.type = description, type
    run.backbone, run.suggested_family = backbone, suggested_family
    run.save(update_fields=["description", "type", "backbone", "suggested_family", "replies"])
    return run


def may_edit(run: Run) -> bool:
    """Whether what is said of the run can still be changed, by the database's clock."""
    return run.state in EDITABLE and Task.objects.taking_runs_at(Now()).filter(pk=run.task_id).exists()
