"""The bytes of an image, for those who may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import FileResponse, Http404
from django.views.decorators.http import require_safe

from evaluation.core.images import IMAGE_CONTENT_TYPES
from evaluation.models import Blob, Given, Image, Standing, kept

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest

A_YEAR = 31_536_000  # seconds; what one address names never changes


@require_safe
def image(request: HttpRequest, sha256: str, size: str) -> FileResponse:
    """Send one derivative of an image; the original, which may carry a camera's words, is never sent."""
    found = _shown(Standing.of(request.user), size).first(sha256=sha256)
    if found is None:
        raise Http404
    return FileResponse(
        Blob(sha256=found[0]).open(),
        content_type=IMAGE_CONTENT_TYPES[size],
        headers={
            "Cache-Control": f"private, max-age={A_YEAR}, immutable",
            "Content-Disposition": "inline",
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "X-Content-Type-Options": "nosniff",
        },
    )


@kept
def _shown(standing: Standing, size: str) -> QuerySet[Image, tuple[str]]:
    """The key of the derivative's blob; asked with every item that is judged."""
    images = Image.objects.visible_to(standing.anybody())
    return images.filter(sha256=Given("sha256")).values_list(f"{size}_id")
