"""Download images, topics and documents."""

import logging
from collections.abc import Iterator

from django.db.models import QuerySet
from django.http import FileResponse, Http404, HttpRequest, StreamingHttpResponse
from django.views.decorators.http import require_safe

from evaluation.collections.blobs import Blob, Image
from evaluation.collections.files import (
    CHUNK,
    PART,
    corpus_lines,
    count_parts,
    docno_lines,
    document_lines,
    item_record,
    pictured_records,
    pictures_zip,
)
from evaluation.collections.models import Document, Topic
from evaluation.platform.access.compiled import Given, compiled
from evaluation.platform.access.people import PermissionKey, organizes
from evaluation.tracks.lookups import find_explored_task, find_task
from evaluation.tracks.models import Task
from trackside.images import IMAGE_CONTENT_TYPES
from trackside.text.json_lines import json_parts

log = logging.getLogger(__name__)

A_YEAR = 31_536_000  # seconds; the content of an image URL never changes


@require_safe
def image(request: HttpRequest, sha256: str, size: str) -> FileResponse:
    """Send one derivative of an image; the original, which may hold camera metadata, is in zips alone."""
    row = _shown(PermissionKey.of(request.user), size).first(sha256=sha256)
    if row is None:
        raise Http404
    try:
        content = Blob(sha256=row[0]).open()
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

    Organizers also get the strata, and everybody once the task is released.
    """
    track_task = find_task(request, track, task)
    topics = Topic.objects.visible_to(request.user).active().filter(task=track_task)
    if not topics.exists():
        raise Http404
    has_strata = _has_strata(request, track_task)
    names = ("note", "stratum") if has_strata else ("note",)
    rows = topics.values_list("number", "fields", *names).iterator(chunk_size=CHUNK)
    records = (
        item_record(number, fields, **dict(zip(names, more, strict=True))) for number, fields, *more in rows
    )
    return _stream(json_parts(records), LINES, f"{track}-{task}-topics.jsonl")


def _has_strata(request: HttpRequest, task: Task) -> bool:
    return task.has_open_results or organizes(request.user, task.track_id)


LINES, ZIP = "application/x-ndjson; charset=utf-8", "application/zip"


@require_safe
def topics_zip(request: HttpRequest, track: str, task: str) -> StreamingHttpResponse:
    """Send the pictures of the active topics as imported, with their texts, in the format of imports."""
    track_task = find_task(request, track, task)
    topics = Topic.objects.visible_to(request.user).active().filter(task=track_task, image__isnull=False)
    if not topics.exists():
        raise Http404
    more = ("stratum",) if _has_strata(request, track_task) else ()
    records = pictured_records(topics.order_by("number"), "number", *more)
    return _stream(pictures_zip(records, "topics.jsonl"), ZIP, f"{track}-{task}-topics.zip")


@require_safe
def docnos_file(request: HttpRequest, track: str, task: str) -> StreamingHttpResponse:
    """Send the docnos of the task's corpus or collection, one per line; imports of docnos read the file."""
    track_task = find_explored_task(request, track, task)
    documents = Document.objects.filter(collection=track_task.collection_id)
    lines = corpus_lines(track_task.corpus) if track_task.corpus else docno_lines(documents)
    return _stream(lines, "text/plain; charset=utf-8", f"{track}-{task}-docnos.txt")


@require_safe
def documents_file(request: HttpRequest, track: str, task: str) -> StreamingHttpResponse:
    """Send the texts of the documents as JSON lines, if the organizers share them."""
    lines = document_lines(_shared_documents(request, track, task))
    return _stream(lines, LINES, f"{track}-{task}-documents.jsonl")


@require_safe
def documents_zip(request: HttpRequest, track: str, task: str, part: int) -> StreamingHttpResponse:
    """Send the pictures of one part of the documents as imported, with their texts, if they are shared."""
    documents = _shared_documents(request, track, task).order_by("docno")
    if not 0 < part <= count_parts(documents):
        raise Http404
    records = pictured_records(documents[PART * (part - 1) : PART * part], "docno")
    return _stream(pictures_zip(records, "documents.jsonl"), ZIP, f"{track}-{task}-documents-{part}.zip")


def _shared_documents(request: HttpRequest, track: str, task: str) -> QuerySet[Document]:
    track_task = find_explored_task(request, track, task)
    if not track_task.collection.is_shared:
        raise Http404
    return Document.objects.filter(collection=track_task.collection_id)


def _stream(parts: Iterator[str] | Iterator[bytes], content_type: str, name: str) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        parts,
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
