"""Middleware that sends the site's Content-Security-Policy."""

from collections.abc import Callable

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

DEBUG_PAGES = (404, 500)  # with DEBUG, Django shows errors with styles of its own


def with_content_policy(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Send one policy with every answer, unless the view has set one.

    django-csp's own middleware builds it twice for each answer, which takes as long as a query.
    """
    policy = build_policy()

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not (settings.DEBUG and response.status_code in DEBUG_PAGES):
            response.headers.setdefault(HEADER, policy)
        return response

    return middleware
