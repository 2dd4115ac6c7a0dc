"""Middleware that answers requests that a concurrent request made impossible."""

import logging
from http import HTTPStatus

from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext_lazy
from psycopg import errors

from trackside.errors import InputError

log = logging.getLogger(__name__)

RACES = (errors.UniqueViolation, errors.ForeignKeyViolation, errors.DeadlockDetected)
WORDS = gettext_lazy(
    "Another request changed the same things a moment ago, such as the same form sent twice."
)


class Conflicts(MiddlewareMixin):
    """Middleware that answers 409 if another request changed rows after the view's own checks.

    A view checks a form, then stores it; a constraint or an action refuses it if a concurrent request stored
    something in between. Nothing of this request is stored then.
    """

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return 409 with the reason; None for an error that is no conflict."""
        if isinstance(error, Error) and isinstance(error.__cause__, RACES):
            problem = str(WORDS)
        elif isinstance(error, InputError):
            problem = str(error)
        else:
            return None
        log.warning("A concurrent request came first.", exc_info=error)
        return render(request, "409.html", {"problem": problem}, status=HTTPStatus.CONFLICT)
