"""The type of signed-in requests, and helpers that read parameters and headers."""

from django.http import HttpRequest, QueryDict

from evaluation.access.people import User


class SignedInRequest(HttpRequest):
    """A request whose user is signed in."""

    user: User


KEY_DIGITS = 18  # every number of 18 digits fits a bigint


def key_in(given: QueryDict, name: str) -> int:
    """Return the primary key in this field of a form or query string; 0, which no row has, if malformed."""
    return key_of(given.get(name, ""))


def key_of(text: str) -> int:
    """Return the primary key that the text has, or 0: Python reads no integers of more than 4,300 digits."""
    return int(text) if text.isdecimal() and len(text) <= KEY_DIGITS else 0


def wants_json(request: HttpRequest) -> bool:
    """Return whether the script sent the request; a plain form gets a page."""
    return request.headers.get("Accept") == "application/json"
