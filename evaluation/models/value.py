"""Values of measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from evaluation.models.qrels import Qrels
from evaluation.models.run import Run

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from evaluation.models.people import User


class MeasureValueQuerySet(models.QuerySet["MeasureValue"]):
    """Reads of values."""

    def visible_to(self, user: User | AnonymousUser) -> MeasureValueQuerySet:
        """Values of runs one may see under qrels one may see: before the release, organizers only."""
        return self.filter(run__in=Run.objects.visible_to(user), qrels__in=Qrels.objects.visible_to(user))


class MeasureValue(models.Model):
    """One measure of one run under one set of qrels: the mean, and a value for each of ``qrels.topics``.

    A topic the run does not answer counts 0, as trec_eval -c has it; null is an undefined value.
    """

    run = models.ForeignKey(Run, models.PROTECT, related_name="measure_values")
    qrels = models.ForeignKey(Qrels, models.PROTECT, related_name="measure_values")
    measure = models.CharField(max_length=32)
    values = ArrayField(models.FloatField(null=True))
    mean = models.FloatField(null=True)
    code_version = models.CharField(max_length=64)
    computed_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = MeasureValueQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "qrels", "measure"], name="measure_value_once")]

    def __str__(self) -> str:
        return f"{self.measure} of {self.run}"
