"""Canaries: the standing set of pairs with instructions in them, and their pictures on this site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pgtrigger
from django.db import models
from django.db.models import Exists

from evaluation.models import Image, Track

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from evaluation.models import User


class CanaryImageQuerySet(models.QuerySet["CanaryImage"]):
    """Reads of canaries' pictures."""

    def visible_to(self, user: User | AnonymousUser) -> CanaryImageQuerySet:
        """All of them for whoever organizes some track."""
        return self if user.is_superuser else self.filter(Exists(Track.objects.organized_by(user)))


class CanaryImage(models.Model):
    """The picture of a canary, painted once: another library may draw its letters in other bytes."""

    name = models.CharField(max_length=60, unique=True, help_text="of the canary")
    image = models.ForeignKey(Image, models.PROTECT, related_name="+")

    objects = CanaryImageQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        triggers = [
            pgtrigger.Protect(name="canary_images_are_kept", operation=pgtrigger.Update | pgtrigger.Delete)
        ]

    def __str__(self) -> str:
        return self.name
