"""The web API, version 1: the three apps' routers and their schema, and its documentation page."""

import re
from functools import cached_property
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from assessment.api import router as assessment_router
from evaluation.api import router as evaluation_router
from evaluation.platform.web.api.problems import SCHEMAS, answer_with_problems, check_body, describe_errors
from judges.api import router as judges_router
from trackside.text.markdown import markdown_html

DESCRIPTION = """Everything that participants and organizers do with files, for programs.

Sign in with a personal token, as `Authorization: Bearer trackside_…`; create yours on the page
`/account/tokens/`. A token may read, submit, organize, or several of these, and never more than its owner.

Lists are paged (`limit`, `offset`; the header `Link` names the neighbouring pages). A GET returns an `ETag`;
send it as `If-None-Match`, and 304 means that nothing has changed. Errors are `application/problem+json`.
A request for an object that you may not see returns 404, as if the object did not exist."""


class TracksideAPI(NinjaAPI):
    """An API whose description names all errors, and which accepts the bodies that it describes."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Return the name of the view function, so that the id stays when the module changes."""
        return operation.view_func.__name__

    def create_temporal_response(self, request: HttpRequest) -> HttpResponse:
        """Check the body; ninja calls this once the token is accepted, before it reads any value."""
        if request.method != "GET":
            check_body(request, self._schema)
        return super().create_temporal_response(request)

    def get_openapi_schema(self, **_options: Any) -> OpenAPISchema:
        """Return the schema of all operations.

        Each process builds it once, because it takes 0.2 s and anybody may request it.
        """
        return self._schema

    @cached_property
    def _schema(self) -> OpenAPISchema:
        schema = super().get_openapi_schema()
        describe_errors(schema)
        return schema


api = TracksideAPI(
    title="Trackside",
    version="1",
    description=DESCRIPTION,
    urls_namespace="api",
    docs_url=None,
    openapi_url="openapi.json",
)
answer_with_problems(api)
for router in (evaluation_router, assessment_router, judges_router):
    api.add_router("", router)


CODE = re.compile(r"(`+)(.+?)\1")
PAGE = re.compile(r"Page_(?P<item>\w+)_")  # the schema of a page of a list


@require_safe
def api_docs(request: HttpRequest) -> HttpResponse:
    """Show each operation and each response schema."""
    schema = api.get_openapi_schema()
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            groups.setdefault(operation["tags"][0], []).append(_operation(method, path, operation))
    context = {
        "version": schema["info"]["version"],
        "description": mark_safe(markdown_html(schema["info"]["description"])),  # noqa: S308 - it is cleaned
        "site": settings.SITE_URL,
        "groups": groups,
        "answers": [
            _answer(name, answer)
            for name, answer in schema["components"]["schemas"].items()
            if not PAGE.fullmatch(name)
        ],
    }
    return render(request, "evaluation/api_docs.html", context)


def _operation(method: str, path: str, operation: dict[str, Any]) -> dict[str, Any]:
    asked = [field for field in operation["parameters"] if field["in"] != "path"]
    bodies = operation.get("requestBody", {}).get("content", {}).values()
    form: dict[str, Any] = next((body["schema"] for body in bodies), {})
    fields = [(field["name"], field["schema"]) for field in asked] + list(form.get("properties", {}).items())
    return {
        "address": f"{method.upper()} {path}",
        "description": _coded(operation["description"]),
        "fields": [(name, _kind(schema), _coded(schema.get("description", ""))) for name, schema in fields],
        "answer": _good_answer(operation["responses"]),
    }


def _good_answer(responses: dict[Any, Any]) -> str:
    """Return the name of the schema, or the type of the file, of a successful response."""
    for status, answer in responses.items():
        if status != "default":
            return next(_kind(body["schema"]) or kind for kind, body in answer["content"].items())
    return ""


def _answer(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties", {})
    return {
        "name": name,
        "description": _coded(schema.get("description", "")),
        "choices": schema.get("enum", []),
        "fields": [
            (field, _kind(part), _coded(part.get("description", ""))) for field, part in properties.items()
        ],
    }


def _coded(text: str) -> SafeString:
    """Return the text as HTML, with code where it has backticks."""
    return mark_safe(CODE.sub(r"<code>\2</code>", escape(text)))  # noqa: S308 - it is escaped


def _kind(schema: dict[str, Any]) -> str:
    """Return the type of a value in words, with links to schemas; empty for the bytes of a file."""
    if "$ref" in schema:
        name = str(schema["$ref"]).removeprefix(SCHEMAS)
        page = PAGE.fullmatch(name)
        link = format_html('<a href="#{0}">{0}</a>', page["item"] if page else name)
        return format_html("page of {}", link) if page else link
    if "anyOf" in schema:
        return format_html_join(" or ", "{}", ([_kind(option)] for option in schema["anyOf"]))
    if schema.get("type") == "array":
        return format_html("list of {}", _kind(schema["items"])) if "items" in schema else "list"
    if schema.get("format") == "binary":
        return ""
    return str(schema.get("format") or schema.get("type", "anything"))
