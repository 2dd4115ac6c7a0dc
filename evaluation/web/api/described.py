"""The API's description: what an operation accepts and how it can fail, in one place for file and site."""

import re
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from ninja.errors import ValidationError

from evaluation.web.api.problems import CONTENT_TYPE, Problem
from trackside.errors import InputError

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
    operation = schema["paths"][path][str(request.method).lower()]
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
