"""A track as a TOML file: export it, and create a track from a file.

Documents and topics come by imports, people by invitations. Other apps add parts of tasks and lists of the
track, such as judges.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import tomli_w
from django.core.exceptions import ValidationError
from django.db import transaction

from evaluation.collections.models import Collection
from evaluation.organizing.track_files.parts import LISTS, PARTS, set_fields
from evaluation.organizing.track_files.schema import (
    FileFault,
    Path,
    RegistrationPart,
    TaskPart,
    TeamPart,
    TrackPart,
    file_schema,
    parse_file,
    path_words,
    repeated_names,
)
from evaluation.platform.access.people import User, organizes
from evaluation.submissions.teams.membership import add_teams
from evaluation.submissions.teams.models import Team
from evaluation.submissions.teams.registration import EntryRules
from evaluation.tracks.actions import begin_task, begin_track
from evaluation.tracks.models import Task, TaskKind, Track
from trackside.errors import InputError


@dataclass
class CreatedTrack:
    """The track that a file creates, or all faults; with a fault nothing is stored."""

    track: Track | None = None
    faults: list[FileFault] = field(default_factory=list)


ANY_TRACK = {"slug": "any", "name": "any", "year": 2000}
REGISTRATION = "registration"  # the table of the track that is stored in a row of its own


def export_track(track: Track) -> str:
    """Return the track as TOML, without people, documents, topics, runs and judgments."""
    head = {name: getattr(track, name) for name in TrackPart.model_fields if name != REGISTRATION}
    rules = EntryRules.objects.of(track)
    registration = {name: getattr(rules, name) for name in RegistrationPart.model_fields}
    teams = Team.objects.filter(track=track)
    lists = {entries.key: entries.read(track) for entries in LISTS}
    content = {
        "track": head | {REGISTRATION: registration},
        **{key: entries for key, entries in lists.items() if entries},
        "teams": [{"name": team.name, "is_baseline": team.is_baseline} for team in teams],
        "tasks": [read_task(task) for task in track.tasks.select_related("collection").order_by("slug")],
    }
    return tomli_w.dumps(content, multiline_strings=True)


def read_task(task: Task) -> dict[str, Any]:
    """Return the task and its parts as plain values."""
    head = {name: getattr(task, name) for name in ("slug", "name", "kind", "guidelines")}
    if task.is_practice:
        head["is_practice"] = True
    parts = {part.key: part.read(task) for part in PARTS}
    return {**head, "collection": task.collection.name} | {
        key: value for key, value in parts.items() if value not in (None, [])
    }


@transaction.atomic
def copy_settings(*, source: Task, target: Task, by: User) -> None:
    """Copy guidelines, rules, criteria, families, questions and plan from a task that the person organizes.

    Dates, teams, documents, topics and gold pairs are not copied. Raises not-yours.
    """
    if not organizes(by, source.track_id):
        raise InputError("You do not organize the task whose settings you copy.", code="not-yours")
    texts = {name: getattr(source.track, name) for name in ("description", "guidelines", "licence")}
    if source.track_id != target.track_id:
        missing = {name: text for name, text in texts.items() if not getattr(target.track, name)}
        set_fields(target.track, missing)
    set_fields(target, {"guidelines": source.guidelines})
    content = read_task(source)
    wanted = {part.key for part in PARTS if part.is_copied}
    known = {key: value for key, value in content.items() if key in {*wanted, *TaskPart.model_fields}}
    parsed = file_schema().model_validate({"track": ANY_TRACK, "tasks": [known]})
    for file_part in PARTS:
        if (value := getattr(cast("Any", parsed).tasks[0], file_part.key)) is not None:
            file_part.apply(target, value, by)


def create_track(*, text: str, by: User) -> CreatedTrack:
    """Create the track that the file names; for the site's staff. With a fault, nothing is stored."""
    if not by.is_superuser:
        return CreatedTrack(faults=[FileFault("track", "Only the site's staff make tracks.")])
    parsed = parse_file(text)
    if isinstance(parsed, list):
        return CreatedTrack(faults=parsed)
    creation = _Creation(by)
    with transaction.atomic():
        creation.create(parsed)
        if creation.result.faults:
            transaction.set_rollback(True)
    return creation.result


class _Creation:
    """Creates the parts of a parsed file one by one, and notes all faults."""

    def __init__(self, by: User) -> None:
        self.by, self.result = by, CreatedTrack()

    def create(self, parsed: Any) -> None:
        """Create the track, then its lists, then its teams, then its tasks."""
        for path, name in repeated_names(parsed):
            self._fault(path, f"“{name}” is named twice. Keep one entry.")
        track = self._result_of(("track",), lambda: self._track(parsed.track))
        if track is None:
            return
        for entries in LISTS:
            for index, entry in enumerate(getattr(parsed, entries.key)):
                self._result_of((entries.key, index), partial(entries.apply, track, entry, self.by))
        self._teams(track, parsed.teams)
        for index, part in enumerate(parsed.tasks):
            self._task(track, index, part)

    def _result_of(self, path: Path, act: Callable[[], Any]) -> Any:
        """Return the result of ``act``; if it fails, note the fault, roll ``act`` back and return None."""
        try:
            with transaction.atomic():
                return act()
        except InputError as error:
            self._fault(path, str(error))
        except ValidationError as error:
            for name, words in _messages(error):
                self._fault((*path, name) if name else path, words)
        return None

    def _fault(self, path: Path, what: str) -> None:
        self.result.faults.append(FileFault(path_words(path), what))

    def _track(self, part: TrackPart) -> Track:
        track = begin_track(name=part.name, slug=part.slug, year=part.year, by=self.by)
        set_fields(track, part.model_dump(exclude={REGISTRATION}))
        if part.registration:
            set_fields(EntryRules(track=track), part.registration.model_dump())
        self.result.track = track
        return track

    def _teams(self, track: Track, parts: Sequence[TeamPart]) -> None:
        problems = add_teams(track=track, teams={part.name: part.is_baseline for part in parts})
        for index, part in enumerate(parts):
            if part.name in problems:
                self._fault(("teams", index), problems[part.name])

    def _task(self, track: Track, index: int, part: Any) -> None:
        task = self._result_of(("tasks", index), lambda: self._task_itself(track, part))
        for file_part in PARTS if task else ():
            if (value := getattr(part, file_part.key)) is not None:
                apply = partial(file_part.apply, task, value, self.by)
                self._result_of(("tasks", index, file_part.key), apply)

    def _task_itself(self, track: Track, part: TaskPart) -> Task:
        if part.kind not in TaskKind.values:
            raise ValidationError({"kind": f"Choose one of {', '.join(TaskKind.values)}."})
        shared = Collection.objects.filter(track=track, name__iexact=part.collection).first()
        task = begin_task(
            track=track,
            name=part.name,
            slug=part.slug,
            kind=TaskKind(part.kind),
            is_practice=part.is_practice,
        )
        begun = task.collection
        set_fields(task, {"guidelines": part.guidelines, "collection": shared or begun})
        if shared:
            begun.delete()
        else:
            set_fields(begun, {"name": part.collection})
        return task


def _messages(error: ValidationError) -> list[tuple[str, str]]:
    """Return (field, message) of each fault; the field is empty for faults of the whole row."""
    if not hasattr(error, "error_dict"):
        return [("", message) for message in error.messages]
    return [
        ("" if name == "__all__" else name, message)
        for name, messages in error.message_dict.items()
        for message in messages
    ]
