"""Pause a job."""

from __future__ import annotations

from evaluation.core.errors import InputError
from evaluation.models import User
from judges.actions.halt_job import halt_job
from judges.models import Job, JobState


class NothingToPause(InputError):
    """The job is not at work."""


def pause_job(*, job: Job, by: User) -> None:
    """Let workers store what is under way and ask no more. Raises NothingToPause."""
    if not halt_job(job=job, state=JobState.PAUSED, note=f"Paused by {by}."):
        raise NothingToPause(f"{job}: only a job at work can be paused.")
