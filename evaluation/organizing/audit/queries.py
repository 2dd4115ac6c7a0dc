"""Query the audit trail of a track, and the rows kept from dropped tables."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q, QuerySet

from evaluation.collections.models import Collection
from evaluation.organizing.audit.models import RetiredRow
from evaluation.platform.access.changes import across, event_models
from evaluation.platform.access.people import User
from evaluation.submissions.runs.families import Family
from evaluation.tracks.models import Task, Track


def changes_in(track: Track | None, *, model: str = "", person: User | None = None) -> QuerySet[Any]:
    """Return the changes in a track (None: in all), latest first, optionally of one model or person."""
    events = event_models()
    changes = across(*([events[model]] if model else events.values()))
    if track:
        changes = changes.filter(_of_track(track))
    if person:
        changes = changes.filter(pgh_context__user=person.pk)
    return changes.order_by("-pgh_created_at", "-pgh_id")


def with_differences(slugs: Iterable[str]) -> QuerySet[Any]:
    """Return the changes of these slugs with their differences, latest first.

    Pass the slugs of one page only: sorting ten thousand changes with their differences takes seconds.
    """
    changes = across(*event_models().values()).filter(pgh_slug__in=list(slugs))
    return changes.order_by("-pgh_created_at", "-pgh_id")


def all_changes(track: Track | None, *, model: str = "", person: User | None = None) -> list[Any]:
    """Return the rows of ``changes_in`` with their differences, computed in Python.

    The database would search the previous event of each change among all events of its row: a million
    comparisons for a team that was renamed a thousand times.
    """
    previous: dict[tuple[str, str], dict[str, Any]] = {}
    changes = []
    for row in reversed(changes_in(track, model=model).defer("pgh_diff")):
        key = row.pgh_model, row.pgh_obj_id
        old = previous.get(key, {}) if row.pgh_obj_id else {}  # rows of joining tables have no key
        row.pgh_diff = {
            name: [old[name], value]
            for name, value in row.pgh_data.items()
            if name in old and old[name] != value
        }
        previous[key] = row.pgh_data
        if not person or (row.pgh_context or {}).get("user") == person.pk:
            changes.append(row)
    return changes[::-1]


def retired_in(track: Track | None, *, by: User) -> QuerySet[RetiredRow]:
    """Return the rows of dropped tables in a track (None: in all) that the person may see."""
    rows = RetiredRow.objects.visible_to(by)
    return rows.filter(track=track) if track else rows


def _of_track(track: Track) -> Q:
    tasks = list(Task.objects.filter(track=track).values_list("pk", flat=True))
    families = list(Family.objects.filter(task__in=tasks).values_list("pk", flat=True))
    collections = list(Collection.objects.filter(track=track).values_list("pk", flat=True))
    return (
        Q(pgh_obj_model="evaluation.Track", pgh_obj_id=str(track.pk))
        | Q(pgh_data__track_id=track.pk)
        | Q(pgh_data__task_id__in=tasks)
        | Q(pgh_data__family_id__in=families)
        | Q(pgh_data__collection_id__in=collections, pgh_obj_model="evaluation.Document")
        | _of_rows_below(track)
    )


def _of_rows_below(track: Track) -> Q:
    """Changes of models whose events have no track or task; ``track_path`` is the lookup to the track."""
    condition = Q(pk__in=[])
    for event in event_models().values():
        model = event.pgh_tracked_model
        if path := getattr(model, "track_path", ""):
            keys = model._default_manager.filter(**{path: track}).values_list("pk", flat=True)  # noqa: SLF001 - as above
            condition |= Q(pgh_obj_model=model._meta.label, pgh_obj_id__in=list(map(str, keys)))  # noqa: SLF001 - as above
    return condition
