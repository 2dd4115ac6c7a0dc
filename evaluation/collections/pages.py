"""Download images and topics."""

import logging
from typing import Any

from django.db.models import QuerySet
from django.http import FileResponse, Http404, HttpRequest, StreamingHttpResponse
from django.views.decorators.http import require_safe

from evaluation.access.compiled import Given, compiled
from evaluation.access.people import PermissionKey
from evaluation.collections.blobs import Blob, Image
from evaluation.collections.models import Topic
from evaluation.tracks.lookups import find_task
from evaluation.tracks.models import Task
from trackside.images import IMAGE_CONTENT_TYPES
from trackside.text.json_lines import json_parts

log = logging.getLogger(__name__)

CHUNK = 1_000  # topics
A_YEAR = 31_536_000  # seconds; the content of an image URL never changes


@require_safe
def image(request: HttpRequest, sha256: str, size: str) -> FileResponse:
    """Send one derivative of an image; the original, which may hold camera metadata, is never sent."""
    found = _shown(PermissionKey.of(request.user), size).first(sha256=sha256)
    if found is None:
        raise Http404
    try:
        content = Blob(sha256=found[0]).open()
    except FileNotFoundError as error:  # `manage.py verify` lists such images; the judging screen says so
        log.exception("The bytes of image %s (%s) are missing.", sha256, size)
        raise Http404 from error
    return FileResponse(
        content,
        content_type=IMAGE_CONTENT_TYPES[size],
        headers={
            "Cache-Control": f"private, max-age={A_YEAR}, immutable",
            "Content-Disposition": "inline",
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "X-Content-Type-Options": "nosniff",
        },
    )


@compiled
def _shown(permissions: PermissionKey, size: str) -> QuerySet[Image, tuple[str]]:
    """Return the key of the derivative's blob; compiled, because every judged item runs the query."""
    images = Image.objects.visible_to(permissions.anybody())
    return images.filter(sha256=Given("sha256")).values_list(f"{size}_id")


@require_safe
def topics_file(request: HttpRequest, track: str, task: str) -> StreamingHttpResponse:
    """Send the active topics as JSON lines in the format of imports: id, texts and, if any, a note.

    Organizers also get the strata.
    """
    found = find_task(request, track, task)
    topics = Topic.objects.visible_to(request.user).active().filter(task=found)
    if not topics.exists():
        raise Http404
    has_strata = Task.objects.organized_by(request.user).contains(found)
    more = ("note", "stratum") if has_strata else ("note",)
    rows = topics.values_list("number", "fields", *more).iterator(chunk_size=CHUNK)
    return StreamingHttpResponse(
        json_parts(_record(*row) for row in rows),
        content_type="application/x-ndjson; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{track}-{task}-topics.jsonl"'},
    )


def _record(number: str, fields: list[tuple[str, str]], note: str, stratum: str = "") -> dict[str, Any]:
    record = {"id": number} | {name: text for name, text in fields if name != "id"}
    return record | {name: text for name, text in (("note", note), ("stratum", stratum)) if text}
