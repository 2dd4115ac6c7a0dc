"""Meters of rate limits: how much of a rate a person, token or address has used."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models.functions import Now

from evaluation.access.people import User


class RateMeterQuerySet(models.QuerySet["RateMeter"]):
    """Queryset of meters."""

    def visible_to(self, user: User | AnonymousUser) -> RateMeterQuerySet:
        """All for the site's staff, none for others: keys contain IP addresses."""
        return self if user.is_superuser else self.none()

    def full(self) -> RateMeterQuerySet:
        """Meters of unused rates: deleting the row changes nothing."""
        return self.filter(full_at__lt=Now())


class RateMeter(models.Model):
    """A token bucket, stored as the time at which it will be full again.

    ``key`` names the rate and the person, token or address, such as "upload:user:7". The table is unlogged:
    a crash of the database empties it, which resets all rates.
    """

    key = models.CharField(max_length=200, primary_key=True, db_collation="C")
    full_at = models.DateTimeField()

    objects = RateMeterQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["full_at"], name="rate_meter_full_at")]

    def __str__(self) -> str:
        return self.key
