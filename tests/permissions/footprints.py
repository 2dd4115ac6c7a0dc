"""What requests change: numbers of rows, and the URLs that change something."""

from functools import cache
from typing import Any

from django.contrib import admin
from django.db import connection
from django.db.models import Model

from evaluation.audit.queries import changes_in
from evaluation.models import Document, Task, Track
from tests.addresses.urlconf import Route, named_routes
from tests.permissions.permission_table import address_rows


def posts() -> list[Route]:
    """The URLs of tracks that accept a POST, including those of the API."""
    names = {row.name for row in address_rows() if row.method == "POST"}
    return [route for name, route in named_routes().items() if name in names and "track" in route.parameters]


NO_TRACK = -1  # stands for the track in the statement


def footprint(task: Task) -> dict[str, int]:
    """How many rows of each kind the track has, and how many changes are recorded."""
    statement, parameters = counting()
    with connection.cursor() as cursor:
        cursor.execute(statement, [task.track_id if each == NO_TRACK else each for each in parameters])
        return {"changes": changes_in(task.track).count(), **dict(cursor.fetchall())}


@cache
def counting() -> tuple[str, tuple[Any, ...]]:
    """One statement that counts the rows of every model below a track; Django would compile fifty queries."""
    statements: list[str] = []
    parameters: list[Any] = []
    paths: dict[type[Model], str] = {Track: "pk", Document: "collection__track"}
    paths |= {model: getattr(table, "track_path", "") for model, table in admin.site._registry.items()}
    for model, path in paths.items():
        if path:
            rows = model._default_manager.filter(**{f"{path}__in": [NO_TRACK]}).order_by().values("pk")
            rows_statement, rows_parameters = rows.query.sql_with_params()
            statements.append(f"SELECT '{model._meta.label}', count(*) FROM ({rows_statement}) AS found")
            parameters += rows_parameters
    return " UNION ALL ".join(statements), tuple(parameters)
