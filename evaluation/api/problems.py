"""What went wrong, as application/problem+json (RFC 9457): where, what, and how to put it right."""

from __future__ import annotations

import json
import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse, UnreadablePostError
from ninja import Schema
from ninja.errors import AuthenticationError, ValidationError
from pydantic import Field

from evaluation.actions.bundle_report import ReportOutdated
from evaluation.actions.receive_run import KeyUsedTwice, NotOfTeam, TaskNotOpen, UploadTooLarge
from evaluation.actions.withdraw_run import RunNotAccepted
from evaluation.core.errors import InputError

if TYPE_CHECKING:
    from django.http import HttpRequest
    from ninja import NinjaAPI

CONTENT_TYPE = "application/problem+json"
CHALLENGE = {"WWW-Authenticate": 'Bearer realm="Trackside"'}


class ScopeMissing(InputError):
    """The token was not made for this."""


class VerdictPending(InputError):
    """The run has not been checked yet."""


STATUSES: dict[type[InputError], HTTPStatus] = {
    NotOfTeam: HTTPStatus.FORBIDDEN,
    ScopeMissing: HTTPStatus.FORBIDDEN,
    KeyUsedTwice: HTTPStatus.CONFLICT,
    ReportOutdated: HTTPStatus.CONFLICT,
    RunNotAccepted: HTTPStatus.CONFLICT,
    TaskNotOpen: HTTPStatus.CONFLICT,
    VerdictPending: HTTPStatus.CONFLICT,
    UploadTooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
}
DETAILS = {
    HTTPStatus.BAD_REQUEST: "The request cannot be read, or broke off. Send it again, whole.",
    HTTPStatus.UNAUTHORIZED: (
        "Send a token: Authorization: Bearer trackside_... Make one on the page /account/tokens/; "
        "one that was sent is unknown, revoked or has run out."
    ),
    HTTPStatus.NOT_FOUND: "There is no such thing, or it is not open to this token.",
    HTTPStatus.METHOD_NOT_ALLOWED: "The header Allow names the methods that this address takes.",
    HTTPStatus.INTERNAL_SERVER_ERROR: (
        "The fault is ours and has been logged. Nothing was half stored; please try again in a minute."
    ),
}


class FieldProblem(Schema):
    """One value that does not fit."""

    where: str
    what: str


class Problem(Schema):
    """What went wrong. ``type`` tells kinds apart for programs, ``detail`` is for people."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldProblem] = Field(default=[], description="Of a 422: each value that does not fit.")


def problem(status: int, *, detail: str = "", kind: str = "about:blank", **more: Any) -> HttpResponse:
    """The answer of a problem. Two of one kind are the same byte for byte, whatever was asked for."""
    status = HTTPStatus(status)
    content = {
        "type": kind,
        "title": status.phrase,
        "status": status.value,
        "detail": detail or DETAILS.get(status, status.description or status.phrase),
    }
    return HttpResponse(
        json.dumps(content | more, ensure_ascii=False),
        status=status,
        content_type=CONTENT_TYPE,
        headers=CHALLENGE if status == HTTPStatus.UNAUTHORIZED else None,
    )


def tell_problems(api: NinjaAPI) -> None:
    """Have the API answer every exception that people can put right with a problem."""
    api.add_exception_handler(InputError, _input_error)
    api.add_exception_handler(ValidationError, _misfit)
    api.add_exception_handler(Http404, lambda *_: problem(HTTPStatus.NOT_FOUND))
    api.add_exception_handler(UnreadablePostError, lambda *_: problem(HTTPStatus.BAD_REQUEST))
    api.add_exception_handler(AuthenticationError, lambda *_: problem(HTTPStatus.UNAUTHORIZED))


def _input_error(_request: HttpRequest, error: Any) -> HttpResponse:
    name = re.sub(r"(?<!^)(?=[A-Z])", "-", type(error).__name__).lower()
    status = STATUSES.get(type(error), HTTPStatus.UNPROCESSABLE_ENTITY)
    return problem(status, detail=str(error), kind=f"urn:trackside:{name}")


def _misfit(_request: HttpRequest, error: Any) -> HttpResponse:
    found = [
        {"where": " ".join(str(part) for part in each["loc"]), "what": each["msg"]} for each in error.errors
    ]
    detail = "; ".join(f"{each['where']}: {each['what']}" for each in found)
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, detail=detail, kind="urn:trackside:misfit", errors=found)
