"""The request of a view behind ``login_required``, and what requests name and ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest

if TYPE_CHECKING:
    from django.http import QueryDict

    from evaluation.access.people import User


class SignedInRequest(HttpRequest):
    """A request whose user is signed in."""

    user: User


KEY_DIGITS = 18  # at most in a bigint, whatever the digits


def key_in(given: QueryDict, name: str) -> int:
    """Return the primary key that a form or a query string names, or 0, which no row has.

    Python parses no integer of more than 4,300 digits.
    """
    text = given.get(name, "")
    return int(text) if text.isdecimal() and len(text) <= KEY_DIGITS else 0


def wants_json(request: HttpRequest) -> bool:
    """Return whether the script sent the request; a plain form gets a page."""
    return request.headers.get("Accept") == "application/json"
