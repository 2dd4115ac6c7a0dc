"""What all answers of the API have in common, also those that Django gives before or after a view."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from django.http import HttpResponse, StreamingHttpResponse
from django.middleware.http import ConditionalGetMiddleware
from django.utils.cache import patch_vary_headers

from evaluation.api.problems import CONTENT_TYPE, problem

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

ROOT = "/api/"


class ApiAnswers(ConditionalGetMiddleware):
    """Errors are problems, nothing is kept by caches that others read, and a GET has an ETag.

    Every 404 is made anew here, so that no header tells an embargoed thing from an absent one. A HEAD is
    answered as the GET would be, without its content.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Have a HEAD answered by the operation of the GET: ninja knows none of its own."""
        if request.method == "HEAD" and request.path_info.startswith(ROOT):
            request.method = "GET"

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer as a program can read it; 304 where it has it already."""
        if not request.path_info.startswith(ROOT):
            return response
        if response.status_code == HTTPStatus.NOT_FOUND or _is_page(response):
            allowed = response.headers.get("Allow")
            response = problem(response.status_code)
            if allowed:
                response["Allow"] = allowed
        patch_vary_headers(response, ("Authorization",))
        response.headers.setdefault("Cache-Control", "private, no-cache")
        # A file would be left open; whoever sends one looks at If-None-Match before opening it.
        answer = response if response.streaming else super().process_response(request, response)
        if request.META["REQUEST_METHOD"] == "HEAD":
            _empty(answer)
        return answer


def _empty(response: HttpResponseBase) -> None:
    """Take out the content; a file is still closed with the response."""
    if isinstance(response, StreamingHttpResponse):
        response.streaming_content = ()
    elif isinstance(response, HttpResponse):
        response.content = b""


def _is_page(response: HttpResponseBase) -> bool:
    """Whether it is an error as Django tells it to people."""
    return response.status_code >= HTTPStatus.BAD_REQUEST and response["Content-Type"] != CONTENT_TYPE
