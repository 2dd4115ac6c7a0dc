"""Give an account another name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

if TYPE_CHECKING:
    from evaluation.models import User


@transaction.atomic
def rename_person(*, name: str, by: User) -> User:
    """Let others read the name from now on, where the person acted before, too."""
    by.name = name
    by.save(update_fields=["name"])
    return by
