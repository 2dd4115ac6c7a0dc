"""Parts of tasks and lists of the track in a track file: what each app adds to PARTS and LISTS, and how."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Manager, Model
from django.forms.models import model_to_dict
from pydantic import BaseModel, ConfigDict

from evaluation.access.people import User
from evaluation.tracks.models import Task, Track


class PartSchema(BaseModel):
    """Base of all parts of a track file: unknown keys are faults."""

    model_config = ConfigDict(extra="forbid", strict=True)


@dataclass(frozen=True)
class TrackFilePart:
    """A part of a task: its key, its schema, and how it is read and applied.

    ``read(task)`` returns plain values, or None to leave the key out. ``apply(task, value, by)`` returns
    whether anything changed, and raises an InputError or a ValidationError; ``by`` is who applies the file.
    Only parts with ``is_copied`` are copied to another task. The entries of a part that
    ``is_stored_one_by_one`` count towards a limit of the file, because each takes several queries.
    """

    key: str
    schema: Any
    read: Callable[[Task], Any]
    apply: Callable[[Task, Any, User], bool]
    is_copied: bool = True
    is_stored_one_by_one: bool = False


@dataclass(frozen=True)
class TrackFileList:
    """A list at the top level of the file: its key, and the schema of its entries, which have names.

    ``read(track)`` returns entries as plain values. ``apply(track, entry, by)`` returns the change in words,
    empty if there is none, and raises an InputError or a ValidationError.
    """

    key: str
    schema: Any
    most: int
    read: Callable[[Track], list[dict[str, Any]]]
    apply: Callable[[Track, Any, User], str]


# Each in the order of the file; apps append theirs in ``AppConfig.ready()``.
PARTS: list[TrackFilePart] = []
LISTS: list[TrackFileList] = []


def set_fields(row: Model, values: dict[str, Any]) -> bool:
    """Set the fields that are given and differ, validate and save; return whether anything changed.

    Texts that differ in their line ends are the same: a file has other ones than a browser.
    """
    changed = [name for name, value in values.items() if plain_text(getattr(row, name)) != plain_text(value)]
    if not changed and row.pk:
        return False
    for name in changed:
        setattr(row, name, values[name])
    row.full_clean()
    row.save()
    return True


def plain_text(value: Any) -> Any:
    """Return a text with line feeds alone, and other values unchanged."""
    return value.replace("\r\n", "\n") if isinstance(value, str) else value


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


def apply_questions(questions: Manager[Any], task: Task, parts: Iterable[AskedPart]) -> bool:
    """Create or change the task's questions of these names, in this order; return whether any changed."""
    known = {question.name: question for question in questions.filter(task=task)}
    changes = []
    for number, part in enumerate(parts, start=1):
        values = part.model_dump() | {"choices": "\n".join(part.choices), "place": number}
        question = known.setdefault(part.name, questions.model(task=task))
        changes.append(set_fields(question, values))
    return any(changes)
