"""Rows of tables that a migration dropped, kept as JSON: they are evidence, such as signatures."""

from __future__ import annotations

import pgtrigger
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models.functions import Now

from evaluation.platform.access.people import User
from evaluation.tracks.models import Track


class RetiredRowQuerySet(models.QuerySet["RetiredRow"]):
    """Queryset of retired rows."""

    def visible_to(self, user: User | AnonymousUser) -> RetiredRowQuerySet:
        """Rows of the tracks that the person organizes; staff see all, also those of no track."""
        if user.is_superuser:
            return self
        return self.filter(track__in=Track.objects.organized_by(user))


class RetiredRow(models.Model):
    """A row of a dropped table, or one of its audit events, whose table is named ``...event``.

    ``content`` has every column by name. The migration that drops the table writes the rows in its
    transaction, by ``retired_rows``. The track may be gone, as for audit events.
    """

    source = models.CharField("table", max_length=63, db_collation="C")
    track = models.ForeignKey(Track, models.DO_NOTHING, null=True, db_constraint=False, related_name="+")
    content = models.JSONField()
    retired_at = models.DateTimeField(db_default=Now())

    objects = RetiredRowQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        triggers = [
            pgtrigger.Protect(name="a_retired_row_stays", operation=pgtrigger.Update | pgtrigger.Delete)
        ]

    def __str__(self) -> str:
        return f"row of {self.source}"
