"""A track as a TOML file: export it, check a file, apply it.

A file names what it sets. What it does not name stays, and nothing is deleted: applying a file twice changes
nothing the second time. Documents and topics come by imports, people by invitations. Other apps add parts of
tasks and lists of the track, such as judges.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import tomli_w
from django.core.exceptions import ValidationError
from django.db import transaction

from evaluation.access.people import User, organizes
from evaluation.collections.models import Collection
from evaluation.teams.membership import add_teams
from evaluation.teams.models import Team
from evaluation.track_files.parts import (
    LISTS,
    PARTS,
    set_fields,
)
from evaluation.track_files.schema import (
    FileFault,
    Path,
    TaskPart,
    TeamPart,
    TrackPart,
    apply_registration,
    file_schema,
    parse_file,
    path_words,
    read_registration,
    repeated_names,
)
from evaluation.tracks.actions import begin_task, begin_track
from evaluation.tracks.archiving import check_not_archived
from evaluation.tracks.models import Task, TaskKind, Track
from trackside.errors import InputError
from trackside.text.names import check_visible


@dataclass
class Applied:
    """The track that a file names, the changes, and all faults; with a fault nothing changes."""

    track: Track | None = None
    changes: list[str] = field(default_factory=list)
    faults: list[FileFault] = field(default_factory=list)


ANY_TRACK = {"slug": "any", "name": "any", "year": 2000}
REGISTRATION = "registration"  # the table of the track that is stored in a row of its own


def export_track(track: Track) -> str:
    """Return the track as TOML, without people, documents, topics, runs and judgments."""
    head = {name: getattr(track, name) for name in TrackPart.model_fields if name != REGISTRATION}
    teams = Team.objects.filter(track=track)
    lists = {entries.key: entries.read(track) for entries in LISTS}
    content = {
        "track": head | {REGISTRATION: read_registration(track)},
        **{key: entries for key, entries in lists.items() if entries},
        "teams": [{"name": team.name, "is_baseline": team.is_baseline} for team in teams],
        "tasks": [read_task(task) for task in track.tasks.select_related("collection").order_by("slug")],
    }
    return tomli_w.dumps(content, multiline_strings=True)


def read_task(task: Task) -> dict[str, Any]:
    """Return the task and its parts as plain values."""
    head = {name: getattr(task, name) for name in ("slug", "name", "kind", "guidelines")}
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


def apply_track(*, text: str, by: User, is_trial: bool = False) -> Applied:
    """Create or change the track by the file; if it has faults, change nothing and return all of them.

    With ``is_trial`` change nothing either; ``changes`` are those that the file would make.
    """
    if not (by.is_superuser or Track.objects.organized_by(by).exists()):
        return Applied(faults=[FileFault("track", "You organize no track. The site's staff make tracks.")])
    parsed = parse_file(text)
    if isinstance(parsed, list):
        return Applied(faults=parsed)
    run = _Application(by)
    with transaction.atomic():
        run.apply(parsed)
        if is_trial or run.result.faults:
            transaction.set_rollback(True)
    return run.result


class _Application:
    """Applies a parsed file part by part, and notes changes and faults."""

    def __init__(self, by: User) -> None:
        self.by, self.result = by, Applied()

    def apply(self, parsed: Any) -> None:
        """Apply the track, then its lists, then its teams, then its tasks."""
        for path, name in repeated_names(parsed):
            self._fault(path, f"“{name}” is named twice. Keep one entry.")
        track = self._result_of(("track",), lambda: self._track(parsed.track))
        if track is None:
            return
        registration = parsed.track.registration
        if registration and self._result_of(
            ("track", REGISTRATION), lambda: apply_registration(track, registration)
        ):
            self._note(f"track {track.slug}: registration changed")
        for entries in LISTS:
            for index, entry in enumerate(getattr(parsed, entries.key)):
                apply = partial(entries.apply, track, entry, self.by)
                if change := self._result_of((entries.key, index), apply):
                    self._note(change)
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

    def _note(self, words: str) -> None:
        self.result.changes.append(words)

    def _track(self, part: TrackPart) -> Track:
        track = Track.objects.organized_by(self.by).filter(slug=part.slug).first()
        if track is None and not self.by.is_superuser:
            raise InputError(
                f"You organize no track {part.slug}. The site's staff make tracks.", code="not-yours"
            )
        if track is None:
            track = begin_track(name=part.name, slug=part.slug, year=part.year, by=self.by)
            self._note(f"track {part.slug}: new")
        check_not_archived(track)
        if set_fields(track, part.model_dump(exclude_unset=True, exclude={REGISTRATION})):
            self._note(f"track {part.slug}: changed")
        self.result.track = track
        return track

    def _teams(self, track: Track, parts: Sequence[TeamPart]) -> None:
        wanted = {index: (part.name, part.is_baseline) for index, part in enumerate(parts)}
        lines, problems = add_teams(track=track, teams=wanted)
        self.result.changes += lines
        for index, problem in problems.items():
            self._fault(("teams", index), problem)

    def _task(self, track: Track, index: int, part: Any) -> None:
        task = self._result_of(("tasks", index), lambda: self._task_itself(track, part))
        for file_part in PARTS if task else ():
            if (value := getattr(part, file_part.key)) is not None:
                apply = partial(file_part.apply, task, value, self.by)
                if self._result_of(("tasks", index, file_part.key), apply):
                    self._note(f"task {task.slug}: {file_part.key} changed")

    def _task_itself(self, track: Track, part: TaskPart) -> Task:
        if part.kind not in TaskKind.values:
            raise ValidationError({"kind": f"Choose one of {', '.join(TaskKind.values)}."})
        check_visible(part.name)
        task = Task.objects.filter(track=track, slug=part.slug).select_related("track", "collection").first()
        if task is None:
            task = begin_task(track=track, name=part.name, slug=part.slug, kind=TaskKind(part.kind))
            self._note(f"task {part.slug}: new")
        collection = Collection.objects.filter(track=track, name__iexact=part.collection).first()
        if collection is None:
            current = task.collection
            is_free = not current.documents.exists() and current.tasks.count() == 1
            collection = current if is_free else Collection(track=track)
            set_fields(collection, {"name": part.collection})
        values = {"name": part.name, "kind": part.kind, "collection": collection}
        if "guidelines" in part.model_fields_set:
            values["guidelines"] = part.guidelines
        if task.runs.exists() and (task.kind, task.collection) != (part.kind, collection):
            raise ValidationError({"kind": "Runs were checked against kind and collection. Keep both."})
        if set_fields(task, values):
            self._note(f"task {part.slug}: changed")
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
