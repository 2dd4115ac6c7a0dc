"""Operations that change something: they read the form of the page, and a key makes them happen once."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar
from uuid import UUID

from django import forms
from django.db import transaction
from django.forms.forms import BaseForm
from django.http import QueryDict
from ninja import Router, Status
from ninja.errors import ValidationError

from evaluation.platform.access.limits.rates import TooManyRequests, spend, spend_rate
from evaluation.platform.access.requests import key_of
from evaluation.platform.web.api.bearer import Bearer, TokenRequest, organizer
from evaluation.platform.web.api.problems import FINDS_FIRST, FORM, MULTIPART, check_fields
from trackside.errors import InputError
from trackside.rates import RateLimit

KEY = "Idempotency-Key"
ONCE = RateLimit(1, 86_400)  # for a day a repeated request changes nothing
NAMES = ("name", "email")  # attributes by which a row is named, beside its text on pages
MOST_NAMED = 20  # rows that an error offers
MOST_CHOICES = 100  # of a field that are described; time zones are more, and differ between machines
OF_FIELDS: tuple[tuple[type[forms.Field], dict[str, str]], ...] = (
    (forms.FileField, {"type": "string", "format": "binary"}),
    (forms.BooleanField, {"type": "boolean"}),
    (forms.FloatField, {"type": "number"}),
    (forms.DecimalField, {"type": "number"}),
    (forms.IntegerField, {"type": "integer"}),
)

View = Callable[..., Any]
F = TypeVar("F", bound=BaseForm)


def change(
    router: Router,
    path: str,
    answer: Any,
    *,
    reads: type[BaseForm] | None = None,
    name: str = "",
    rate: str = "",
    auth: Bearer = organizer,
    status: int = 200,
) -> Callable[[View], View]:
    """Register a POST operation that reads the fields of a form.

    It counts against the person's named rate. ``name`` is that of the URL, if a GET has the same one. A key
    that was used is refused for a day, so that a client may repeat a request whose answer it has missed.
    """

    def register(view: View) -> View:
        @wraps(view)
        def once(request: TokenRequest, **named: Any) -> Any:
            if rate:
                spend_rate(name=rate, who=f"user:{request.user.pk}")
            with transaction.atomic():  # a key counts only if the change is stored
                _spend_key(request)
                return Status(status, view(request, **named))

        FINDS_FIRST.add(view.__name__)
        described: dict[str, Any] = {"parameters": [KEY_PARAMETER]}
        if reads:
            described["requestBody"] = _body(reads)
        register_post = router.post(
            path,
            response={status: answer},
            url_name=name or view.__name__,
            auth=auth,
            openapi_extra=described,
        )
        register_post(once)
        return view

    return register


KEY_PARAMETER = {
    "in": "header",
    "name": KEY,
    "schema": {"type": "string", "format": "uuid"},
    "required": False,
    "description": "The site refuses a key that was used (409), so that a repeated request changes nothing.",
}


def _spend_key(request: TokenRequest) -> None:
    text = request.headers.get(KEY, "")
    try:
        if text:
            spend(rate=ONCE, key=f"key:{request.user.pk}:{UUID(text)}")
    except ValueError as error:
        raise ValidationError([{"loc": ("header", KEY), "msg": "Send a UUID, or no key."}]) from error
    except TooManyRequests as error:
        raise InputError(
            "A request with this key was handled already. Use a new key for a new request.",
            code="key-used",
            status=409,
        ) from error


def texts(**described: str) -> type[forms.Form]:
    """Return a form of optional texts, by name with their descriptions."""
    fields = {
        name: forms.CharField(required=False, strip=False, help_text=words)
        for name, words in described.items()
    }
    return type("Texts", (forms.Form,), fields)


def read_form(form: Callable[..., F], request: TokenRequest, **given: Any) -> F:
    """Return the form with the fields of the request, once they are valid. Raises ValidationError.

    A field that is not sent has the value that the page proposes. A row is named by its id or by its name.
    ``given`` are the form's own arguments.
    """
    blank = form(**given)
    check_fields({*request.POST, *request.FILES}, list(blank.fields))
    sent = QueryDict(mutable=True)
    for name, field in blank.fields.items():
        if name in request.POST:
            sent.setlist(name, [_key_in(name, field, text) for text in request.POST.getlist(name)])
        elif (proposed := blank[name].value()) is not None:
            sent.setlist(name, proposed if isinstance(proposed, list) else [proposed])
    filled = form(sent, request.FILES, **given)
    if not filled.is_valid():
        faults = [(name, fault) for name, faults in filled.errors.as_data().items() for fault in faults]
        raise ValidationError(
            [{"loc": ("form", name), "msg": _words(filled, name, fault)} for name, fault in faults]
        )
    return filled


def _words(form: BaseForm, name: str, fault: Any) -> str:
    words = " ".join(fault.messages)
    choices: Any = getattr(form.fields.get(name), "choices", ())
    if fault.code == "invalid_choice" and choices:
        return f"{words} Choose one of: {', '.join(str(value) for value, _ in choices if value)}."
    return words


def _key_in(name: str, field: forms.Field, text: str) -> str:
    """Return the key of the row that a text names among a field's choices; other texts as they are."""
    if not text or not isinstance(field, forms.ModelChoiceField) or field.queryset is None:
        return text
    if field.queryset.filter(pk=key_of(text)).exists():
        return text
    rows = list(field.queryset)
    named = [row for row in rows if text in (str(row), *(getattr(row, word, "") for word in NAMES))]
    if len(named) == 1:
        return str(named[0].pk)
    offered = ", ".join(f"{row.pk} ({row})" for row in rows[:MOST_NAMED]) or "none exists yet"
    words = f"{len(named)} rows are named so" if named else "no row is named so"
    raise ValidationError([{"loc": ("form", name), "msg": f"{words}. Send an id or a name: {offered}."}])


def _body(form: type[BaseForm]) -> dict[str, Any]:
    """Return the OpenAPI entry of the form's fields."""
    fields: dict[str, forms.Field] = form.base_fields  # type: ignore[attr-defined]  # of the metaclass
    properties = {
        name: _schema(field) | {"description": str(field.help_text or field.label or "")}
        for name, field in fields.items()
    }
    needed = [name for name, field in fields.items() if field.required and field.initial is None]
    kind = MULTIPART if any(isinstance(field, forms.FileField) for field in fields.values()) else FORM
    schema = {"type": "object", "properties": properties, "required": needed}
    return {"content": {kind: {"schema": schema}}, "required": bool(needed)}


def _schema(field: forms.Field) -> dict[str, Any]:
    for kind, schema in OF_FIELDS:
        if isinstance(field, kind):
            limits = (("minimum", "min_value"), ("maximum", "max_value"))
            bounds = {word: getattr(field, name, None) for word, name in limits}
            return schema | {word: bound for word, bound in bounds.items() if bound is not None}
    is_list = isinstance(field, forms.MultipleChoiceField | forms.ModelMultipleChoiceField)
    if isinstance(field, forms.ModelChoiceField):
        one: dict[str, Any] = {"type": "string"}
    else:
        named = list(getattr(field, "choices", ()))
        one = {"type": "string"} | (
            {"enum": [value for value, _ in named]} if 0 < len(named) <= MOST_CHOICES else {}
        )
    return {"type": "array", "items": one} if is_list else one
