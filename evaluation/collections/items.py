"""What topics and documents have in common."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from evaluation.collections.blobs import Image
from evaluation.tracks.models import TaskQuerySet


class Item(models.Model):
    """Base of topics and documents.

    ``fields`` is a list of ``[name, text]`` pairs in reading order.
    """

    fields = models.JSONField(default=list, blank=True)
    image = models.ForeignKey(Image, models.PROTECT, null=True, blank=True, related_name="+", db_index=False)
    version = models.PositiveIntegerField(
        db_default=1, default=1, editable=False, help_text="Increased by each change of texts or image."
    )
    frozen_at = models.DateTimeField(
        null=True,
        editable=False,
        help_text="When it was first judged. Texts and image cannot change afterwards.",
    )

    class Meta:
        abstract = True

    @property
    def is_frozen(self) -> bool:
        """Whether texts and image are immutable, by the database clock: the item is judged or released."""
        return self.frozen_at is not None or self.released_tasks().exists()

    def released_tasks(self) -> TaskQuerySet:
        """Return the tasks that use the item and that are or were released."""
        raise NotImplementedError

    def text_of(self, *names: str) -> str:
        """Return the texts of the named fields in this order, or of all fields, joined by blanks."""
        texts = dict(self.fields)
        chosen = names or tuple(texts)
        return " ".join(texts[name] for name in chosen if texts.get(name))

    @property
    def summary(self) -> str:
        """All texts in one line, separated by middle dots: for lists, not for models."""
        return " · ".join(text for _, text in self.fields if text.strip())


def with_image(noun: str) -> models.Index:
    """Return an index of the items with an image only: most collections of texts have none."""
    return models.Index(fields=["image"], condition=Q(image__isnull=False), name=f"{noun}_with_image")
