"""Parts of tasks and lists of the track in a track file: what each app adds to PARTS and LISTS, and how."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Manager, Model
from django.forms.models import model_to_dict
from pydantic import BaseModel, ConfigDict

from evaluation.platform.access.people import User
from evaluation.tracks.models import Task, Track


class PartSchema(BaseModel):
    """Base of all parts of a track file: unknown keys are faults."""

    model_config = ConfigDict(extra="forbid", strict=True)


@dataclass(frozen=True)
class TrackFilePart:
    """A part of a task: its key, its schema, and how it is read and applied.

    ``read(task)`` returns plain values, or None to leave the key out. ``apply(task, value, by)`` sets the
    part of a new task, and raises an InputError or a ValidationError; ``by`` is who created the task.
    Only parts with ``is_copied`` are copied to another task. The entries of a part that
    ``is_stored_one_by_one`` count towards a limit of the file, because each takes several queries.
    """

    key: str
    schema: Any
    read: Callable[[Task], Any]
    apply: Callable[[Task, Any, User], None]
    is_copied: bool = True
    is_stored_one_by_one: bool = False


@dataclass(frozen=True)
class TrackFileList:
    """A list at the top level of the file: its key, and the schema of its entries, which have names.

    ``read(track)`` returns entries as plain values. ``apply(track, entry, by)`` adds one to a new track, and
    raises an InputError or a ValidationError.
    """

    key: str
    schema: Any
    most: int
    read: Callable[[Track], list[dict[str, Any]]]
    apply: Callable[[Track, Any, User], None]


# Each in the order of the file; apps append theirs in ``AppConfig.ready()``.
PARTS: list[TrackFilePart] = []
LISTS: list[TrackFileList] = []


def set_fields(row: Model, values: dict[str, Any]) -> None:
    """Set the fields, validate and save. Raises ValidationError."""
    for name, value in values.items():
        setattr(row, name, value)
    row.full_clean()
    row.save()


class AskedPart(PartSchema):
    """Base of questions; a row of the table holds the choices, one per line."""

    name: str
    text: str
    choices: list[str] = []
    is_required: bool = False


def read_questions(questions: Manager[Any], task: Task, fields: Iterable[str]) -> list[dict[str, Any]]:
    """Return the fields of the task's questions, the choices as a list."""
    rows = [model_to_dict(question, list(fields)) for question in questions.filter(task=task)]
    return [row | {"choices": row["choices"].splitlines()} for row in rows]


def create_questions(questions: Manager[Any], task: Task, parts: Iterable[AskedPart]) -> None:
    """Create the task's questions in this order."""
    for number, part in enumerate(parts, start=1):
        values = part.model_dump() | {"choices": "\n".join(part.choices), "place": number}
        set_fields(questions.model(task=task), values)
