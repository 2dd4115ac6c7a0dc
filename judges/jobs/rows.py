"""The caps of budgets, which organizers change."""

from django.db.models import Q, QuerySet
from django.urls import reverse

from evaluation.access.people import User
from evaluation.setup.rows import RowTable, register_rows
from evaluation.tracks.models import Track
from judges.jobs.budgets import set_cap
from judges.jobs.forms import CapForm
from judges.jobs.money import Budget


def budgets_of(track: Track) -> QuerySet[Budget]:
    """Return the budgets of the track and of its jobs."""
    budgets = Budget.objects.filter(Q(track=track) | Q(job__pool__task__track=track))
    return budgets.select_related("track", "job__judge", "job__pool__task__track")


def page_of(budget: Budget) -> str:
    """Return the address of the job, or of the judges of the track's first task."""
    if budget.job:
        task = budget.job.pool.task
        return reverse("job_detail", args=[task.track.slug, task.slug, budget.job.pk])
    first_task = budget.track.tasks.order_by("pk").first() if budget.track else None
    if first_task:
        return reverse("setup_judges", args=[first_task.track.slug, first_task.slug])
    return reverse("home")


def register() -> None:
    """Register the table. Called when Django starts."""

    def save(form: CapForm, by: User) -> None:
        set_cap(budget=form.instance, cap_micros=form.cleaned_data["cap"], by=by)

    register_rows(RowTable("budget", budgets_of, page_of, CapForm, save))
