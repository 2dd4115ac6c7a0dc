"""Add documents and topics, find documents without content, delete collections."""

from collections.abc import Iterable, Iterator

import pgtrigger
from django.db import connection, transaction

from evaluation.collections.blobs import Image
from evaluation.collections.models import Collection, Document, Topic
from evaluation.collections.storing import store_images
from evaluation.tracks.models import Task, TaskKind
from trackside.errors import InputError
from trackside.items import NewItem, check_items

BATCH = 1000  # rows per statement


@transaction.atomic
def add_documents(*, collection: Collection, items: Iterable[NewItem]) -> int:
    """Store the items as documents, all or none, and return the number of documents.

    Raises item-name-taken, item-name-not-one-word, item-empty, ImageUnreadable.
    """
    documents = [
        Document(collection=collection, docno=name, fields=fields, image=image)
        for name, fields, image in _checked(items, collection.documents.values_list("docno", flat=True))
    ]
    with pgtrigger.ignore("evaluation.Document:insert_insert"):  # an import is one audited row
        return len(Document.objects.bulk_create(documents, BATCH))


@transaction.atomic
def add_topics(*, task: Task, items: Iterable[NewItem]) -> int:
    """Store the items as topics, all or none, and return the number of topics.

    Raises item-name-taken, item-name-not-one-word, item-empty, ImageUnreadable.
    """
    topics = [
        Topic(task=task, number=name, fields=fields, image=image)
        for name, fields, image in _checked(items, task.topics.values_list("number", flat=True))
    ]
    with pgtrigger.ignore("evaluation.Topic:insert_insert"):  # one audited row, as above
        return len(Topic.objects.bulk_create(topics))


def _checked(
    items: Iterable[NewItem], taken: Iterable[str]
) -> Iterator[tuple[str, list[list[str]], Image | None]]:
    """Check the items and store their images; yield name, fields and image of each."""
    new = list(items)
    check_items(new, set(taken))
    images = iter(store_images(contents=[item.image for item in new if item.image is not None]))
    for item in new:
        fields = [list(field) for field in item.fields]
        yield item.name, fields, None if item.image is None else next(images)


DOCUMENTS = Document._meta.db_table  # noqa: SLF001 - Django's documented way to a table's name


@transaction.atomic
def delete_collection(*, collection: Collection) -> int:
    """Delete the collection with its documents, and return their number.

    One statement deletes all documents; the audit trail records only the deletion of the collection.
    Raises collection-in-use.
    """
    collection = Collection.objects.select_for_update().get(pk=collection.pk)
    if task := collection.tasks.select_related("track").first():
        raise InputError(
            f"{collection} is the collection of {task}. Delete the task first, or keep both.",
            code="collection-in-use",
        )
    with pgtrigger.ignore("evaluation.Document:delete_delete"), connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {DOCUMENTS} WHERE collection_id = %s", [collection.pk])  # noqa: S608 - our own table
        count = int(cursor.rowcount)
    collection.delete()
    return count


DOCNO_BATCH = 10_000  # docnos per query


def find_bare(*, task: Task, docnos: Iterable[str]) -> tuple[set[str], set[str]]:
    """Return which documents of the task's collection have no content, and which lack what is graded.

    Documents without any content are in both.
    """
    documents = Document.objects.filter(collection=task.collection_id)
    empty: set[str] = set()
    bare: set[str] = set()
    distinct = sorted(set(docnos))
    for start in range(0, len(distinct), DOCNO_BATCH):
        part = documents.filter(docno__in=distinct[start : start + DOCNO_BATCH])
        empty.update(part.without_content().values_list("docno", flat=True))
        bare.update(part.without_what_is_shown(TaskKind(task.kind)).values_list("docno", flat=True))
    return empty, bare
