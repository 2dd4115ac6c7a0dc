"""Refusals of requests that Django cannot read, or would read wrongly."""

import codecs
from collections.abc import Iterable
from http import HTTPStatus
from typing import IO
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import render
from django.utils.http import parse_header_parameters
from django.views.defaults import bad_request


def refuse_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 413 for a form that is too large, else 400."""
    if isinstance(exception, (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)):
        context = {"most_mebibytes": f"{settings.DATA_UPLOAD_MAX_MEMORY_SIZE / 2**20:g}"}
        return render(request, "413.html", context, status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return bad_request(request, exception)


REFUSALS = {
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: b"Content-Type names another charset than UTF-8. Send UTF-8.\n",
    HTTPStatus.BAD_REQUEST: b"Content-Type cannot be parsed. Send its parameters as name=value.\n",
}


def utf_8_only(application: WSGIApplication) -> WSGIApplication:
    """Return the application with a response of 415 to requests that name a charset other than UTF-8.

    Before any middleware runs, Django decodes URL and form with any codec of Python that the client names.
    Some decode no text (``hex``), some always raise (``undefined``), and some decode to text that cannot be
    encoded again (``unicode_escape``). Django ignores unknown names. It also parses parameters such as
    ``name*0*=utf-8''value``, and raises an exception if they are malformed; here the response is 400.
    """

    def guarded(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        status = _fault_of(environ.get("CONTENT_TYPE", ""))
        if status is None:
            return application(environ, start_response)
        refusal = REFUSALS[status]
        headers = [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(refusal)))]
        start_response(f"{status.value} {status.phrase}", headers)
        return [refusal]

    return guarded


def _fault_of(content_type: str) -> HTTPStatus | None:
    try:
        charset = parse_header_parameters(content_type)[1].get("charset", "utf-8")
    except (ValueError, TypeError):  # TypeError: one parameter has parts with and without a number
        return HTTPStatus.BAD_REQUEST
    try:
        is_other = codecs.lookup(charset).name != "utf-8"
    except UnicodeError:  # an unpaired surrogate, made by a codec
        return HTTPStatus.BAD_REQUEST
    except LookupError:
        return None
    return HTTPStatus.UNSUPPORTED_MEDIA_TYPE if is_other else None


class UploadBrokeOff(UnreadablePostError):
    """The client disconnected before it sent all announced bytes."""


class WholeUploadHandler(FileUploadHandler):
    """Rejects a form that is shorter than its Content-Length.

    Django treats the end of a broken connection as the end of the form, and a partial file as complete.
    """

    def handle_raw_input(
        self,
        input_data: IO[bytes],
        META: dict[str, str],  # noqa: N803 - Django passes it by this name
        content_length: int,
        boundary: str,
        encoding: str | None = None,
    ) -> None:
        """Count the bytes read. Raises UploadBrokeOff if the stream ends early."""
        read, left = input_data.read, content_length

        def counted(size: int = -1, /) -> bytes:
            nonlocal left
            chunk = read(size)
            left -= len(chunk)
            if left > 0 and not chunk:
                raise UploadBrokeOff(f"{left:,} of {content_length:,} bytes are missing.")
            return chunk

        input_data.read = counted  # type: ignore[method-assign]

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Pass the chunk to the handlers that store it."""
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Return None: another handler has the file."""
