"""Put topics into a task."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pgtrigger
from django.db import transaction

from evaluation.actions.store_image import store_image
from evaluation.core.items import NewItem, check_items
from evaluation.models import Task, Topic

if TYPE_CHECKING:
    from collections.abc import Iterable


@transaction.atomic
def add_topics(*, task: Task, items: Iterable[NewItem]) -> int:
    """Store the items as topics, all or none, and return their number.

    Raises ItemNameTaken, ItemNameNotOneWord, ItemEmpty, ImageUnreadable.
    """
    new = list(items)
    check_items(new, set(task.topics.values_list("number", flat=True)))
    topics = [
        Topic(
            task=task,
            number=item.name,
            fields=[list(field) for field in item.fields],
            image=None if item.image is None else store_image(content=item.image),
        )
        for item in new
    ]
    with pgtrigger.ignore("evaluation.Topic:insert_insert"):  # they come as one, and are told as one
        return len(Topic.objects.bulk_create(topics))
