"""Long lists, a page at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ninja import Schema
from pydantic import Field

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

T = TypeVar("T")
MOST = 1000


class Window(Schema):
    """Which part of a list is wanted."""

    limit: int = Field(100, ge=1, le=MOST, description="So many at most.")
    offset: int = Field(0, ge=0, lt=2**31, description="So many are passed over.")


class Page(Schema, Generic[T]):
    """A part of a list, and how long all of it is. The header Link names its neighbours."""

    count: int
    items: list[T]


def page_of(
    rows: QuerySet[Any], window: Window, request: HttpRequest, response: HttpResponse
) -> dict[str, Any]:
    """The part of the rows, which have an order that leaves nothing open, as a ``Page``."""
    count = rows.count()
    response["Link"] = ", ".join(_links(request, window, count))
    return {"count": count, "items": list(rows[window.offset : window.offset + window.limit])}


def _links(request: HttpRequest, window: Window, count: int) -> list[str]:
    last = max(count - 1, 0) // window.limit * window.limit
    places = {"first": 0, "last": last}
    if window.offset > 0:
        places["prev"] = max(window.offset - window.limit, 0)
    if window.offset + window.limit < count:
        places["next"] = window.offset + window.limit
    return [f'<{_address(request, window.limit, place)}>; rel="{name}"' for name, place in places.items()]


def _address(request: HttpRequest, limit: int, offset: int) -> str:
    asked = request.GET.copy()
    asked["limit"], asked["offset"] = str(limit), str(offset)
    return f"{request.path}?{asked.urlencode()}"
