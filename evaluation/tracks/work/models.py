"""Base model of queues of long work: the claim, the worker's heartbeat and the count of attempts."""

from datetime import timedelta
from typing import Any, ClassVar, Self, TypeVar, cast

from django.db import models
from django.db.models import F, Max, OuterRef, Q, Subquery
from django.db.models.functions import Now

from evaluation.tracks.visibility import OrganizedQuerySet

LOST_AFTER = timedelta(seconds=30)  # six missed heartbeats: the worker is dead or hangs
MOST_ATTEMPTS = 3  # consecutive claims without a result before the row is parked
UNTAKEN_AFTER = timedelta(minutes=1)  # beat wakes the workers six times in it

M = TypeVar("M", bound="LongWork")


class LongWorkQuerySet(OrganizedQuerySet[M]):
    """Queryset of long work."""

    def pending(self) -> Self:
        """Queued or claimed, and not parked."""
        return self.filter(queued_at__isnull=False, parked_at__isnull=True)

    def waiting(self) -> Self:
        """Queued and not claimed."""
        return self.pending().filter(claim__isnull=True)

    def claimed(self) -> Self:
        """Claimed by a worker, alive or not."""
        return self.filter(claim__isnull=False)

    def lost(self) -> Self:
        """Claimed by a worker that sent no heartbeat for LOST_AFTER."""
        return self.claimed().filter(seen_at__lt=Now() - LOST_AFTER)

    def due(self) -> Self:
        """Waiting, or claimed by a worker that is lost."""
        return self.waiting() | self.lost()

    def are_untaken(self) -> bool:
        """Whether rows were due for UNTAKEN_AFTER in which no worker claimed one, and none is at work."""
        since = Now() - UNTAKEN_AFTER
        taken = self.filter(claimed_at__gte=since) | self.claimed().filter(seen_at__gte=Now() - LOST_AFTER)
        return self.due().filter(queued_at__lt=since).exists() and not taken.exists()

    def parked(self) -> Self:
        """Stopped after MOST_ATTEMPTS, until somebody queues it again."""
        return self.filter(parked_at__isnull=False)

    def in_fair_order(self) -> Self:
        """Order by the last claim of the track, oldest first, then of the person, then by queueing time."""
        ways = {"track_served_at": "task__track", "person_served_at": "queued_by"}
        served = {name: Subquery(self._last_claim(way)) for name, way in ways.items()}
        return self.annotate(**served).order_by(
            *(F(name).asc(nulls_first=True) for name in served), "queued_at", "pk"
        )

    def _last_claim(self, way: str) -> models.QuerySet[Any, Any]:
        rows = self.model.rows().filter(**{way: OuterRef(way)}).order_by().values(way)
        return rows.annotate(at=Max("claimed_at")).values("at")


class LongWork(models.Model):
    """A row whose work takes minutes. The row holds the state; a message in the queue only wakes a worker.

    ``queued_at`` is null while there is nothing to do. ``claim`` identifies one claim of one worker: only its
    holder stores results. ``claimed_at`` stays after the end, to share workers fairly. ``attempt_count``
    counts claims since the last result. ``trouble`` describes how the latest attempt failed. Each kind of
    work has a foreign key ``task``; workers are shared fairly between the tracks of the tasks.
    """

    task_name: ClassVar[str]  # of the Celery task that works on rows of this kind
    waits_for_task_only: ClassVar[bool] = False  # else also for the track's and the person's other rows
    slots: ClassVar[int] = 2  # maximum rows of this kind that one worker holds at a time
    task_id: int

    queued_at = models.DateTimeField(null=True, editable=False)
    queued_by = models.ForeignKey(
        "evaluation.User", models.PROTECT, null=True, editable=False, related_name="+"
    )
    claim = models.UUIDField(null=True, editable=False)
    claimed_at = models.DateTimeField(null=True, editable=False)
    claimed_by = models.CharField("worker", max_length=255, blank=True, editable=False)
    seen_at = models.DateTimeField("heartbeat", null=True, editable=False)
    attempt_count = models.PositiveSmallIntegerField("attempts", default=0, editable=False)
    parked_at = models.DateTimeField(null=True, editable=False)
    trouble = models.TextField(blank=True, editable=False)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(claim__isnull=True)
                | Q(queued_at__isnull=False, claimed_at__isnull=False, seen_at__isnull=False),
                name="%(class)s_claim_is_of_queued_work",
            ),
            models.CheckConstraint(
                condition=Q(parked_at__isnull=True) | Q(claim__isnull=True),
                name="%(class)s_parked_is_unclaimed",
            ),
        ]

    @classmethod
    def rows(cls) -> LongWorkQuerySet[Self]:
        """Return all rows of this kind."""
        return cast("LongWorkQuerySet[Self]", cls._default_manager.all())

    def as_claimed(self) -> LongWorkQuerySet[Self]:
        """Return this row while this claim is valid, else no row."""
        return self.rows().filter(pk=self.pk, claim=self.claim, claim__isnull=False)

    @property
    def kind_name(self) -> str:
        """Return the kind of work in one word, for logs and URLs."""
        return str(self._meta.model_name)

    @property
    def is_waiting(self) -> bool:
        """Whether it waits for a worker."""
        return self.queued_at is not None and self.claim is None and self.parked_at is None

    @property
    def is_parked(self) -> bool:
        """Whether the work was stopped after MOST_ATTEMPTS, until somebody queues it again."""
        return self.parked_at is not None
