"""Middleware that refuses NUL characters in URLs."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase


def without_nul(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer 400 to a NUL in path or query string: PostgreSQL raises an error when a query compares one."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if "\0" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
            words = "The URL contains a NUL character. Remove it.\n"
            return HttpResponse(
                words, status=HTTPStatus.BAD_REQUEST, content_type="text/plain; charset=utf-8"
            )
        return get_response(request)

    return middleware
