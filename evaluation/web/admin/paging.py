"""Pages of the admin's lists, whose cost does not grow with the table."""

from functools import cached_property
from typing import Any, cast

from django.core.paginator import Paginator
from django.db.models import QuerySet

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
