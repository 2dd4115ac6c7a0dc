"""Keep a picture with the copies that people and models see."""

from __future__ import annotations

import hashlib

from django.core.files.base import ContentFile
from django.db import transaction

from evaluation.actions.store_blob import store_blob
from evaluation.core.images import derivatives
from evaluation.models import Image


@transaction.atomic
def store_image(*, content: bytes) -> Image:
    """Keep a JPEG, PNG or WEBP file and its copies once, under its SHA-256. ImageUnreadable if it is none."""
    sha256 = hashlib.sha256(content).hexdigest()
    known = Image.objects.filter(pk=sha256).first()
    if known:
        return known
    made = derivatives(content)
    image = Image(
        sha256=sha256,
        original=store_blob(file=ContentFile(content)),
        display=store_blob(file=ContentFile(made.display)),
        small=store_blob(file=ContentFile(made.small)),
        thumbnail=store_blob(file=ContentFile(made.thumbnail)),
        width=made.width,
        height=made.height,
    )
    Image.objects.bulk_create([image], ignore_conflicts=True)  # somebody may have stored the same meanwhile
    return image
