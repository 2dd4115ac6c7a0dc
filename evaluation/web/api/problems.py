"""Errors as application/problem+json (RFC 9457): where, what, and how to fix it."""

import json
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, ValidationError
from pydantic import Field

from evaluation.access.limits.rates import TooManyRequests
from trackside.errors import InputError

CONTENT_TYPE = "application/problem+json"
CHALLENGE = {"WWW-Authenticate": 'Bearer realm="Trackside"'}


class ScopeMissing(InputError):
    """The token lacks the scope that the operation requires."""

    status = 403


DETAILS = {
    HTTPStatus.BAD_REQUEST: "The request cannot be read, or is incomplete. Send the whole request again.",
    HTTPStatus.UNAUTHORIZED: (
        "Send a token: Authorization: Bearer trackside_... Make one on the page /account/tokens/; "
        "the token that was sent, if any, is unknown, revoked or expired."
    ),
    HTTPStatus.NOT_FOUND: "It does not exist, or this token may not see it.",
    HTTPStatus.METHOD_NOT_ALLOWED: "The header Allow names the methods that this URL supports.",
    HTTPStatus.INTERNAL_SERVER_ERROR: (
        "The site failed and has logged the error. Nothing was stored in part. Try again in a minute."
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        "The site's database does not answer or is busy, or its storage is full or does not answer. Try "
        "again after the seconds in Retry-After."
    ),
}


class FieldProblem(Schema):
    """One invalid value."""

    where: str
    what: str


class Problem(Schema):
    """An error. Programs read ``type``, people read ``detail``."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldProblem] = Field(default=[], description="For a 422: each invalid value.")


def problem(status: int, *, detail: str = "", kind: str = "about:blank", **more: Any) -> HttpResponse:
    """Return a problem response. Equal arguments give equal bytes, so a 404 does not reveal why."""
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


def answer_with_problems(api: NinjaAPI) -> None:
    """Register exception handlers that return problem responses."""
    api.add_exception_handler(InputError, _input_error)
    api.add_exception_handler(ValidationError, _validation_error)
    api.add_exception_handler(Http404, lambda *_: problem(HTTPStatus.NOT_FOUND))
    api.add_exception_handler(UnreadablePostError, lambda *_: problem(HTTPStatus.BAD_REQUEST))
    api.add_exception_handler(AuthenticationError, lambda *_: problem(HTTPStatus.UNAUTHORIZED))


def _input_error(_request: HttpRequest, error: Any) -> HttpResponse:
    answer = problem(error.status, detail=str(error), kind=f"urn:trackside:{error.code}")
    if isinstance(error, TooManyRequests):
        answer["Retry-After"] = str(error.retry_after)
    return answer


def _validation_error(_request: HttpRequest, error: Any) -> HttpResponse:
    faults = [
        {"where": " ".join(str(part) for part in row["loc"]), "what": row["msg"]} for row in error.errors
    ]
    detail = "; ".join(f"{row['where']}: {row['what']}" for row in faults)
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, detail=detail, kind="urn:trackside:misfit", errors=faults)
