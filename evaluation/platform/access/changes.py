"""Read the audit trail: the events that database triggers write for tracked models."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.apps import apps
from django.db.models import Model, QuerySet
from pghistory.models import Event, Events

from evaluation.platform.access.people import User

VERBS = {"insert": "added", "update": "changed", "delete": "deleted"}
NAMES = (
    "name",
    "number",
    "docno",
    "tag",
    "slug",
    "model",
    "email",
)  # columns that identify a row for readers; the first one with a value counts
KEYS = ("run_id", "family_id")  # columns that identify a row of a joining table


@dataclass(frozen=True)
class Change:
    """One change of one row. ``fields`` holds (name, old value, new value) of each changed field.

    A foreign key is shown by the name of its row, or by the key if that row was deleted.

    ``person`` is empty for commands and workers. ``by`` is the URL, the Celery task or the command.
    """

    at: datetime
    person: str
    by: str
    model: str
    name: str
    verb: str
    fields: list[tuple[str, Any, Any]]


def event_models() -> dict[str, Any]:
    """Return the event models by the label of the model that they track, such as ``evaluation.task``."""
    event_classes = [model for model in apps.get_models() if issubclass(model, Event)]
    return {_label(model.pgh_tracked_model): model for model in event_classes}


def verbose_name(model: type[Model]) -> str:
    """Return the verbose name of the model."""
    return str(model._meta.verbose_name)  # noqa: SLF001 - Django's documented way to a model's names


def _label(model: Any) -> str:
    return str(model._meta.label_lower)  # noqa: SLF001 - as above


def changes_to(row: Model) -> list[Change]:
    """Return the changes of one row, latest first; empty if its model is not tracked."""
    event_model = event_models().get(_label(type(row)))
    if event_model is None:
        return []
    events = across(event_model).filter(pgh_obj_id=str(row.pk))
    return to_read(events.order_by("-pgh_created_at", "-pgh_id"))


def to_read(events: Iterable[Any]) -> list[Change]:
    """Convert events to changes, with the names of people and rows instead of keys."""
    rows = list(events)
    actors = {(row.pgh_context or {}).get("user") for row in rows}
    members = {row.pgh_data.get("user_id") for row in rows}
    people = User.objects.in_bulk(actors | members - {None})
    named = _names_of_keys(rows)
    return [_change(row, people, named) for row in rows]


def _names_of_keys(rows: Iterable[Any]) -> dict[tuple[type[Model], Any], str]:
    """Return the names of the rows that foreign keys point to, by model and key: one query per model."""
    wanted: dict[type[Model], set[Any]] = {}
    for row in rows:
        keys = {name: [row.pgh_data[name]] for name in KEYS if name in row.pgh_data}
        for field, values in (keys | (row.pgh_diff or {})).items():
            if model := _model_behind(row, field):
                wanted.setdefault(model, set()).update(values)
    by_model = {model: model._default_manager.in_bulk(keys - {None}) for model, keys in wanted.items()}  # noqa: SLF001 - Django's documented way to any model's rows
    return {(model, key): str(row) for model, by_key in by_model.items() for key, row in by_key.items()}


def _model_behind(row: Any, field: str) -> type[Model] | None:
    """Return the model that the foreign key points to; None for other fields."""
    tracked: Any = apps.get_model(row.pgh_obj_model)
    related: type[Model] | None = tracked._meta.get_field(field).related_model  # noqa: SLF001 - as above
    return related


def across(*models: Any) -> QuerySet[Any]:
    """Return the events of these event models as one queryset."""
    events: QuerySet[Any] = Events.objects.across(*models)  # type: ignore[no-untyped-call]
    return events


def _change(row: Any, people: dict[int, User], named: dict[tuple[type[Model], Any], str]) -> Change:
    context = row.pgh_context or {}
    person = people.get(context.get("user") or 0)
    member = people.get(row.pgh_data.get("user_id") or 0)
    name = next((str(row.pgh_data[field]) for field in NAMES if row.pgh_data.get(field)), "")
    keys = ", ".join(_named(row, key, named) for key in KEYS if key in row.pgh_data)
    return Change(
        at=row.pgh_created_at,
        person=str(person or ""),
        by=context.get("url") or context.get("task") or context.get("command") or "",
        model=verbose_name(apps.get_model(row.pgh_obj_model)),
        name=str(member or name or keys or f"no. {row.pgh_obj_id}"),
        verb=VERBS[row.pgh_label],
        fields=[_diff(row, field, named) for field in sorted(row.pgh_diff or {})],
    )


def _named(row: Any, field: str, named: dict[tuple[type[Model], Any], str]) -> str:
    """Return the name of the row that the foreign key points to, or the key if that row was deleted."""
    key = row.pgh_data[field]
    model = _model_behind(row, field)
    return named.get((model, key)) or f"{field[:-3]} {key}" if model else str(key)


def _diff(row: Any, field: str, named: dict[tuple[type[Model], Any], str]) -> tuple[str, Any, Any]:
    old, new = row.pgh_diff[field]
    if model := _model_behind(row, field):
        return field.removesuffix("_id"), named.get((model, old), old), named.get((model, new), new)
    return field, old, new
