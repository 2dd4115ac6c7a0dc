"""Mappings: the frozen rule by which a judge's raw scores become grades."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.models import Pool, User
from judges.core.cuts import Cuts
from judges.core.mapping import QuantileMapping
from judges.models.judge import Judge

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser


FIXED_CUTS = "fixed-cuts"
GRADES = (0, 1, 2)


class MappingQuerySet(models.QuerySet["Mapping"]):
    """Reads of mappings."""

    def visible_to(self, user: User | AnonymousUser) -> MappingQuerySet:
        """Organizers only: those fitted on the pools that one may see."""
        return self.filter(pool__in=Pool.objects.visible_to(user))


class Mapping(models.Model):
    """Thresholds of one judge, fitted on one named pool and applied unchanged ever after.

    ``score_count`` is the number of raw scores they were fitted on, for fixed cuts of those they were set
    for. A new fit is a new version. By `paper-2024` a score equal to the upper threshold gets grade 1, by
    `fixed-cuts` grade 2.
    """

    judge = models.ForeignKey(Judge, models.PROTECT, related_name="mappings")
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="mappings")
    rule = models.CharField(max_length=30)
    version = models.PositiveSmallIntegerField()
    thresholds = ArrayField(models.FloatField(), size=2)
    score_count = models.PositiveIntegerField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    objects = MappingQuerySet.as_manager()

    class Meta:
        ordering = ["judge", "pool", "rule", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["judge", "pool", "rule", "version"], name="mapping_version_once"),
            models.CheckConstraint(
                condition=Q(thresholds__len=2, thresholds__0__lte=models.F("thresholds__1")),
                name="mapping_thresholds_rise",
            ),
            models.CheckConstraint(condition=Q(score_count__gte=1), name="mapping_fitted_on_scores"),
        ]
        triggers = [
            pgtrigger.Protect(name="mappings_are_frozen", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.rule} (version {self.version}), fitted on {self.pool}"

    @property
    def frozen(self) -> QuantileMapping | Cuts:
        """The rule with its thresholds."""
        lower, upper = self.thresholds
        if self.rule == FIXED_CUTS:
            return Cuts(GRADES, (lower, upper), name=self.rule)
        return QuantileMapping((lower, upper), self.score_count, self.rule)
