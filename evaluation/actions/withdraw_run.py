"""Take a run out of its task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from evaluation.actions.enqueue import enqueue
from evaluation.actions.receive_run import NotOfTeam
from evaluation.core.errors import InputError
from evaluation.models import Run, RunState, Task, Team

if TYPE_CHECKING:
    from evaluation.models import User


class RunNotAccepted(InputError):
    """Only an accepted run counts, so only that can be withdrawn."""


@transaction.atomic
def withdraw_run(*, run: Run, by: User) -> Run:
    """Let an accepted run count no longer; its page, file and tag stay. Raises NotOfTeam, RunNotAccepted."""
    run = Run.objects.select_for_update(of=("self",)).select_related("team", "task__track").get(pk=run.pk)
    is_own = Team.objects.of_member(by).contains(run.team)
    if not is_own and not Task.objects.organized_by(by).contains(run.task):
        raise NotOfTeam(f"{run} is a run of {run.team}. Its members and the organizers can withdraw it.")
    if run.state != RunState.ACCEPTED:
        raise RunNotAccepted(f"{run} is {run.get_state_display()}. Only an accepted run can be withdrawn.")
    run.state = RunState.WITHDRAWN
    run.save(update_fields=["state"])
    enqueue("evaluation.compute_report", run.task_id)
    return run
