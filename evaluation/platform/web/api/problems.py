"""Errors as application/problem+json (RFC 9457), and how the API describes and checks what it reads."""

import json
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, ValidationError
from pydantic import Field

from evaluation.platform.access.limits.rates import TooManyRequests
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


SCHEMAS = "#/components/schemas/"
MULTIPART, FORM = "multipart/form-data", "application/x-www-form-urlencoded"
READ_TOO = {FORM: (FORM, MULTIPART)}  # Django reads a form without a file in both encodings
ERRORS = {
    400: "The request cannot be parsed, or its body is incomplete.",
    401: "There is no usable token.",
    403: "The token or the person may not do this.",
    404: "It does not exist, or this token may not see it.",
    409: "The state of the track, task or object does not allow it, or another request was first.",
    413: "The body is too large.",
    415: "The body has another content type than the operation reads.",
    422: "A value is invalid, missing or unknown; `errors` names each.",
    429: "Too many requests; Retry-After gives the seconds to wait.",
    503: "It is being made; Retry-After, if sent, gives the seconds to wait.",
}
OF_ALL, OF_CHANGES = {401, 403, 429}, {400, 409, 413, 415, 422}
FINDS_FIRST = {
    "import_fields"
}  # operations that say whether their object exists before they check the fields
OF_SOME = {"run_verdict": {409}, "report_bundle": {409, 503}}  # by operation


def describe_errors(schema: dict[str, Any]) -> None:
    """Add to the OpenAPI schema the statuses with which each operation can fail, and a problem as default."""
    problem = Problem.model_json_schema(ref_template=SCHEMAS + "{model}")
    schema["components"]["schemas"] |= problem.pop("$defs") | {"Problem": problem}
    content = {CONTENT_TYPE: {"schema": {"$ref": f"{SCHEMAS}Problem"}}}
    schema["components"]["responses"] = {
        f"Problem{status}": {"description": text, "content": content} for status, text in ERRORS.items()
    }
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            for parameter in operation["parameters"]:
                if parameter["in"] == "header":  # ninja writes the name of the argument
                    parameter["name"] = parameter["name"].replace("_", "-").title()
            for status in sorted(_statuses(path, method, operation)):
                operation["responses"][status] = {"$ref": f"#/components/responses/Problem{status}"}
            operation["responses"]["default"] = {"description": "A problem", "content": content}


def _statuses(path: str, method: str, operation: Mapping[str, Any]) -> set[int]:
    statuses = OF_ALL | OF_SOME.get(operation["operationId"], set())
    if "{" in path:
        statuses.add(404)
    if method != "get":
        statuses |= OF_CHANGES
    if any(part["in"] == "query" or "enum" in part["schema"] for part in operation["parameters"]):
        statuses.add(422)
    return statuses


def check_body(request: HttpRequest, schema: Mapping[str, Any]) -> None:
    """Compare a request's body with the description of its operation, before its values are read.

    Raises content-type-refused for a body that the operation does not read, and ValidationError that names
    the fields it does not know.
    """
    if request.META.get("CONTENT_LENGTH") in (None, "", "0") or not (match := request.resolver_match):
        return
    path = "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", match.route)
    operation = schema["paths"].get(path, {}).get(str(request.method).lower(), {})  # empty: it was removed
    if "requestBody" not in operation:
        return  # without fields, what is said first is whether the object exists for this person
    content_type, body = next(iter(operation["requestBody"]["content"].items()))
    if request.content_type not in READ_TOO.get(content_type, (content_type,)):
        raise InputError(
            f'The body is "{request.content_type}", but this operation reads {content_type}. Send its fields '
            f"so: {', '.join(body['schema']['properties'])}.",
            code="content-type-refused",
            status=415,
        )
    if operation["operationId"] not in FINDS_FIRST:
        check_fields({*request.POST, *request.FILES}, list(body["schema"]["properties"]))


def check_fields(sent: set[str], read: list[str]) -> None:
    """Raise ValidationError that names the fields that an operation does not read."""
    what = f"This operation has no such field. It reads {', '.join(read)}."
    if unknown := sorted(sent.difference(read)):
        raise ValidationError([{"loc": ("form", name), "msg": what} for name in unknown])
