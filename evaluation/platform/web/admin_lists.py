"""Lists and deletions of the admin that stay fast with many rows and odd addresses."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any, cast

from django.contrib.admin.exceptions import DisallowedModelAdminLookup
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import NestedObjects
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db import models
from django.db.models import Model, QuerySet
from django.http import HttpRequest

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


class OfferedFiltersList(ChangeList):
    """A list that accepts only its own filters and date hierarchy as query parameters.

    Django accepts any lookup of any column. With odd values, many lookups raise database errors, and some,
    such as regular expressions, can take unlimited time.
    """

    def get_filters(self, request: HttpRequest) -> Any:
        """Return what Django returns. Raises DisallowedModelAdminLookup, IncorrectLookupParameters."""
        try:
            filters = super().get_filters(request)
        except (OverflowError, ValueError) as error:  # an impossible date, such as the year 10000
            raise IncorrectLookupParameters(error) from error
        _, _, not_used, *_ = filters
        if unknown := not_used.keys() - self._bounds_of_date():
            raise DisallowedModelAdminLookup(f"Filtering by {', '.join(sorted(unknown))} not allowed")
        return filters

    def _bounds_of_date(self) -> set[str]:
        """Return the two lookups that Django derives from a date in the URL; none if the URL has no date."""
        if f"{self.date_hierarchy}__year" not in self.params:
            return set()
        return {f"{self.date_hierarchy}__{bound}" for bound in ("gte", "lt")}


MOST_LISTED = 10_000  # rows of one list; a search or a filter leads to the others


class CappedPaginator(Paginator):  # type: ignore[type-arg]  # Django's own is not generic when the site runs
    """A paginator that counts and shows at most MOST_LISTED rows."""

    @cached_property
    def is_capped(self) -> bool:
        """Whether there are more rows than it shows."""
        return self._counted > MOST_LISTED

    @cached_property
    def count(self) -> int:
        """Return the number of rows that it shows."""
        return min(self._counted, MOST_LISTED)

    @cached_property
    def _counted(self) -> int:
        rows = cast("QuerySet[Any]", self.object_list)
        return rows.order_by()[: MOST_LISTED + 1].count()
