"""Values of measures."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from evaluation.platform.access.people import User
from evaluation.results.qrels.models import Qrels
from evaluation.submissions.runs.models import Run


class MeasureValueQuerySet(models.QuerySet["MeasureValue"]):
    """Queryset of values."""

    def visible_to(self, user: User | AnonymousUser) -> MeasureValueQuerySet:
        """Values of visible runs under visible qrels: before the release for organizers only."""
        return self.filter(run__in=Run.objects.visible_to(user), qrels__in=Qrels.objects.visible_to(user))


class MeasureValue(models.Model):
    """One measure of one run under one set of qrels: the mean, and a value for each of ``qrels.topics``.

    A topic without results counts 0, as in trec_eval -c; null is an undefined value.
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
