"""What topics and documents have in common."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from evaluation.collections.blobs import Image
from evaluation.tracks.models import TaskQuerySet
from trackside.text.items_shown import ItemShown, show_item
from trackside.text.roles import Roles


class Item(models.Model):
    """Base of topics and documents.

    ``fields`` is a list of ``[name, text]`` pairs in reading order. ``image`` is the first of its images.
    """

    fields = models.JSONField(default=list, blank=True)
    image = models.ForeignKey(Image, models.PROTECT, null=True, blank=True, related_name="+", db_index=False)
    more_images = ArrayField(
        models.CharField(max_length=64, db_collation="C"),
        default=list,
        db_default=[],
        editable=False,
        help_text="Keys of its further images, in order.",
    )
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
        """Whether texts and images are immutable, by the database clock: the item is judged or released."""
        return self.frozen_at is not None or self.released_tasks().exists()

    def released_tasks(self) -> TaskQuerySet:
        """Return the tasks that use the item and that are or were released."""
        raise NotImplementedError

    @cached_property
    def images(self) -> list[Image]:
        """All its images in order; ``load_images`` reads those of many items at once."""
        load_images([self])
        return self.images

    @property
    def image_count(self) -> int:
        """The number of its images."""
        return bool(self.image_id) + len(self.more_images)

    def shown(self, roles: Roles) -> ItemShown:
        """Return the item as every page and every prompt shows it."""
        first = [self.image_id] if self.image_id else []
        return show_item(self.fields, roles, [*first, *self.more_images])

    def text_of(self, *names: str) -> str:
        """Return the texts of the named fields in this order, or of all fields, joined by blanks."""
        texts = dict(self.fields)
        chosen = names or tuple(texts)
        return " ".join(texts[name] for name in chosen if texts.get(name))

    @property
    def summary(self) -> str:
        """All texts in one line, separated by middle dots: for lists, not for models."""
        return " · ".join(text for _, text in show_item(self.fields).texts)


def load_images(items: Iterable[Item]) -> None:
    """Fill ``images`` of the items by one query. Their ``image`` should be selected with them."""
    loaded = list(items)
    more = Image.objects.in_bulk({key for item in loaded for key in item.more_images})
    for item in loaded:
        first = [] if item.image is None else [item.image]
        item.images = [*first, *(more[key] for key in item.more_images)]


def indexes_of_images(noun: str) -> list[models.Index]:
    """Return indexes of the items with images only: most collections of texts have none."""
    return [
        models.Index(fields=["image"], condition=Q(image__isnull=False), name=f"{noun}_with_image"),
        GinIndex(fields=["more_images"], condition=~Q(more_images=[]), name=f"{noun}_with_images"),
    ]


def first_before_more(noun: str) -> models.CheckConstraint:
    """Return the constraint that an item without a first image has no further ones."""
    return models.CheckConstraint(
        condition=Q(image__isnull=False) | Q(more_images=[]), name=f"{noun}_has_first_image"
    )
