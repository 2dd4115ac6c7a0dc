"""Mail teams when a task closes soon, and when its results are released."""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from evaluation.access.people import User
from evaluation.mail.actions import queue_mail, site_link
from evaluation.mail.models import Mail
from evaluation.tracks.models import Task
from evaluation.work.recomputing.actions import ask_results
from trackside.text.time_zones import format_in_zone

SOON = timedelta(hours=48)


@transaction.atomic
def mail_dates() -> None:
    """Queue the mails that are due by the database clock, each once per task and person.

    Queue the report of a newly released task, too. Tasks with ``release_noted_at`` are skipped.
    """
    for task in Task.objects.open_at(Now()).filter(closes_at__lte=Now() + SOON).select_related("track"):
        closes = format_in_zone(task.closes_at, task.time_zone) if task.closes_at else ""
        members = User.objects.filter(memberships__team__track=task.track)
        _mail("task_closing", task, members, closes=closes)
    released = Task.objects.select_for_update(of=("self",), skip_locked=True).released()
    for task in released.filter(release_noted_at__isnull=True).select_related("track"):
        task.release_noted_at = Now()
        task.save(update_fields=["release_noted_at"])
        ask_results(task_id=task.pk)
        teams = task.runs.accepted().values("team")
        _mail("task_released", task, User.objects.filter(memberships__team__in=teams))


def _mail(what: str, task: Task, people: QuerySet[User], **words: str) -> None:
    once = f"{what} {task.pk} "
    known = set(Mail.objects.filter(once__startswith=once).values_list("once", flat=True))
    context = {"task": task, "link": site_link("task_detail", task.track.slug, task.slug), **words}
    for person in people.filter(is_active=True, has_reminders=True).distinct():
        if f"{once}{person.pk}" not in known:
            queue_mail(what=what, to=person.email, context=context, once=f"{once}{person.pk}")
