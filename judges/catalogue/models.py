"""Judges: models with everything that decides their answers; rate limits of their endpoints."""

from __future__ import annotations

from dataclasses import fields
from pathlib import PurePath

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.platform.access.people import User
from evaluation.platform.access.schema.tracking import tracked, tracked_fields
from evaluation.tracks.models import TaskKind, Track
from evaluation.tracks.visibility import OwnedQuerySet, SiteQuerySet
from trackside.backends.registry import backend_class
from trackside.judging.endpoints.clients import spellings
from trackside.judging.examples import example_topics
from trackside.judging.forms import ANSWER_HELP
from trackside.judging.judge import Unit
from trackside.judging.settings import Settings

OF_TRACKS = ("ensemble", "imported")  # backends whose judges derive from one track's results
DEFAULT_MAX_TOKENS = 64  # of an answer, for backends that set none


class JudgeQuerySet(OwnedQuerySet["Judge"]):
    """Reads of judges."""

    def ending(self) -> JudgeQuerySet:
        """Judges whose model has a shutdown date, the earliest first."""
        return self.filter(shutdown_on__isnull=False).order_by("shutdown_on", "name")

    def in_use(self) -> JudgeQuerySet:
        """Judges that may start new jobs."""
        return self.filter(retired_at__isnull=True)


@tracked
class Judge(models.Model):
    """A model that judges. Immutable: a changed setting makes a new judge.

    A judge belongs to a track, or to the site: then staff created it and every organizer may use it.
    Ensembles and imported scores derive from a track's results, so they belong to that track.

    The fields from ``backend`` to ``answer`` are those of ``trackside.judging.settings.Settings``.
    """

    track = models.ForeignKey(
        Track,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="judges",
        help_text="Empty: the whole site.",
    )
    name = models.SlugField(max_length=60)
    backend = models.CharField(max_length=30)
    revision = models.PositiveSmallIntegerField(
        help_text="Revision of the backend, raised when its answers change."
    )
    model = models.CharField(max_length=255, help_text="A name on the Hugging Face hub, or a folder.")
    model_revision = models.CharField(max_length=64, help_text="Commit of the hub, or digest of the folder.")
    dtype = models.CharField(max_length=16)
    prompt = models.TextField(blank=True)
    text_fields = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    image_size = models.CharField(max_length=16)
    long_text = models.CharField(max_length=16)
    decoding = models.JSONField(default=dict, blank=True)
    seed = models.PositiveBigIntegerField(default=0)
    endpoint = models.CharField(
        max_length=1000, blank=True, help_text="Base URL of a judge that others serve."
    )
    answer = models.CharField(
        max_length=200, blank=True, help_text=f"Form of answer that the prompt asks for. {ANSWER_HELP}"
    )
    identity_sha256 = models.CharField(max_length=64, db_index=True, editable=False)
    task_kinds = ArrayField(models.CharField(max_length=16, choices=TaskKind))
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+", editable=False)
    retired_at = models.DateTimeField(null=True, blank=True, editable=False)
    shutdown_on = models.DateField(
        null=True, editable=False, help_text="When the model's endpoint will shut it down, as announced."
    )

    self_test = models.TextField(
        blank=True, editable=False, help_text="What the model did when it was loaded last, in one sentence."
    )

    objects = JudgeQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["track", "name"], nulls_distinct=False, name="judge_name_once"),
            models.UniqueConstraint(
                fields=["track", "identity_sha256"], nulls_distinct=False, name="judge_identity_once"
            ),
            models.CheckConstraint(
                condition=~Q(backend__in=OF_TRACKS) | Q(track__isnull=False),
                name="judge_made_of_results_has_a_track",
            ),
            models.CheckConstraint(condition=~Q(task_kinds=[]), name="judge_accepts_some_task_kind"),
            models.CheckConstraint(
                condition=Q(identity_sha256__regex=r"^[0-9a-f]{64}$"), name="judge_identity_is_sha256"
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="judges_are_immutable", exclude=["retired_at", "shutdown_on", "self_test"]
            ),
            pgtrigger.Protect(name="judges_are_never_deleted", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def model_name(self) -> str:
        """The model's name for display: for a folder on the server only its last part."""
        path = PurePath(self.model)
        return path.name if path.is_absolute() else self.model

    @property
    def max_tokens(self) -> int:
        """The most tokens that an answer may have: the bound of its cost follows from it."""
        limit = self.decoding.get("max_completion_tokens") or self.decoding.get("max_tokens")
        return limit or DEFAULT_MAX_TOKENS

    @property
    def unit(self) -> Unit:
        """The unit of work of the judge's backend."""
        return backend_class(self.backend).unit

    @property
    def example_topics(self) -> tuple[str, ...]:
        """The topics of which the prompt shows people's grades: no comparison includes them."""
        return example_topics(self.prompt)

    @property
    def settings(self) -> Settings:
        """The settings that decide the answers, for the backends."""
        columns = {field.name: getattr(self, field.name) for field in fields(Settings)}
        return Settings(**columns | {"text_fields": tuple(self.text_fields)})


class RateQuerySet(SiteQuerySet["Rate"]):
    """Reads of rates. Keys belong to the site, and so do rates."""

    def of(self, judge: Judge) -> RateQuerySet:
        """The rates that limit a judge's requests, in a fixed order for locking."""
        rates = self.filter(endpoint__in=spellings(judge.endpoint), model__in=["", judge.model])
        return rates.order_by("pk")


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
