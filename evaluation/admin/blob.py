"""Stored bytes and the images made of them, to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html

from evaluation.admin.base import ReadOnlyAdmin
from evaluation.models import Blob, Image

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

LIST_HEIGHT = 48  # pixels


def thumbnail_of(image: Image) -> SafeString:
    """The image's thumbnail as an element."""
    address = reverse("image", args=[image.sha256, "thumbnail"])
    return format_html('<img src="{}" height="{}" alt="" loading="lazy">', address, LIST_HEIGHT)


@admin.register(Blob)
class BlobAdmin(ReadOnlyAdmin):
    """Bytes kept once."""

    list_display = ("sha256", "size", "created_at")
    search_fields = ("sha256",)
    ordering = ("-created_at",)


@admin.register(Image)
class ImageAdmin(ReadOnlyAdmin):
    """Pictures of topics and documents."""

    list_display = ("sha256", "thumbnail", "width", "height", "created_at")
    search_fields = ("sha256",)
    ordering = ("-created_at",)

    @admin.display(description="image")
    def thumbnail(self, image: Image) -> SafeString:
        """The picture, small."""
        return thumbnail_of(image)
