"""The part of a track file with the uses of fields of imported topics and documents."""

from typing import Any

from pydantic import Field

from evaluation.access.people import User
from evaluation.imports.actions import latest_choice, set_chosen_fields
from evaluation.imports.models import ImportKind
from evaluation.track_files.parts import PartSchema, TrackFilePart, register_part
from evaluation.tracks.models import Task
from trackside.imports.fields import FieldChoice

KINDS = {"topics": ImportKind.TOPICS, "documents": ImportKind.COLLECTION}


class FieldsPart(PartSchema):
    """The uses of the fields of one kind of file; fields that are not named are used as proposed."""

    id: str = ""
    texts: list[str] = Field([], max_length=1000)
    picture: str = ""
    stratum: str = ""
    left_out: list[str] = Field([], max_length=1000)
    roles: dict[str, str] | None = None


class ImportsPart(PartSchema):
    """The uses with which new imports of the task begin."""

    topics: FieldsPart | None = None
    documents: FieldsPart | None = None


def _read(task: Task) -> dict[str, Any] | None:
    choices = {name: latest_choice(task, kind) for name, kind in KINDS.items()}
    return {name: choice for name, choice in choices.items() if choice} or None


def _apply(task: Task, part: ImportsPart, _by: User) -> bool:
    named = {kind: getattr(part, name) for name, kind in KINDS.items()}
    changes = [
        set_chosen_fields(task, kind, FieldChoice.from_json(fields.model_dump()).to_json())
        for kind, fields in named.items()
        if fields
    ]
    return any(changes)


def register_imports_part() -> None:
    """Register the part. Called when Django starts."""
    register_part(TrackFilePart("imports", ImportsPart, _read, _apply))
