"""Rate limits of endpoints, over all workers together."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from evaluation.access.schema.tracking import tracked_fields
from evaluation.tracks.visibility import SiteQuerySet
from judges.catalogue.models import Judge
from trackside.judging.endpoints.clients import spellings


class RateQuerySet(SiteQuerySet["Rate"]):
    """Reads of rates. Keys belong to the site, and so do rates."""

    def of(self, judge: Judge) -> RateQuerySet:
        """The rates that limit a judge's requests, in a fixed order for locking."""
        own = self.filter(endpoint__in=spellings(judge.endpoint), model__in=["", judge.model])
        return own.order_by("pk")


@tracked_fields(
    "endpoint", "model", "requests_per_minute", "tokens_per_minute", "in_flight", model_name="RateEvent"
)
class Rate(models.Model):
    """The limits of an endpoint: requests and tokens per minute, and requests in flight.

    ``requests_free_at`` and ``tokens_free_at`` are the meters' states, in seconds by the database's clock.
    """

    endpoint = models.CharField(max_length=1000, help_text="Base URL, as in the settings of judges.")
    model = models.CharField(
        max_length=255,
        blank=True,
        help_text="If empty, the limit holds for all models of the endpoint together.",
    )
    requests_per_minute = models.PositiveIntegerField(null=True, blank=True)
    tokens_per_minute = models.PositiveIntegerField(null=True, blank=True)
    in_flight = models.PositiveIntegerField(
        "requests in flight, at most",
        null=True,
        blank=True,
        help_text="Of all workers together. A worker has at most 64, or JUDGE_REQUESTS_IN_FLIGHT.",
    )
    requests_free_at = models.FloatField(default=0, editable=False)
    tokens_free_at = models.FloatField(default=0, editable=False)

    objects = RateQuerySet.as_manager()

    class Meta:
        ordering = ["endpoint", "model"]
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "model"], name="rate_once_a_model"),
            models.CheckConstraint(
                condition=(Q(requests_per_minute__isnull=True) | Q(requests_per_minute__gt=0))
                & (Q(tokens_per_minute__isnull=True) | Q(tokens_per_minute__gt=0))
                & (Q(in_flight__isnull=True) | Q(in_flight__gt=0)),
                name="rate_is_above_0",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model} {self.endpoint}".strip()
