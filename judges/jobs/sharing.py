"""Which shard a judge worker works on next: tracks and people share the workers evenly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Max

from evaluation.work.sharing import served_longest_ago
from judges.jobs.shards import RequestFile, Shard

if TYPE_CHECKING:
    from judges.jobs.models import Job
    from judges.jobs.shards import ShardQuerySet

TRACK = "job__pool__task__track"


TURN_SECONDS = 60  # of a job; then other tracks go first. A shorter turn would be spent on loading models
TASK_SECONDS = 600  # of a job in any case: the queue resends tasks after an hour


def free_shards() -> ShardQuerySet:
    """Return the open shards that no worker has claimed and that wait for no file at an endpoint."""
    return Shard.objects.open().filter(claimed_at__isnull=True).exclude(files__in=RequestFile.objects.open())


def next_shard() -> Shard | None:
    """Return a free shard of the track served longest ago.

    In a track, jobs of the highest priority go first; of equal ones, those of the person served longest ago.
    """
    free = free_shards()
    free = free.filter(**{TRACK: served_longest_ago(free, by=TRACK, at="claimed_at")})
    free = free.filter(job__priority=free.aggregate(most=Max("job__priority"))["most"])
    free = free.filter(job__created_by=served_longest_ago(free, by="job__created_by", at="claimed_at"))
    return free.select_related("job__judge", "job__pool__task").order_by("pk").first()


def must_yield(job: Job, seconds: float) -> bool:
    """Whether a worker that has spent these seconds on the job leaves its further shards for later.

    It does for more urgent jobs of the track, and after its turn for other tracks.
    """
    free, own = free_shards(), {TRACK: job.pool.task.track_id}
    return (
        seconds > TASK_SECONDS
        or free.filter(**own, job__priority__gt=job.priority).exists()
        or (seconds > TURN_SECONDS and free.exclude(**own).exists())
    )
