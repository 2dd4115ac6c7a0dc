"""Helpers of API operations: URLs, pagination, and file responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ninja import Schema
from pydantic import Field

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

TRACK = "/tracks/{slug:track}"
TASK = f"{TRACK}/tasks/{{slug:task}}"


def file_of(content_type: str) -> dict[str, Any]:
    """Return the OpenAPI entry of an operation that returns a file of this content type."""
    content = {content_type: {"schema": {"type": "string", "format": "binary"}}}
    return {"responses": {200: {"description": "The file", "content": content}}}


FILE_OF_IMAGE = file_of("image/webp")
FILE_OF_LINES = file_of("text/plain")
FILE_OF_BYTES = file_of("application/octet-stream")
FILE_OF_ZIP = file_of("application/zip")


T = TypeVar("T")
MOST = 1000


class Window(Schema):
    """The page of a list."""

    limit: int = Field(100, ge=1, le=MOST, description="Maximum number of items to return.")
    offset: int = Field(0, ge=0, lt=2**31, description="Number of items to skip.")


class Page(Schema, Generic[T]):
    """One page of a list, and the length of the whole list. The header Link names the adjacent pages."""

    count: int
    items: list[T]


def page_of(
    rows: QuerySet[Any], window: Window, request: HttpRequest, response: HttpResponse
) -> dict[str, Any]:
    """Return one page of the rows as a ``Page``; the rows must be totally ordered."""
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
