"""Lists of the admin that filter only by what they offer themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.admin.exceptions import DisallowedModelAdminLookup
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList

if TYPE_CHECKING:
    from django.http import HttpRequest


class OfferedFilters(ChangeList):
    """A list whose address names only its own filters and the steps of its hierarchy of dates.

    Django takes any lookup of any column. At odd values many of them raise errors in the database, and
    others, such as patterns, take any time.
    """

    def get_filters(self, request: HttpRequest) -> Any:
        """Return what Django returns. Raises DisallowedModelAdminLookup, IncorrectLookupParameters."""
        try:
            found = super().get_filters(request)
        except (OverflowError, ValueError) as error:  # a date that no calendar has, such as the year 10000
            raise IncorrectLookupParameters(error) from error
        _, _, not_used, *_ = found
        if unknown := not_used.keys() - self._bounds_of_date():
            raise DisallowedModelAdminLookup(f"Filtering by {', '.join(sorted(unknown))} not allowed")
        return found

    def _bounds_of_date(self) -> set[str]:
        """Return the names of the two lookups that Django makes of a year, month or day; none without one."""
        if f"{self.date_hierarchy}__year" not in self.params:
            return set()
        return {f"{self.date_hierarchy}__{bound}" for bound in ("gte", "lt")}
