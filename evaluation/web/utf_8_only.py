"""Rejects requests whose Content-Type Django cannot decode or parse, before Django sees them."""

import codecs
from collections.abc import Iterable
from http import HTTPStatus
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.utils.http import parse_header_parameters

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
