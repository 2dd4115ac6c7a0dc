"""Compares blobs, qrels and judged texts with their recorded hashes."""

import hashlib
from collections.abc import Iterator
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery

from assessment.models.judgment import Judgment
from evaluation.collections.blobs import Blob
from evaluation.collections.models import Document, Topic
from evaluation.collections.storing import sha256_of
from evaluation.results.qrels.models import Qrels
from trackside.text.hashes import text_sha256, topic_sha256


def differences() -> Iterator[str]:
    """Yield one line for each object that does not match its hash."""
    yield from damaged_blobs()
    yield from changed_qrels()
    yield from changed_topics()
    yield from changed_documents()


def damaged_blobs() -> Iterator[str]:
    """Yield a line for each blob whose bytes are missing or changed."""
    for blob in Blob.objects.order_by("pk").iterator():
        try:
            with blob.open() as file:
                sha256 = sha256_of(file)
        except FileNotFoundError:
            yield f"blob {blob.pk}: its bytes are missing"
            continue
        if sha256 != blob.pk:
            yield f"blob {blob.pk}: its bytes have the hash {sha256}"


def changed_qrels() -> Iterator[str]:
    """Yield a line for each set of qrels whose pairs differ from the published file."""
    for qrels in Qrels.objects.select_related("task__track").order_by("pk").iterator():
        digest, count = hashlib.sha256(), 0
        for count, line in enumerate(qrels.lines(), start=1):  # noqa: B007 - used after the loop
            digest.update(line.encode())
        if digest.hexdigest() != qrels.sha256 or count != qrels.graded_count:
            yield (
                f"qrels {qrels.pk} ({qrels} of {qrels.task}): {count} grades with the hash "
                f"{digest.hexdigest()}, but {qrels.graded_count} with {qrels.sha256} are recorded"
            )


def changed_topics() -> Iterator[str]:
    """Yield a line for each topic whose texts or image differ from those that people judged."""
    topics = Topic.objects.filter(task=OuterRef("task"), number=OuterRef("topic"))
    rows = _judged("topic_sha256", "task", "topic").annotate(now=Subquery(topics.values("pk")[:1]))
    for task, number, recorded, key in rows.values_list("task", "topic", "topic_sha256", "now").iterator():
        topic = Topic.objects.filter(pk=key).first()
        if topic is None:
            yield f"topic {number} of task {task}: it was judged and is missing"
        elif topic_sha256(topic.fields, topic.image_id, topic.more_images) != recorded:
            yield f"topic {number} of task {task}: its texts or image are not those that were judged"


def changed_documents() -> Iterator[str]:
    """Yield a line for each document whose texts or image differ from those that people judged."""
    documents = Document.objects.filter(collection=OuterRef("task__collection"), docno=OuterRef("docno"))
    rows = _judged("text_sha256", "task", "docno", "image_sha256").annotate(
        now=Subquery(documents.values("pk")[:1])
    )
    names = ("task", "docno", "image_sha256", "text_sha256", "now")
    for task, docno, image, recorded, key in rows.values_list(*names).iterator():
        item = Document.objects.filter(pk=key).first()
        if item is None:
            yield f"document {docno} of task {task}: it was judged and is missing"
        elif (text_sha256(item.fields, item.more_images), item.image_id or "") != (recorded, image):
            yield f"document {docno} of task {task}: its texts or image are not those that were judged"


def _judged(recorded: str, *names: str) -> QuerySet[Any, Any]:
    """Return the distinct hashes in judgments with grades or reasons; an undo has none."""
    events = Judgment.objects.filter(~Q(**{recorded: ""}), undoes__isnull=True)
    rows: QuerySet[Any, Any] = events.order_by(*names, recorded).values(*names, recorded).distinct()
    return rows
