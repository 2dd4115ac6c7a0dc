"""Money: prices, budgets, and the ledger of every request. Amounts are micros, millionths of the currency."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import ClassVar

import pgtrigger
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import F, Q, Sum
from django.db.models.functions import Coalesce, Now

from evaluation.platform.access.people import User
from evaluation.platform.access.schema.tracking import tracked, tracked_fields
from evaluation.tracks.models import Track
from evaluation.tracks.visibility import OrganizedQuerySet, SiteQuerySet
from judges.catalogue.models import Judge
from judges.jobs.models import Job
from judges.jobs.shards import RequestFile, Shard
from trackside.judging.costs import Rates
from trackside.judging.endpoints.clients import spellings
from trackside.judging.judge import Unit


class PriceQuerySet(SiteQuerySet["Price"]):
    """Reads of the price table."""

    def of(self, judge: Judge) -> Price | None:
        """Return the price of a judge's model at its endpoint, else at any endpoint, else None."""
        rows = self.filter(model=judge.model, endpoint__in=["", *spellings(judge.endpoint)])
        return rows.order_by("-endpoint").first()


@tracked
class Price(models.Model):
    """The price of a model's tokens. A job keeps the price of its start."""

    model = models.CharField(max_length=255, help_text="The model's name, as in the settings of judges.")
    endpoint = models.CharField(
        max_length=200,
        blank=True,
        help_text="Base URL of the endpoint. If empty, the prices hold for every endpoint.",
    )
    input_price = models.DecimalField("a million input tokens", max_digits=12, decimal_places=6)
    output_price = models.DecimalField("a million output tokens", max_digits=12, decimal_places=6)
    image_tokens = models.PositiveIntegerField(
        default=1000,
        help_text="The highest number of input tokens billed for an image of the size that judges send.",
    )
    batch_percent = models.PositiveSmallIntegerField(
        default=100,
        help_text="What the endpoint's Batch API charges, in per cent of these prices. OpenAI: 50.",
    )
    changed_at = models.DateTimeField(auto_now=True)

    objects = PriceQuerySet.as_manager()

    class Meta:
        ordering = ["model", "endpoint"]
        constraints = [
            models.UniqueConstraint(fields=["model", "endpoint"], name="price_once_a_model"),
            models.CheckConstraint(
                condition=Q(input_price__gte=0, output_price__gte=0), name="price_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model} {self.endpoint}".strip()

    def rates_for(self, unit: Unit) -> Rates:
        """Return the rates of a judge whose backend has this unit."""
        share = Decimal(self.batch_percent if unit == Unit.BATCH else 100) / 100
        return Rates(self.input_price * share, self.output_price * share, self.image_tokens)


class BudgetQuerySet(models.QuerySet["Budget"]):
    """Reads of budgets."""

    def visible_to(self, user: User | AnonymousUser) -> BudgetQuerySet:
        """Budgets of the tracks that the user organizes and of their jobs."""
        return self.filter(
            Q(track__in=Track.objects.organized_by(user)) | Q(job__in=Job.objects.visible_to(user))
        )

    def of_track(self, track: Track) -> Budget:
        """Return the track's budget; a new one has the site's ceiling until the staff set another."""
        budget, _ = self.get_or_create(
            track=track, defaults={"ceiling_micros": settings.TRACK_CEILING_MICROS}
        )
        return budget

    def over(self, job: Job) -> BudgetQuerySet:
        """The budgets of the job and of its track."""
        track = Track.objects.filter(tasks__pools=job.pool_id)
        return self.filter(Q(job=job) | Q(track__in=track)).order_by("pk")


@tracked_fields("job", "track", "cap_micros", "ceiling_micros", "endpoints", model_name="BudgetEvent")
class Budget(models.Model):
    """The cost limit of a job, or of all jobs of a track. Without a cap and a ceiling it only counts.

    Organizers set the cap. Staff, whose keys pay, set the ceiling of a track; no cap exceeds it. Staff also
    name the endpoints at which the organizers may make judges.

    Money is reserved per shard at the upper bound of its cost, so the spent and the reserved money together
    never exceed the cap.
    """

    job = models.OneToOneField(Job, models.PROTECT, null=True, editable=False, related_name="budget")
    track = models.OneToOneField(
        Track, models.PROTECT, null=True, editable=False, related_name="judge_budget"
    )
    cap_micros = models.PositiveBigIntegerField(null=True, blank=True)
    ceiling_micros = models.PositiveBigIntegerField(null=True, blank=True, editable=False)
    endpoints = models.TextField(blank=True, editable=False)  # base URLs, separated by blanks
    reserved_micros = models.PositiveBigIntegerField(db_default=0, default=0, editable=False)
    spent_micros = models.PositiveBigIntegerField(db_default=0, default=0, editable=False)

    track_path: ClassVar = "job__pool__task__track"  # of changes, for audits

    objects = BudgetQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(job__isnull=True, track__isnull=False) | Q(job__isnull=False, track__isnull=True),
                name="budget_of_a_job_or_a_track",
            ),
            models.CheckConstraint(
                condition=Q(cap_micros__isnull=True)
                | Q(ceiling_micros__isnull=True)
                | Q(cap_micros__lte=F("ceiling_micros")),
                name="budget_cap_up_to_its_ceiling",
            ),
        ]
        triggers = [pgtrigger.Protect(name="budgets_are_never_deleted", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"budget of {self.job or self.track}"


class LedgerEntryQuerySet(OrganizedQuerySet["LedgerEntry"]):
    """Reads of the ledger."""

    def open(self) -> LedgerEntryQuerySet:
        """Requests without a stored response: in flight, or of a worker that died."""
        return self.filter(ended_at__isnull=True)

    def thought_count(self) -> int:
        """Return the tokens of thoughts that were billed."""
        count: int = self.aggregate(count=Coalesce(Sum("thought_tokens"), 0))["count"]
        return count

    def total(self) -> int:
        """Return the cost of the ended requests, in micros."""
        total: int = self.aggregate(total=Coalesce(Sum("cost_micros"), 0))["total"]
        return total


class LedgerEntry(models.Model):
    """One request, stored before it is sent. Once it has ended, ``cost_micros`` is its cost or the bound.

    The id is sent with the request, so that the ledger can be compared with the endpoint's log. ``file`` is
    the file of the request, null if it is sent by itself. ``outcome`` is "lost" or "lost_alone" if the worker
    died before it stored a response: the endpoint may bill it. ``thought_tokens`` are part of the output.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    job = models.ForeignKey(Job, models.PROTECT, related_name="ledger")
    shard = models.ForeignKey(Shard, models.PROTECT, related_name="ledger")
    file = models.ForeignKey(RequestFile, models.PROTECT, null=True, related_name="ledger")
    request_key = models.CharField(max_length=64)
    bound_micros = models.PositiveBigIntegerField()
    cost_micros = models.PositiveBigIntegerField(null=True)
    input_tokens = models.PositiveIntegerField(null=True)
    output_tokens = models.PositiveIntegerField(null=True)
    thought_tokens = models.PositiveIntegerField(null=True)
    outcome = models.CharField(max_length=24, db_default="")
    detail = models.TextField(db_default="", help_text="The endpoint's error message.")
    sent_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    task_path: ClassVar = "job__pool__task"
    objects = LedgerEntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "ledger entries"
        ordering = ["job", "-sent_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, cost_micros__isnull=True, outcome="")
                | (Q(ended_at__isnull=False, cost_micros__isnull=False) & ~Q(outcome="")),
                name="ledger_cost_iff_ended",
            ),
        ]
        indexes = [
            models.Index(fields=["shard"], condition=Q(ended_at__isnull=True), name="ledger_open"),
        ]
        triggers = [
            pgtrigger.Protect(
                name="ended_entries_are_immutable",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__ended_at__isnull=False),
            ),
            pgtrigger.Protect(name="ledger_is_never_deleted", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"ts-{self.id.hex}"
