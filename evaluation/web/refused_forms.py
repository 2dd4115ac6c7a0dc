"""Answers to requests that Django refuses to read."""

from http import HTTPStatus

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import bad_request


def refuse_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 413 for a form that is too large, else 400."""
    if isinstance(exception, (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)):
        context = {"most_mebibytes": f"{settings.DATA_UPLOAD_MAX_MEMORY_SIZE / 2**20:g}"}
        return render(request, "413.html", context, status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return bad_request(request, exception)
