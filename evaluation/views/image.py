"""The bytes of an image, for those who may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import FileResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from evaluation.core.images import IMAGE_CONTENT_TYPES
from evaluation.models import Image

if TYPE_CHECKING:
    from django.http import HttpRequest

A_YEAR = 31_536_000  # seconds; what one address names never changes


@require_safe
def image(request: HttpRequest, sha256: str, size: str) -> FileResponse:
    """Send one derivative of an image; the original, which may carry a camera's words, is never sent."""
    images = Image.objects.visible_to(request.user).select_related(size)
    blob = getattr(get_object_or_404(images, sha256=sha256), size)
    return FileResponse(
        blob.open(),
        content_type=IMAGE_CONTENT_TYPES[size],
        headers={
            "Cache-Control": f"private, max-age={A_YEAR}, immutable",
            "Content-Disposition": "inline",
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "X-Content-Type-Options": "nosniff",
        },
    )
