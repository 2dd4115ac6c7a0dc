"""Parts of tasks and lists of the track in a track file. Other apps register theirs when Django starts."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo

from django import forms
from django.db.models import Manager, Model
from django.forms.models import model_to_dict
from pydantic import BaseModel, ConfigDict, Field

from evaluation.access.people import User
from evaluation.runs.families import Family
from evaluation.runs.submission import SubmissionQuestion
from evaluation.tracks.actions import save_criteria
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.forms import MeasuresField
from evaluation.tracks.models import DATES, Task, Track
from trackside.errors import InputError
from trackside.text.time_zones import LONGEST_GRACE, localize, zone_names


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


_parts: list[TrackFilePart] = []
_lists: list[TrackFileList] = []


def register_part(part: TrackFilePart) -> None:
    """Add a part of tasks to track files."""
    _parts.append(part)


def track_file_parts() -> tuple[TrackFilePart, ...]:
    """Return all registered parts."""
    return tuple(_parts)


def register_list(entries: TrackFileList) -> None:
    """Add a list to the top level of track files."""
    _lists.append(entries)


def track_file_lists() -> tuple[TrackFileList, ...]:
    """Return all registered lists."""
    return tuple(_lists)


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


class DatesPart(PartSchema):
    """Dates in the time zone of the task, or with an offset."""

    time_zone: str = "UTC"
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    judging_at: datetime | None = None
    releases_at: datetime | None = None
    grace_minutes: int = Field(0, ge=0, le=LONGEST_GRACE // timedelta(minutes=1))


def moment_in(moment: datetime, zone: str) -> datetime:
    """Return a datetime of the file with a time zone: this one, unless the datetime has an offset."""
    return moment if moment.tzinfo else localize(moment, ZoneInfo(zone))


def _read_dates(task: Task) -> dict[str, Any]:
    zone = ZoneInfo(task.time_zone)
    moments = {name: getattr(task, name) for name in DATES}
    return {
        "time_zone": task.time_zone,
        **{name: moment.astimezone(zone).replace(tzinfo=None) for name, moment in moments.items() if moment},
        "grace_minutes": task.grace // timedelta(minutes=1),
    }


def _apply_dates(task: Task, part: DatesPart, _by: User) -> bool:
    values_set = part.model_dump(exclude_unset=True)
    zone_name = values_set.get("time_zone", task.time_zone)
    if zone_name not in zone_names():
        raise InputError(
            f"time_zone: there is no zone {zone_name}. Write one such as Europe/Berlin or UTC.",
            code="zone-unknown",
        )
    values: dict[str, Any] = {"time_zone": zone_name}
    for name in DATES:
        if moment := values_set.get(name):
            values[name] = moment_in(moment, zone_name)
    if "grace_minutes" in values_set:
        values["grace"] = timedelta(minutes=values_set["grace_minutes"])
    return set_fields(task, values)


class RulesPart(PartSchema):
    """Rules of runs, pools and measures."""

    max_per_topic: int = Field(1000, ge=1, lt=2**31)
    max_runs: int | None = Field(None, ge=1, lt=2**15)
    tag_max: int = Field(50, ge=1)
    pool_depth: int = Field(30, ge=1, lt=2**31)
    baseline_pool_depth: int = Field(25, ge=1, lt=2**31)
    measures: list[str] = []


def _read_rules(task: Task) -> dict[str, Any]:
    return {name: getattr(task, name) for name in RulesPart.model_fields if getattr(task, name) is not None}


def _apply_rules(task: Task, part: RulesPart, _by: User) -> bool:
    fields = part.model_dump(exclude_unset=True)
    if "measures" in fields:
        fields["measures"] = MeasuresField(forms.CharField()).clean(" ".join(fields["measures"]))
    return set_fields(task, fields)


class GradePart(PartSchema):
    """One grade of the scale."""

    grade: int
    name: str
    text: str = ""


class CriteriaPart(PartSchema):
    """The scale, its lowest relevant grade, and the instructions of assessors."""

    relevant_from: int = 1
    instructions: str = ""
    grades: list[GradePart]


def _read_criteria(task: Task) -> dict[str, Any] | None:
    criteria = Criteria.objects.filter(task=task).order_by("-version").first()
    if criteria is None or not criteria.words:
        return None
    return {
        "relevant_from": task.relevance_level,
        "instructions": criteria.instructions,
        "grades": criteria.words,
    }


def _apply_criteria(task: Task, part: CriteriaPart, _by: User) -> bool:
    before = _read_criteria(task)
    grades = [grade.model_dump() for grade in part.grades]
    save_criteria(task=task, grades=grades, instructions=part.instructions, level=part.relevant_from)
    return before != _read_criteria(task)


def _apply_families(task: Task, names: list[str], _by: User) -> bool:
    known = {family.name.lower() for family in Family.objects.filter(task=task)}
    new = [name for name in dict.fromkeys(names) if name.lower() not in known]
    for name in new:
        set_fields(Family(task=task), {"name": name})
    return bool(new)


class SharingPart(PartSchema):
    """Where people get the documents of the task's collection."""

    is_shared: bool = False
    address: str = ""


def _read_sharing(task: Task) -> dict[str, Any] | None:
    shared = {name: getattr(task.collection, name) for name in SharingPart.model_fields}
    return shared if any(shared.values()) else None


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


class QuestionPart(AskedPart):
    """A question of the submission form."""

    kind: Literal["text", "choice", "yes-no"] = "text"


def register_parts() -> None:
    """Register the parts of ``evaluation``. Called when Django starts."""
    families, asked = Family.objects, SubmissionQuestion.objects
    for part in (
        TrackFilePart("dates", DatesPart, _read_dates, _apply_dates, is_copied=False),
        TrackFilePart("rules", RulesPart, _read_rules, _apply_rules),
        TrackFilePart(
            "documents",
            SharingPart,
            _read_sharing,
            lambda task, part, _by: set_fields(task.collection, part.model_dump(exclude_unset=True)),
            is_copied=False,
        ),
        TrackFilePart("criteria", CriteriaPart, _read_criteria, _apply_criteria),
        TrackFilePart(
            "families",
            list[str],
            lambda task: list(families.filter(task=task).values_list("name", flat=True)),
            _apply_families,
            is_stored_one_by_one=True,
        ),
        TrackFilePart(
            "questions",
            list[QuestionPart],
            lambda task: read_questions(asked, task, QuestionPart.model_fields),
            lambda task, parts, _by: apply_questions(asked, task, parts),
            is_stored_one_by_one=True,
        ),
    ):
        register_part(part)
