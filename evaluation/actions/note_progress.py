"""Let an import's page see how far it is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from django.db import transaction
from django.db.models.functions import Now

from evaluation.models import Import

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Thing = TypeVar("Thing")
EVERY = 1.0  # seconds


def note_progress(things: Iterable[Thing], *, task_import: Import) -> Iterator[Thing]:
    """The same things; how many have gone by is stored once a second, and that the worker lives."""
    told = time.monotonic()
    count = 0
    for count, thing in enumerate(things, start=1):
        yield thing
        if time.monotonic() - told >= EVERY:
            _tell(task_import, count)
            told = time.monotonic()
    _tell(task_import, count)


def _tell(task_import: Import, count: int) -> None:
    transaction.get_connection().ensure_connection()
    Import.objects.filter(pk=task_import.pk).update(seen_count=count, seen_at=Now())
