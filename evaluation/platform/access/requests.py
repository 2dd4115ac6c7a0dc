"""The type of signed-in requests, and helpers that read parameters and headers."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.forms.forms import BaseForm
from django.http import HttpRequest, QueryDict

from evaluation.platform.access.people import User
from trackside.errors import InputError


@contextmanager
def error_shown(request: HttpRequest) -> Iterator[None]:
    """Show the next page with the message of an InputError, which ends the block."""
    try:
        yield
    except InputError as error:
        messages.error(request, str(error))


@contextmanager
def error_in(form: BaseForm, field: str | None = None) -> Iterator[None]:
    """Add the message of an InputError, which ends the block, to the form or to a field of it."""
    try:
        yield
    except InputError as error:
        form.add_error(field, str(error))


class SignedInRequest(HttpRequest):
    """A request whose user is signed in."""

    user: User


KEY_DIGITS = 18  # every number of 18 digits fits a bigint


def key_in(fields: QueryDict, name: str) -> int:
    """Return the primary key in this field of a form or query string; 0, which no row has, if malformed."""
    return key_of(fields.get(name, ""))


def key_of(text: str) -> int:
    """Return the primary key that the text has, or 0: Python reads no integers of more than 4,300 digits."""
    return int(text) if text.isdecimal() and len(text) <= KEY_DIGITS else 0


def wants_json(request: HttpRequest) -> bool:
    """Return whether the script sent the request; a plain form gets a page."""
    return request.headers.get("Accept") == "application/json"
