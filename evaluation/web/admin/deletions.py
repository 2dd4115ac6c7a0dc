"""Find the rows that a deletion in the admin would delete, and those that forbid it, within limits."""

from collections.abc import Iterable
from typing import Any

from django.contrib.admin.utils import NestedObjects
from django.db import models
from django.db.models import Model, QuerySet

MOST_NAMED = 100  # maximum rows that the page of a deletion lists one by one; above, it shows counts
MOST_DELETED = 2_000  # maximum rows of one model that a deletion may cascade to; more are refused
LIMITS: dict[Any, int] = {
    models.CASCADE: MOST_DELETED,
    models.PROTECT: MOST_NAMED,
    models.RESTRICT: MOST_NAMED,
}


def plural_of(model: type[Model]) -> str:
    """Return the name of the model's rows."""
    return str(model._meta.verbose_name_plural)  # noqa: SLF001 - Django's documented way


class LimitedObjects(NestedObjects):
    """Collects the rows that a deletion cascades to, and those that forbid it.

    If a model has more than MOST_DELETED rows to delete, or more than MOST_NAMED rows that forbid it, such as
    the judgments of a task, they are counted and not loaded: ``uncollected`` has a line for the model.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.uncollected: list[str] = []

    def related_objects(
        self, related_model: type[Model], related_fields: Iterable[Any], objs: Any
    ) -> QuerySet[Any]:
        """Return the rows that refer to these; none if there are too many."""
        (field,) = related_fields
        rows = super().related_objects(related_model, [field], objs)
        limit = LIMITS.get(field.remote_field.on_delete)
        if limit is None or (count := rows.select_related(None).count()) <= limit:
            return rows
        self.uncollected.append(f"{plural_of(related_model)}: {count:,}")
        return rows.none()
