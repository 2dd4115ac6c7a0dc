"""Answers to requests that Django refuses to read."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.shortcuts import render
from django.views.defaults import bad_request

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


def refuse_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 413 for a form that is too large, else 400."""
    if isinstance(exception, (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)):
        context = {"most_mebibytes": f"{settings.DATA_UPLOAD_MAX_MEMORY_SIZE / 2**20:g}"}
        return render(request, "413.html", context, status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return bad_request(request, exception)
