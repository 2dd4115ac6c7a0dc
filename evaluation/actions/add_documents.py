"""Put documents into a collection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from evaluation.actions.store_image import store_image
from evaluation.core.items import NewItem, check_items
from evaluation.models import Collection, Document

if TYPE_CHECKING:
    from collections.abc import Iterable

BATCH = 1000  # rows a statement


@transaction.atomic
def add_documents(*, collection: Collection, items: Iterable[NewItem]) -> int:
    """Store the items as documents, all or none, and return their number.

    Raises ItemNameTaken, ItemNameNotOneWord, ItemEmpty, ImageUnreadable.
    """
    new = list(items)
    check_items(new, set(collection.documents.values_list("docno", flat=True)))
    documents = [
        Document(
            collection=collection,
            docno=item.name,
            fields=[list(field) for field in item.fields],
            image=None if item.image is None else store_image(content=item.image),
        )
        for item in new
    ]
    return len(Document.objects.bulk_create(documents, BATCH))
