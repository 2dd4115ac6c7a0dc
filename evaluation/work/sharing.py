"""Fair shares of workers: those who were served longest ago come first."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.db.models import Max, Min

if TYPE_CHECKING:
    from django.db.models import QuerySet

NEVER = datetime.min.replace(tzinfo=UTC)


def served_longest_ago(waiting: QuerySet[Any], *, by: str, at: str) -> Any:
    """Return which track or person, by the lookup ``by``, comes next; None if no row waits.

    It is the one whose rows, waiting or not, have the oldest latest ``at``; before all, one without any. Of
    several the one whose row waits longest.
    """
    firsts = waiting.order_by().values(by).annotate(first=Min("pk")).order_by("first")
    found = list(firsts.values_list(by, flat=True))
    if len(found) < 2:
        return found[0] if found else None
    rows = waiting.model._default_manager.filter(**{f"{by}__in": found, f"{at}__isnull": False})  # noqa: SLF001 - Django's documented name
    latest = dict(rows.order_by().values_list(by).annotate(Max(at)))
    return min(found, key=lambda each: latest.get(each, NEVER))
