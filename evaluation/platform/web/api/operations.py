"""Parts of API operations: URLs, pagination, and file responses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, Generic, TypeVar

from django.core.signing import BadSignature, Signer
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema
from ninja.constants import NOT_SET
from pydantic import Field, StringConstraints

from trackside.errors import InputError

TRACK = "/tracks/{slug:track}"
TASK = f"{TRACK}/tasks/{{slug:task}}"
Text = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]  # PostgreSQL cannot store NUL


def file_of(content_type: str) -> dict[str, Any]:
    """Return the OpenAPI entry of an operation that returns a file of this content type."""
    content = {content_type: {"schema": {"type": "string", "format": "binary"}}}
    return {"responses": {200: {"description": "The file", "content": content}}}


FILE_OF_IMAGE = file_of("image/webp")
FILE_OF_LINES = file_of("text/plain")
FILE_OF_RECORDS = file_of("application/x-ndjson")
FILE_OF_BYTES = file_of("application/octet-stream")
FILE_OF_ZIP = file_of("application/zip")


T = TypeVar("T")
View = Callable[..., Any]
MOST = 1000


class DoneOut(Schema):
    """What was done, in words."""

    message: str


class Window(Schema):
    """The page of a list."""

    limit: int = Field(100, ge=1, le=MOST, description="Maximum number of items to return.")
    offset: int = Field(0, ge=0, lt=2**31, description="Number of items to skip.")
    cursor: str | None = Field(
        None,
        max_length=2000,
        description="Start of the page, instead of `offset`; from the link `next` of the previous page.",
    )


class Page(Schema, Generic[T]):
    """One page of a list, and the length of the whole list. The header Link names the adjacent pages.

    Follow the link `next` to read a long list: unlike an offset, it skips no rows, and `count` stays the
    same on all pages.
    """

    count: int
    items: list[T]


@dataclass(frozen=True)
class _Cursor:
    """The start of a page: ``before`` rows precede it, the last of them with the sort values ``after``."""

    count: int
    before: int
    after: tuple[Any, ...]

    @classmethod
    def read(cls, text: str, request: HttpRequest) -> _Cursor:
        try:
            count, before, after = Signer(salt=request.path).unsign_object(text)
        except BadSignature as error:
            raise InputError(
                "cursor: it is not from a link of this list. Start again at the first page.",
                code="unknown-cursor",
            ) from error
        return cls(count, before, tuple(after))

    def text(self, request: HttpRequest) -> str:
        """Sign the cursor, so that values of another type cannot reach the database."""
        return Signer(salt=request.path).sign_object([self.count, self.before, self.after])


def listed(
    router: Router, path: str, item: Any, *, by: Sequence[str] = ("pk",), auth: Any = NOT_SET
) -> Callable[[View], View]:
    """Register a GET operation that lists the rows of the view's queryset, sorted by as ``page_of`` does."""

    def register(view: View) -> View:
        @wraps(view)
        def list_rows(request: HttpRequest, response: HttpResponse, window: Window, **named: Any) -> Any:
            return page_of(view(request, **named), window, request, response, by=by)

        added = {"response": HttpResponse, "window": Query[Window]}
        parts = [Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind) for name, kind in added.items()]
        parameters = [*signature(view).parameters.values(), *parts]
        list_rows.__signature__ = signature(view).replace(parameters=parameters)  # type: ignore[attr-defined]  # ninja reads it
        router.get(path, response=Page[item], url_name=view.__name__, auth=auth)(list_rows)
        return view

    return register


def page_of(
    rows: QuerySet[Any], window: Window, request: HttpRequest, response: HttpResponse, *, by: Sequence[str]
) -> dict[str, Any]:
    """Return one page of the rows as a ``Page``. Raises unknown-cursor.

    ``by`` are the sort fields, with a minus if descending: not null, and together unique.
    """
    if window.cursor is None:
        start = _Cursor(rows.count(), window.offset, ())
        ordered = rows.order_by(*by)[window.offset :]
    else:
        start = _Cursor.read(window.cursor, request)
        ordered = rows.filter(_later(by, start.after)).order_by(*by)
    items = list(ordered[: window.limit])
    end = start.before + len(items)
    has_more = len(items) == window.limit and end < start.count
    following = _Cursor(start.count, end, _key_of(items[-1], by)) if has_more else None
    response["Link"] = ", ".join(_links(request, window.limit, start, following))
    return {"count": start.count, "items": items}


def _later(by: Sequence[str], after: Sequence[Any]) -> Q:
    """Return the condition that a row is sorted after the one with these values of ``by``."""
    same, later = Q(), Q()
    for field, value in zip(by, after, strict=True):
        name, is_falling = field.removeprefix("-"), field.startswith("-")
        later |= same & Q(**{f"{name}__{'lt' if is_falling else 'gt'}": value})
        same &= Q(**{name: value})
    return later


def _key_of(row: Any, by: Sequence[str]) -> tuple[Any, ...]:
    return tuple(row.serializable_value(name.removeprefix("-")) for name in by)


def _links(request: HttpRequest, limit: int, start: _Cursor, following: _Cursor | None) -> Iterator[str]:
    places: dict[str, dict[str, Any]] = {
        "first": {"offset": 0},
        "last": {"offset": max(start.count - 1, 0) // limit * limit},
    }
    if start.before > 0:
        places["prev"] = {"offset": max(start.before - limit, 0)}
    if following:
        places["next"] = {"cursor": following.text(request)}
    for name, position in places.items():
        yield f'<{_address(request, limit, position)}>; rel="{name}"'


def _address(request: HttpRequest, limit: int, position: dict[str, Any]) -> str:
    asked = request.GET.copy()
    for name in ("offset", "cursor"):
        asked.pop(name, None)
    for name, value in {"limit": limit, **position}.items():
        asked[name] = str(value)
    return f"{request.path}?{asked.urlencode()}"
