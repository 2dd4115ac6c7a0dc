"""Middleware that compresses pages with gzip."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

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
