"""Switch reminders on or off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

if TYPE_CHECKING:
    from evaluation.models import User


@transaction.atomic
def switch_reminders(*, by: User) -> User:
    """Mail the person when tasks close soon and when results are released, or no longer."""
    by.has_reminders = not by.has_reminders
    by.save(update_fields=["has_reminders"])
    return by
