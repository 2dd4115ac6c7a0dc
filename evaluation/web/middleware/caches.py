"""Middleware that keeps pages of one person out of shared caches, and from the browser's next user."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import has_vary_header, patch_vary_headers


def private_by_default(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Mark answers that depend on the session as private, unless the view says how they are cached.

    Some URLs return only a part of the page to a script, so caches must store page and part separately. The
    answer that ends a session clears the browser's cache; else "Back" would show the person's pages again.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if has_vary_header(response, "Cookie"):
            response.headers.setdefault("Cache-Control", "private")
            patch_vary_headers(response, ("HX-Request",))
        session = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if session is not None and not session.value:
            response.headers["Clear-Site-Data"] = '"cache"'
        return response

    return middleware
