"""The parts of tasks in a track file that ``evaluation`` adds: dates, rules, criteria and others."""

from datetime import datetime, timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo

from django import forms
from pydantic import Field

from evaluation.collections.chosen_fields import ImportKind
from evaluation.organizing.imports.actions import latest_choice, set_chosen_fields
from evaluation.organizing.track_files.parts import (
    PARTS,
    AskedPart,
    PartSchema,
    TrackFilePart,
    create_questions,
    read_questions,
    set_fields,
)
from evaluation.platform.access.people import User
from evaluation.submissions.runs.families import Family
from evaluation.submissions.runs.submission import SubmissionQuestion
from evaluation.tracks.actions import save_criteria
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.forms import MeasuresField
from evaluation.tracks.models import DATES, Task
from trackside.errors import InputError
from trackside.imports.fields import FieldChoice
from trackside.text.time_zones import LONGEST_GRACE, localize, zone_names


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


def _apply_dates(task: Task, part: DatesPart, _by: User) -> None:
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
    set_fields(task, values)


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


def _apply_rules(task: Task, part: RulesPart, _by: User) -> None:
    fields = part.model_dump(exclude_unset=True)
    if "measures" in fields:
        fields["measures"] = MeasuresField(forms.CharField()).clean(" ".join(fields["measures"]))
    set_fields(task, fields)


class GradePart(PartSchema):
    """One grade of the scale."""

    grade: int
    name: str
    text: str = ""
    written: int | None = None


class CriteriaPart(PartSchema):
    """The scale, its lowest relevant grade, and the instructions of assessors."""

    relevant_from: int = 1
    instructions: str = ""
    grades: list[GradePart]
    nominal_name: str = ""
    nominal_reasons: list[str] = []


def _read_criteria(task: Task) -> dict[str, Any] | None:
    criteria = Criteria.objects.filter(task=task).order_by("-version").first()
    if criteria is None or not criteria.words:
        return None
    return {
        "relevant_from": task.relevance_level,
        "instructions": criteria.instructions,
        "grades": criteria.words,
    } | (
        {"nominal_name": criteria.nominal_name, "nominal_reasons": criteria.reasons}
        if criteria.nominal_name
        else {}
    )


def _apply_criteria(task: Task, part: CriteriaPart, _by: User) -> None:
    grades = [grade.model_dump(exclude_none=True) for grade in part.grades]
    save_criteria(
        task=task,
        grades=grades,
        instructions=part.instructions,
        level=part.relevant_from,
        nominal_name=part.nominal_name,
        nominal_reasons=part.nominal_reasons,
    )


def _apply_families(task: Task, names: list[str], _by: User) -> None:
    for name in dict.fromkeys(names):
        set_fields(Family(task=task), {"name": name})


class SharingPart(PartSchema):
    """Where people get the documents of the task's collection."""

    is_shared: bool = False
    address: str = ""


def _read_sharing(task: Task) -> dict[str, Any] | None:
    shared = {name: getattr(task.collection, name) for name in SharingPart.model_fields}
    return shared if any(shared.values()) else None


class QuestionPart(AskedPart):
    """A question of the submission form."""

    kind: Literal["text", "choice", "yes-no"] = "text"


IMPORT_KINDS = {"topics": ImportKind.TOPICS, "documents": ImportKind.COLLECTION}


class FieldsPart(PartSchema):
    """The uses of the fields of one kind of file; fields that are not named are used as proposed."""

    id: str = ""
    texts: list[str] = Field([], max_length=1000)
    picture: str = ""
    stratum: str = ""
    note: str = ""
    rows: str = ""
    left_out: list[str] = Field([], max_length=1000)
    roles: dict[str, str] | None = None


class ImportsPart(PartSchema):
    """The uses with which new imports of the task begin."""

    topics: FieldsPart | None = None
    documents: FieldsPart | None = None


def _read_imports(task: Task) -> dict[str, Any] | None:
    choices = {name: latest_choice(task, kind) for name, kind in IMPORT_KINDS.items()}
    return {name: choice for name, choice in choices.items() if choice} or None


def _apply_imports(task: Task, part: ImportsPart, _by: User) -> None:
    for name, kind in IMPORT_KINDS.items():
        if fields := getattr(part, name):
            set_chosen_fields(task, kind, FieldChoice.from_json(fields.model_dump()).to_json())


def register_parts() -> None:
    """Add the parts of ``evaluation``. Called when Django starts."""
    families, asked = Family.objects, SubmissionQuestion.objects
    PARTS.extend(
        (
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
                lambda task, parts, _by: create_questions(asked, task, parts),
                is_stored_one_by_one=True,
            ),
            TrackFilePart("imports", ImportsPart, _read_imports, _apply_imports),
        )
    )
