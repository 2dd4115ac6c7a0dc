"""Tell a team what became of its upload."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.actions.queue_mail import queue_mail, site_link
from evaluation.models import RunState, User

if TYPE_CHECKING:
    from evaluation.models import Run


def mail_verdict(*, run: Run) -> None:
    """Mail each member of the run's team that it is rejected, accepted, or has taken another one's place."""
    what = "run_rejected" if run.state == RunState.REJECTED else "run_accepted"
    if run.replaces:
        what = "run_replaced"
    context = {"run": run, "link": site_link("run_detail", run.task.track.slug, run.task.slug, run.pk)}
    for member in User.objects.filter(is_active=True, memberships__team=run.team).distinct():
        queue_mail(what=what, to=member.email, context=context)
