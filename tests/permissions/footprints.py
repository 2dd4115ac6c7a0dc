"""What requests change: numbers of rows, and the URLs that change something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin

from evaluation.audit.queries import changes_in
from evaluation.models import Task
from tests.addresses.urlconf import named_routes
from tests.permissions.permission_table import address_rows

if TYPE_CHECKING:
    from tests.addresses.urlconf import Route


def posts() -> list[Route]:
    """The URLs of tracks that accept a POST, including those of the API."""
    names = {row.name for row in address_rows() if row.method == "POST"}
    return [route for name, route in named_routes().items() if name in names and "track" in route.parameters]


def footprint(task: Task) -> dict[str, int]:
    """How many rows of each kind the track has, and how many changes are recorded."""
    found = {"changes": len(changes_in(task.track))}
    for model, model_admin in admin.site._registry.items():
        if path := getattr(model_admin, "track_path", ""):
            rows = model._default_manager.filter(**{f"{path}__in": [task.track_id]})
            found[model._meta.label] = rows.count()
    return found
