"""The API's documentation page, rendered from its schema on the server, without scripts or external files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from evaluation.config.api import SCHEMAS, api
from evaluation.core.text.markdown import markdown_html

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


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
        "groups": groups,
        "answers": [_answer(name, each) for name, each in schema["components"]["schemas"].items()],
    }
    return render(request, "evaluation/api_docs.html", context)


def _operation(method: str, path: str, operation: dict[str, Any]) -> dict[str, Any]:
    asked = [each for each in operation["parameters"] if each["in"] != "path"]
    form = (
        operation.get("requestBody", {}).get("content", {}).get("multipart/form-data", {}).get("schema", {})
    )
    fields = [(each["name"], each["schema"]) for each in asked] + list(form.get("properties", {}).items())
    return {
        "address": f"{method.upper()} {path}",
        "description": operation["description"],
        "fields": [(name, _kind(each), each.get("description", "")) for name, each in fields],
        "answer": _good_answer(operation["responses"]),
    }


def _good_answer(responses: dict[Any, Any]) -> str:
    """Return the name of the schema, or the type of the file, of a successful response."""
    for status, answer in responses.items():
        if status != "default":
            return next(_kind(each["schema"]) or kind for kind, each in answer["content"].items())
    return ""


def _answer(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties", {})
    return {
        "name": name,
        "description": schema.get("description", ""),
        "choices": schema.get("enum", []),
        "fields": [(field, _kind(each), each.get("description", "")) for field, each in properties.items()],
    }


def _kind(schema: dict[str, Any]) -> str:
    """Return the type of a value in words; empty for the bytes of a file."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(SCHEMAS)
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}" if "items" in schema else "list"
    if schema.get("format") == "binary":
        return ""
    return str(schema.get("format") or schema.get("type", "anything"))
