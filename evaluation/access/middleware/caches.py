"""Middleware that keeps pages of one person out of shared caches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.cache import has_vary_header, patch_vary_headers

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase


def private_by_default(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Mark answers that depend on the session as private, unless the view says how they are cached.

    Some URLs send a script a part of the page, so a cached copy of one cannot replace the other.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if has_vary_header(response, "Cookie"):
            response.headers.setdefault("Cache-Control", "private")
            patch_vary_headers(response, ("HX-Request",))
        return response

    return middleware
