"""What somebody who graded an item had seen of it."""

from django.db import models
from django.db.models import Q


class Seen(models.TextChoices):
    """How much of the item was seen. Of a part the grade says less."""

    WHOLE = "whole", "the whole item"
    PART = "part", "a part: a snippet on a wall, or what the prompt shows"


class SeenFields(models.Model):
    """Columns of a grade: the SHA-256 of the whole item as shown, and how much of it was seen.

    Both are empty if they are not known: of earlier releases, files, undos and gaps.
    """

    shown_sha256 = models.CharField(
        max_length=64, blank=True, default="", db_default="", db_collation="C", editable=False
    )
    seen = models.CharField(max_length=5, choices=Seen, blank=True, default="", db_default="", editable=False)

    class Meta:
        abstract = True


def seen_of_what_is_shown(noun: str) -> models.CheckConstraint:
    """Return the constraint that a grade has both columns or neither."""
    return models.CheckConstraint(
        condition=Q(shown_sha256="", seen="")
        | Q(shown_sha256__regex=r"^[0-9a-f]{64}$", seen__in=Seen.values),
        name=f"{noun}_seen_iff_shown",
    )
