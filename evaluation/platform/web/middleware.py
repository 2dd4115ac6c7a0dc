"""Middleware: answers of the API, caches, compression, conflicts, malformed requests, the second factor."""

import logging
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.middleware.http import ConditionalGetMiddleware
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import has_vary_header, patch_vary_headers
from django.utils.datastructures import MultiValueDict
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext_lazy
from psycopg import errors

from evaluation.platform.web.api.problems import CONTENT_TYPE, problem
from trackside.errors import InputError

ROOT = "/api/"


class ApiAnswers(ConditionalGetMiddleware):
    """Send errors as problem+json, forbid shared caching, and add an ETag to each GET.

    Every 404 is replaced by a fresh response, so that no header distinguishes an embargoed object from a
    missing one. A HEAD request gets the headers of the GET without its content.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Route a HEAD request to the GET operation: ninja has no HEAD operations."""
        if request.method == "HEAD" and request.path_info.startswith(ROOT):
            request.method = "GET"

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the response with errors as problem+json; 304 if the client's copy is current."""
        if not request.path_info.startswith(ROOT):
            return response
        if response.status_code == HTTPStatus.NOT_FOUND or _is_page(response):
            kept = {name: response[name] for name in ("Allow", "Retry-After") if name in response.headers}
            response = problem(response.status_code)
            for name, value in kept.items():
                response[name] = value
        patch_vary_headers(response, ("Authorization",))
        response.headers.setdefault("Cache-Control", "private, no-cache")
        # super() would leave the file of a 304 open; views of files check If-None-Match before they open one.
        answer = response if response.streaming else super().process_response(request, response)
        if request.META["REQUEST_METHOD"] == "HEAD":
            _empty(answer)
        return answer


def _empty(response: HttpResponseBase) -> None:
    """Remove the content; a file is still closed with the response."""
    if isinstance(response, StreamingHttpResponse):
        response.streaming_content = ()
    elif isinstance(response, HttpResponse):
        response.content = b""


def _is_page(response: HttpResponseBase) -> bool:
    """Whether it is one of Django's HTML error pages."""
    return response.status_code >= HTTPStatus.BAD_REQUEST and response["Content-Type"] != CONTENT_TYPE


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


# Not the API's JSON, because its HEAD and 304 would have other headers than the GET.
TEXTS = ("text/", "application/javascript", "image/svg+xml")


class PageCompression(GZipMiddleware):
    """Compress texts that are in memory: pages and tables.

    Downloads are streamed and keep their length. Django adds a random number of bytes to each response, so
    its length reveals nothing about secrets on the page (BREACH).
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress the response if it is a text and not streamed."""
        if response.streaming or not response.get("Content-Type", "").startswith(TEXTS):
            return response
        return super().process_response(request, response)


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


def with_sound_parts(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer 400 to a form with a part whose parameters are ``a*0=b; a*=c``.

    Python's parser of headers raises TypeError for it, which Django does not expect. Forms are parsed when
    the first view or middleware reads them, and django-pghistory replaces the request's class before that.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.content_type == "multipart/form-data":
            parse = request.parse_file_upload

            def parse_or_refuse(
                META: Mapping[str, Any],  # noqa: N803 - Django's name
                post_data: Any,
            ) -> tuple[QueryDict, MultiValueDict[str, Any]]:
                try:
                    return parse(META, post_data)
                except TypeError as error:
                    raise MultiPartParserError("The header of a part cannot be parsed.") from error

            request.parse_file_upload = parse_or_refuse  # type: ignore[method-assign]
        return get_response(request)

    return middleware


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


# What somebody needs on the way to a second factor: to prove who they are, and to leave.
ALLOWED = {
    "account",
    "account_change_password",
    "account_email_verification_sent",
    "account_logout",
    "account_reauthenticate",
    "account_set_password",
    "health",
    "language_change",
    "live",
    "metrics",
    "ready",
}
ALLOWED_STARTS = ("mfa_",)
ALLOWED_ENDS = ("_login", "_callback")  # of providers, who may prove it, too


class SecondFactorRequired(MiddlewareMixin):
    """Middleware that redirects sessions of staff and organizers who have no second factor.

    The API ignores sessions. Tokens are made on a page that is not allowed without a second factor.
    """

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """Return the redirect; None for everybody else, and on the way to a second factor."""
        if not settings.IS_SECOND_FACTOR_REQUIRED or _is_allowed(request):
            return None
        if not request.user.is_authenticated or not request.user.is_staff or is_mfa_enabled(request.user):
            return None
        return redirect(reverse("mfa_index", query={"required": "yes"}))


def _is_allowed(request: HttpRequest) -> bool:
    name = (request.resolver_match.url_name if request.resolver_match else None) or ""
    return (
        request.path.startswith("/api/")
        or name in ALLOWED
        or name.startswith(ALLOWED_STARTS)
        or name.endswith(ALLOWED_ENDS)
    )
