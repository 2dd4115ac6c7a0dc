"""Statuses of JSON answers to the script of a judging surface."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.http import HttpRequest

LOCKED = 423  # WebDAV's status for a resource that cannot be changed now: the script tries again
REFUSED = 409  # the script discards the event


def wants_json(request: HttpRequest) -> bool:
    """Return whether the script sent the request; a plain form expects a page."""
    return request.headers.get("Accept") == "application/json"
