"""Admin lists that accept only the filters that they offer."""

from typing import Any

from django.contrib.admin.exceptions import DisallowedModelAdminLookup
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest


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
