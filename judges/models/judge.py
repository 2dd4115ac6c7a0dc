"""Judges: models with everything that decides their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Exists, Q
from django.db.models.functions import Now

from evaluation.models import TaskKind, Track, User
from evaluation.models.tracking import tracked
from judges.core.judge import Unit
from judges.core.settings import Settings
from judges.registry import backend_class

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser


class JudgeQuerySet(models.QuerySet["Judge"]):
    """Reads of judges."""

    def visible_to(self, user: User | AnonymousUser) -> JudgeQuerySet:
        """All of them for whoever organizes some track: judges belong to the site."""
        return self if user.is_superuser else self.filter(Exists(Track.objects.organized_by(user)))

    def ending(self) -> JudgeQuerySet:
        """Those whose model will be shut down, or has been, the next one first."""
        return self.filter(shutdown_on__isnull=False).order_by("shutdown_on", "name")

    def in_use(self) -> JudgeQuerySet:
        """Judges that may start new jobs."""
        return self.filter(retired_at__isnull=True)


@tracked
class Judge(models.Model):
    """A model as an assessor. Immutable: another setting makes another judge.

    The fields from ``backend`` to ``answer`` are those of ``judges.core.settings.Settings``.
    """

    name = models.SlugField(max_length=60, unique=True)
    backend = models.CharField(max_length=30)
    revision = models.PositiveSmallIntegerField(help_text="of the backend, raised when its answers change")
    model = models.CharField(max_length=255, help_text="a name on the Hugging Face hub, or a folder")
    model_revision = models.CharField(max_length=64, help_text="commit of the hub, or digest of the folder")
    dtype = models.CharField(max_length=16)
    prompt = models.TextField(blank=True)
    text_fields = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    image_size = models.CharField(max_length=16)
    long_text = models.CharField(max_length=16)
    decoding = models.JSONField(default=dict, blank=True)
    seed = models.PositiveBigIntegerField(default=0)
    endpoint = models.CharField(
        max_length=1000, blank=True, help_text="base URL of a judge that others serve"
    )
    answer = models.CharField(max_length=40, blank=True, help_text="form of answer that the prompt asks for")
    identity_sha256 = models.CharField(max_length=64, unique=True, editable=False)
    task_kinds = ArrayField(models.CharField(max_length=16, choices=TaskKind))
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+", editable=False)
    retired_at = models.DateTimeField(null=True, blank=True, editable=False)
    shutdown_on = models.DateField(
        null=True, editable=False, help_text="when the model's endpoint will serve it no more, as it tells"
    )

    objects = JudgeQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=~Q(task_kinds=[]), name="judge_accepts_some_task_kind"),
            models.CheckConstraint(
                condition=Q(identity_sha256__regex=r"^[0-9a-f]{64}$"), name="judge_identity_is_sha256"
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(name="judges_are_immutable", exclude=["retired_at", "shutdown_on"]),
            pgtrigger.Protect(name="judges_are_never_deleted", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def unit(self) -> Unit:
        """What the judge's backend works on."""
        return backend_class(self.backend).unit

    @property
    def settings(self) -> Settings:
        """What decides the answers, as the backends read it."""
        return Settings(
            backend=self.backend,
            revision=self.revision,
            model=self.model,
            model_revision=self.model_revision,
            dtype=self.dtype,
            prompt=self.prompt,
            text_fields=tuple(self.text_fields),
            image_size=self.image_size,
            long_text=self.long_text,
            decoding=self.decoding,
            seed=self.seed,
            endpoint=self.endpoint,
            answer=self.answer,
        )
