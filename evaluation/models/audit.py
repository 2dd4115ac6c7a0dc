"""Who changed what and when: rows that the database writes for the models that are tracked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.db.models import Q
from pghistory.models import Event, Events

from evaluation.models.people import User
from evaluation.models.run import Family
from evaluation.models.track import Task, Track

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import Model, QuerySet

VERBS = {"insert": "added", "update": "changed", "delete": "deleted"}
NAMES = ("name", "number", "tag", "slug", "model")  # the column by which a row is called, if it has one
KEYS = ("run_id", "family_id")  # and what it joins, if it has none


@dataclass(frozen=True)
class Change:
    """One change of one row. ``fields`` holds name, old and new value of each that changed.

    A foreign key is told by the name of its row, as long as that is there.

    ``person`` is empty where a command or a worker did it; ``by`` then names that, and else the address.
    """

    at: datetime
    person: str
    by: str
    model: str
    name: str
    verb: str
    fields: list[tuple[str, Any, Any]]


def event_models() -> dict[str, Any]:
    """The tables of changes by the label of the model that each is of, as ``evaluation.task``."""
    found = [model for model in apps.get_models() if issubclass(model, Event)]
    return {_label(model.pgh_tracked_model): model for model in found}


def verbose_name(model: type[Model]) -> str:
    """What people call a row of the model."""
    return str(model._meta.verbose_name)  # noqa: SLF001 - Django's documented way to a model's names


def _label(model: Any) -> str:
    return str(model._meta.label_lower)  # noqa: SLF001 - as above


def changes_in(track: Track | None, *, model: str = "", person: User | None = None) -> QuerySet[Any]:
    """The changes in a track, or everywhere, latest first; of one model or person where named."""
    events = event_models()
    found = _across(*([events[model]] if model else events.values()))
    if track:
        found = found.filter(_of_track(track))
    if person:
        found = found.filter(pgh_context__user=person.pk)
    return found.order_by("-pgh_created_at", "-pgh_id")


def changes_to(row: Model) -> list[Change]:
    """The changes of one row, latest first; none where its model is not tracked."""
    event_model = event_models().get(_label(type(row)))
    if event_model is None:
        return []
    found = _across(event_model).filter(pgh_obj_id=str(row.pk))
    return to_read(found.order_by("-pgh_created_at", "-pgh_id"))


def to_read(events: Iterable[Any]) -> list[Change]:
    """The changes as people read them."""
    rows = list(events)
    actors = {(row.pgh_context or {}).get("user") for row in rows}
    members = {row.pgh_data.get("user_id") for row in rows}
    people = User.objects.in_bulk(actors | members - {None})
    named = _names_of_keys(rows)
    return [_change(row, people, named) for row in rows]


def _names_of_keys(rows: Iterable[Any]) -> dict[tuple[type[Model], Any], str]:
    """What the changed foreign keys stand for, by model and key: one statement for each model."""
    wanted: dict[type[Model], set[Any]] = {}
    for row in rows:
        for field, values in (row.pgh_diff or {}).items():
            if model := _model_behind(row, field):
                wanted.setdefault(model, set()).update(values)
    found = {model: model._default_manager.in_bulk(keys - {None}) for model, keys in wanted.items()}  # noqa: SLF001 - Django's documented way to any model's rows
    return {(model, key): str(each) for model, by_key in found.items() for key, each in by_key.items()}


def _model_behind(row: Any, field: str) -> type[Model] | None:
    """The model that the field points to; None where it holds a plain value."""
    tracked: Any = apps.get_model(row.pgh_obj_model)
    related: type[Model] | None = tracked._meta.get_field(field).related_model  # noqa: SLF001 - as above
    return related


def _across(*models: Any) -> QuerySet[Any]:
    found: QuerySet[Any] = Events.objects.across(*models)  # type: ignore[no-untyped-call]
    return found


def _change(row: Any, people: dict[int, User], named: dict[tuple[type[Model], Any], str]) -> Change:
    context = row.pgh_context or {}
    person = people.get(context.get("user") or 0)
    member = people.get(row.pgh_data.get("user_id") or 0)
    name = next((str(row.pgh_data[each]) for each in NAMES if row.pgh_data.get(each)), "")
    keys = ", ".join(f"{each[:-3]} {row.pgh_data[each]}" for each in KEYS if each in row.pgh_data)
    return Change(
        at=row.pgh_created_at,
        person=str(person or ""),
        by=context.get("url") or context.get("task") or context.get("command") or "",
        model=verbose_name(apps.get_model(row.pgh_obj_model)),
        name=str(member or name or keys or row.pgh_obj_id),
        verb=VERBS[row.pgh_label],
        fields=[_told(row, field, named) for field in sorted(row.pgh_diff or {})],
    )


def _told(row: Any, field: str, named: dict[tuple[type[Model], Any], str]) -> tuple[str, Any, Any]:
    old, new = row.pgh_diff[field]
    if model := _model_behind(row, field):
        return field.removesuffix("_id"), named.get((model, old), old), named.get((model, new), new)
    return field, old, new


def _of_track(track: Track) -> Q:
    tasks = list(Task.objects.filter(track=track).values_list("pk", flat=True))
    families = list(Family.objects.filter(task__in=tasks).values_list("pk", flat=True))
    return (
        Q(pgh_obj_model="evaluation.Track", pgh_obj_id=str(track.pk))
        | Q(pgh_data__track_id=track.pk)
        | Q(pgh_data__task_id__in=tasks)
        | Q(pgh_data__family_id__in=families)
    )
