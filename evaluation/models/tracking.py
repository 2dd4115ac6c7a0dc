"""Which models have every change of a row kept, with who made it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pghistory

if TYPE_CHECKING:
    from django.db.models import Model

M = TypeVar("M", bound="type[Model]")


def tracked(model: M) -> M:
    """Have the database keep each row of the model as it was added, changed and deleted."""
    keep = pghistory.track(pghistory.InsertEvent(), pghistory.UpdateEvent(), pghistory.DeleteEvent())
    kept: M = keep(model)
    return kept
