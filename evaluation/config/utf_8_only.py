"""Rejects requests in charsets other than UTF-8 before Django decodes them."""

from __future__ import annotations

import codecs
from http import HTTPStatus
from typing import TYPE_CHECKING

from django.utils.http import parse_header_parameters

if TYPE_CHECKING:
    from collections.abc import Iterable
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

REFUSAL = b"Content-Type names another charset than UTF-8. Send UTF-8.\n"


def utf_8_only(application: WSGIApplication) -> WSGIApplication:
    """Return the application with a response of 415 to requests that name a charset other than UTF-8.

    Before any middleware runs, Django decodes URL and form with any codec of Python that the client names.
    Some decode no text (``hex``), some always raise (``undefined``), and some decode text that cannot be
    encoded again (``unicode_escape``). Django ignores names of no codec.
    """

    def guarded(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not _names_other_charset(environ.get("CONTENT_TYPE", "")):
            return application(environ, start_response)
        status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        headers = [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(REFUSAL)))]
        start_response(f"{status.value} {status.phrase}", headers)
        return [REFUSAL]

    return guarded


def _names_other_charset(content_type: str) -> bool:
    charset = parse_header_parameters(content_type)[1].get("charset", "utf-8")
    try:
        return codecs.lookup(charset).name != "utf-8"
    except LookupError:
        return False
