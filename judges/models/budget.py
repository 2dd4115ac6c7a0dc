"""Money: prices, budgets, and the ledger of every request. Amounts are micros, millionths of the currency."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import TYPE_CHECKING

import pgtrigger
from django.db import models
from django.db.models import Exists, Q, Sum
from django.db.models.functions import Coalesce, Now

from evaluation.models import Track
from evaluation.models.tracking import tracked
from judges.core.costs import Rates
from judges.core.endpoints import spellings
from judges.core.judge import Unit
from judges.models.job import Job
from judges.models.request_file import RequestFile
from judges.models.shard import Shard

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from evaluation.models import User
    from judges.models.judge import Judge


class PriceQuerySet(models.QuerySet["Price"]):
    """Reads of the price table."""

    def visible_to(self, user: User | AnonymousUser) -> PriceQuerySet:
        """All of it for whoever organizes some track."""
        return self if user.is_superuser else self.filter(Exists(Track.objects.organized_by(user)))

    def of(self, judge: Judge) -> Price | None:
        """The price of a judge's model at its endpoint, else the model's price at any, else None."""
        rows = self.filter(model=judge.model, endpoint__in=["", *spellings(judge.endpoint)])
        return rows.order_by("-endpoint").first()


@tracked
class Price(models.Model):
    """What a model's tokens cost. A job keeps the price that it was started at."""

    model = models.CharField(max_length=255, help_text="as judges name it")
    endpoint = models.CharField(
        max_length=200, blank=True, help_text="base URL; empty: wherever it is served"
    )
    input_price = models.DecimalField("a million input tokens", max_digits=12, decimal_places=6)
    output_price = models.DecimalField("a million output tokens", max_digits=12, decimal_places=6)
    image_tokens = models.PositiveIntegerField(
        default=1000, help_text="input tokens that an image of 336 px counts as, at most"
    )
    batch_percent = models.PositiveSmallIntegerField(
        default=100, help_text="what the endpoint’s Batch API asks of these prices; 50 at OpenAI"
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
        """The price as costs are counted, of a judge whose backend works on such units."""
        share = Decimal(self.batch_percent if unit == Unit.BATCH else 100) / 100
        return Rates(self.input_price * share, self.output_price * share, self.image_tokens)


class BudgetQuerySet(models.QuerySet["Budget"]):
    """Reads of budgets."""

    def visible_to(self, user: User | AnonymousUser) -> BudgetQuerySet:
        """Those of the tracks that one organizes and of their jobs."""
        return self.filter(
            Q(track__in=Track.objects.organized_by(user)) | Q(job__in=Job.objects.visible_to(user))
        )

    def over(self, job: Job) -> BudgetQuerySet:
        """The job's own budget and its track's."""
        track = Track.objects.filter(tasks__pools=job.pool_id)
        return self.filter(Q(job=job) | Q(track__in=track)).order_by("pk")


class Budget(models.Model):
    """The most that a job, or all jobs of a track, may cost. Without a cap it only counts.

    Money is reserved a shard at a time, for the most that it can cost, so what is spent and what is reserved
    together never pass the cap.
    """

    job = models.OneToOneField(Job, models.PROTECT, null=True, editable=False, related_name="budget")
    track = models.OneToOneField(
        Track, models.PROTECT, null=True, editable=False, related_name="judge_budget"
    )
    cap_micros = models.PositiveBigIntegerField(null=True, blank=True)
    reserved_micros = models.PositiveBigIntegerField(db_default=0, default=0, editable=False)
    spent_micros = models.PositiveBigIntegerField(db_default=0, default=0, editable=False)

    objects = BudgetQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(job__isnull=True, track__isnull=False) | Q(job__isnull=False, track__isnull=True),
                name="budget_of_a_job_or_a_track",
            ),
        ]
        triggers = [pgtrigger.Protect(name="budgets_are_never_deleted", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"budget of {self.job or self.track}"


class LedgerEntryQuerySet(models.QuerySet["LedgerEntry"]):
    """Reads of the ledger."""

    def visible_to(self, user: User | AnonymousUser) -> LedgerEntryQuerySet:
        """Those of the jobs one may see."""
        return self.filter(job__in=Job.objects.visible_to(user))

    def open(self) -> LedgerEntryQuerySet:
        """Requests whose answer has not been stored: under way, or of a worker that died."""
        return self.filter(ended_at__isnull=True)

    def total(self) -> int:
        """What the ended requests cost, in micros."""
        found: int = self.aggregate(total=Coalesce(Sum("cost_micros"), 0))["total"]
        return found


class LedgerEntry(models.Model):
    """One request, written before it is sent. ``cost_micros`` is known, or the bound, once it has ended.

    The id goes along with the request, so that the ledger can be laid beside the endpoint's own log.
    ``file`` is the file that the request is in, null where it is sent by itself. ``outcome`` is "lost" or
    "lost_alone" where the worker died before it stored an answer: the endpoint may bill it.
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
    outcome = models.CharField(max_length=24, db_default="")
    detail = models.TextField(db_default="", help_text="what the endpoint said of a fault")
    sent_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

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
