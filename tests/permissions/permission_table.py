"""The tables permissions.txt and visible_rows.txt, who asks for what they name, and what requests change."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.contrib import admin
from django.db import connection
from django.db.models import Model
from django.test import Client

from evaluation.models import Document, Phase, Task, Track
from evaluation.organizing.audit.queries import changes_in
from tests.addresses.urlconf import Route, is_of_api, named_routes
from tests.whole_site import ROLES

FILE = Path(__file__).with_name("permissions.txt")
ROWS_FILE = Path(__file__).with_name("visible_rows.txt")
ADMIN_ROLES = ("organizer", "stranger", "staff")
PHASES = list(Phase)
OUTSIDE = "-"


@dataclass(frozen=True)
class Row:
    """One line on a URL: the answer to each role in the phases; no phases outside tasks."""

    method: str
    name: str
    phases: tuple[Phase, ...]
    answers: dict[str, str]


def _lines(file: Path) -> list[list[str]]:
    """The words of each line of a table, its head included."""
    return [line.split() for line in file.read_text().splitlines() if line and not line.startswith("#")]


def _tables() -> tuple[list[list[str]], list[list[str]]]:
    """The words of each line of the two tables, without their heads."""
    lines = _lines(FILE)
    second = lines.index(["model", *ADMIN_ROLES])
    assert lines[0] == ["method", "name", "phases", *ROLES]
    return lines[1:second], lines[second + 1 :]


def address_rows() -> list[Row]:
    """The lines on addresses."""
    return [
        Row(method, name, _phases_of(word), dict(zip(ROLES, answers, strict=True)))
        for method, name, word, *answers in _tables()[0]
    ]


def _phases_of(word: str) -> tuple[Phase, ...]:
    if word == OUTSIDE:
        return ()
    first, _, last = {"all": "draft-released", "opened": "open-released"}.get(word, word).partition("-")
    start, end = PHASES.index(Phase(first)), PHASES.index(Phase(last or first))
    return tuple(PHASES[start : end + 1])


def model_rows() -> dict[str, dict[str, str]]:
    """The letters of each role in the admin, by the model's label."""
    return {label: dict(zip(ADMIN_ROLES, letters, strict=True)) for label, *letters in _tables()[1]}


def visible_rows(phase: Phase, role: str) -> dict[str, str]:
    """Whether the role sees "all", "some" or no ("-") rows in the phase, by the model's label."""
    head, *lines = _lines(ROWS_FILE)
    assert head == ["model", "phases", *ROLES]
    return {line[0]: line[2 + ROLES.index(role)] for line in lines if phase in _phases_of(line[1])}


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


@dataclass(frozen=True)
class Askers:
    """Signed-in browsers, and programs that send a token to the API, by role."""

    browsers: dict[str, Client]
    programs: dict[str, Client]

    def of(self, role: str, name: str) -> Client:
        """Who asks for the address of that name."""
        return (self.programs if is_of_api(name) else self.browsers)[role]
