"""Tell by mail how a job went."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import send_mail
from django.urls import reverse

from judges.core.costs import amount
from judges.models import Job


def mail_job(*, job_id: int) -> None:
    """Mail whoever started the job its state, outcomes and cost; nothing while it is at work.

    A second mail may come where a worker died after sending the first.
    """
    job = Job.objects.select_related("judge", "created_by", "pool__task__track").get(pk=job_id)
    if job.is_active:
        return
    task = job.pool.task
    path = reverse("job_detail", args=[task.track.slug, task.slug, job.pk])
    lines = [
        f"The job of {job.judge} on {job.pool} is {job.get_state_display()}.",
        *([job.note] if job.note else []),
        *(f"{outcome}: {count:,}" for outcome, count in job.outcome_counts().items()),
        f"Cost: {amount(job.ledger.all().total())}",
        f"{settings.SITE_URL}{path}",
    ]
    subject = f"{job.judge} on {job.pool.name}: {job.get_state_display()}"
    send_mail(subject, "\n".join(lines), None, [job.created_by.email])
