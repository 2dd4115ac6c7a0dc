"""The states of a job."""

from django.db import models


class JobState(models.TextChoices):
    """A job is planned when its shards are queued, and running from the first claimed shard."""

    PLANNED = "planned", "planned"
    RUNNING = "running", "running"
    COMPLETED = "completed", "completed"
    COMPLETED_WITH_GAPS = "completed_with_gaps", "completed with gaps"
    PAUSED = "paused", "paused"
    STOPPED_BY_BUDGET = "stopped_by_budget", "stopped by budget"
    CANCELLED = "cancelled", "cancelled"


ACTIVE = (JobState.PLANNED, JobState.RUNNING)
HALTED = (JobState.PAUSED, JobState.STOPPED_BY_BUDGET)  # a person resumes or cancels it
UNFINISHED = (*ACTIVE, *HALTED)
COMPLETED = (JobState.COMPLETED, JobState.COMPLETED_WITH_GAPS)
