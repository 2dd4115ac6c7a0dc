"""Content-addressed bytes in the default storage, and the images made of them."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import IO

import pgtrigger
from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.core.files.storage import default_storage
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from evaluation.platform.access.people import User


class BlobQuerySet(models.QuerySet["Blob"]):
    """Queryset of blobs."""

    def visible_to(self, user: User | AnonymousUser) -> BlobQuerySet:
        """Blobs of images, uploaded runs and imports that the person may see."""
        images = Image.objects.visible_to(user)
        ways = Q(pk__in=[])
        for model in ("Run", "Import"):  # their modules import this one
            came_as = apps.get_model("evaluation", model).objects.visible_to(user)
            ways |= Q(pk__in=came_as.values("upload"))
        for size in IMAGE_SIZES:
            ways |= Q(pk__in=images.values(size))
        return self.filter(ways)


class Blob(models.Model):
    """Bytes stored once, under their SHA-256, in the default storage; a row means they are complete."""

    sha256 = models.CharField(max_length=64, primary_key=True, db_collation="C")
    size = models.PositiveBigIntegerField(help_text="Bytes.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = BlobQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(sha256__regex=r"^[0-9a-f]{64}$"), name="blob_key_is_sha256")
        ]
        triggers = [pgtrigger.Protect(name="blobs_are_immutable", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return self.sha256[:12]

    @property
    def path(self) -> str:
        """Return the path of the bytes in the storage."""
        return f"{self.sha256[:2]}/{self.sha256}"

    def open(self) -> IO[bytes]:
        """Open the bytes as a file; the caller closes it. Raises FileNotFoundError if they are missing."""
        return default_storage.open(self.path, "rb")

    def read(self) -> bytes:
        """Return all the bytes."""
        with self.open() as file:
            return file.read()


IMAGE_SIZES = ("original", "display", "small", "thumbnail")
LOOK = ["gradients", "colours"]  # what near-duplicates share
IMAGE_OWNERS = ("Document", "Topic", "Picture")  # the models that point to images


class ImageQuerySet(models.QuerySet["Image"]):
    """Queryset of images."""

    def visible_to(self, user: User | AnonymousUser) -> ImageQuerySet:
        """Images of the documents, topics and guidelines that the person may see."""
        # Not `pk__in`: for one image PostgreSQL would read every document.
        models_with_images = (apps.get_model("evaluation", name) for name in IMAGE_OWNERS)
        owners = [model.objects.visible_to(user) for model in models_with_images]
        ways = [owner.filter(image=OuterRef("pk")) for owner in owners]
        several = ~Q(more_images=[]) & Q(more_images__contains=[OuterRef("pk")])  # as the index has it
        items = [owner for owner in owners if hasattr(owner.model, "more_images")]
        ways += [item.filter(several) for item in items]
        return self.filter(reduce(or_, map(Exists, ways)))


class Image(models.Model):
    """A picture, identified by the SHA-256 of its bytes: the uploaded ones, or, of a light picture without a
    background, those of a PNG on mid grey.

    Derivatives are rotated by EXIF, composited on white and re-encoded: ``display`` (up to 2,048 px per side,
    long pictures more), ``small`` (shorter side 336 px, the input of models) and ``thumbnail`` (longer side
    160 px).
    """

    sha256 = models.CharField(max_length=64, primary_key=True, db_collation="C")
    original = models.ForeignKey(Blob, models.PROTECT, related_name="+")
    display = models.ForeignKey(Blob, models.PROTECT, related_name="+")
    small = models.ForeignKey(Blob, models.PROTECT, related_name="+")
    thumbnail = models.ForeignKey(Blob, models.PROTECT, related_name="+")
    width = models.PositiveIntegerField(help_text="Pixels of the original after rotation.")
    height = models.PositiveIntegerField(help_text="Pixels of the original after rotation.")
    gradients = models.BigIntegerField(
        null=True,
        editable=False,
        help_text="A perceptual hash: near-duplicates differ in few of its 64 bits. Empty: not comparable.",
    )
    colours = models.BinaryField(
        null=True,
        help_text="Mean red, green and blue of 8 x 8 parts, which near-duplicates have, too; of no part if "
        "the stored copies cannot be read.",
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ImageQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["sha256"], condition=Q(colours__isnull=True), name="image_without_a_look")
        ]
        triggers = [
            pgtrigger.ReadOnly(name="images_are_immutable", exclude=LOOK),
            pgtrigger.Protect(
                name="looks_are_immutable",
                operation=pgtrigger.UpdateOf(*LOOK),
                condition=pgtrigger.Q(old__colours__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.sha256[:12]
