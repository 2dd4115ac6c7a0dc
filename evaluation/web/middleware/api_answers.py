"""Middleware for all API responses, including those that Django creates outside a view."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware
from django.utils.cache import patch_vary_headers

from evaluation.web.api.problems import CONTENT_TYPE, problem

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
