"""The schema of a track file, its parser and its faults."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import Field, create_model
from pydantic import ValidationError as SchemaFaults

from evaluation.organizing.track_files.parts import LISTS, PARTS, PartSchema

MOST_PARTS = 16  # of a dotted key; those of a track file have at most 3
# Possessive quantifiers do not backtrack, so the pattern reads each character a bounded number of times.
_PART = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""
LONG_KEY = re.compile(rf"(?<![A-Za-z0-9_-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MOST_PARTS}}}")
SLUG = r"^[a-zA-Z0-9_-]{1,50}$"
MAX_FILE = 2**20  # bytes of a track file
# A web request makes the track, so it must end within seconds.
MOST_TEAMS, MOST_TASKS = 1000, 20  # per file; a task takes some 50 ms
MOST_ENTRIES = 5000  # of all lists of a file together
MOST_ROWS = 100  # entries of all parts that are stored one by one; each takes some 5 ms
MOST_FAULTS = 100  # maximum faults of a file's form that are described
NO_NUL = "it contains NUL, which cannot be stored. Remove it."

Path = tuple[str | int, ...]


class RegistrationPart(PartSchema):
    """What teams need before they can upload."""

    needs_approval: bool = False


class TrackPart(PartSchema):
    """The track itself."""

    slug: str = Field(pattern=SLUG)
    name: str = Field(min_length=1, max_length=120)
    year: int = Field(ge=1992, le=2100)
    description: str = ""
    guidelines: str = ""
    licence: str = Field("", max_length=120)
    citation: str = ""
    doi: str = Field("", max_length=120)
    has_public_runs: bool = False
    registration: RegistrationPart | None = None


class TeamPart(PartSchema):
    """A team without its people."""

    name: str = Field(min_length=1, max_length=60)
    is_baseline: bool = False


class TaskPart(PartSchema):
    """A task; ``PARTS`` adds its further keys."""

    slug: str = Field(pattern=SLUG)
    name: str = Field(min_length=1, max_length=120)
    kind: str
    collection: str = Field(min_length=1, max_length=120)
    guidelines: str = ""
    is_practice: bool = False


@dataclass(frozen=True)
class FileFault:
    """A fault of a file: the path of keys, and how to fix it."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where or 'file'}: {self.what}"


@cache
def file_schema() -> type[PartSchema]:
    """Return the schema of a track file, with the parts of all apps."""
    more: dict[str, Any] = {part.key: (part.schema | None, None) for part in PARTS}
    task = create_model("TaskPart", __base__=TaskPart, **more)
    lists: dict[str, Any] = {}
    for entries in LISTS:
        lists[entries.key] = (list[entries.schema], Field([], max_length=entries.most))  # type: ignore[name-defined]
    return create_model(
        "TrackFile",
        __base__=PartSchema,
        track=(TrackPart, ...),
        teams=(list[TeamPart], Field([], max_length=MOST_TEAMS)),
        tasks=(list[task], Field([], max_length=MOST_TASKS)),  # type: ignore[valid-type]  # the registered parts
        **lists,
    )


def parse_file(text: str) -> Any | list[FileFault]:
    """Return the parsed file, or its faults of form, at most MOST_FAULTS of them."""
    text = text.removeprefix("\ufeff")  # editors of Windows begin a file with a byte order mark
    if "\0" in text:
        return [FileFault("", NO_NUL)]
    if LONG_KEY.search(text):  # tomllib takes quadratic time for it
        return [FileFault("", f"A key has more than {MOST_PARTS} parts with full stops between them.")]
    try:
        content = tomllib.loads(text)
        nul = _path_of_nul(content)
        count = _entry_count(content)
    except (ValueError, RecursionError) as error:  # ValueError, also for numbers of more than 4,300 digits
        return [FileFault("", f"This is not TOML: {error}.")]
    if nul:
        return [FileFault(path_words(nul), NO_NUL)]
    if count > MOST_ENTRIES:
        words = (
            f"The lists of this file have {count:,} entries; at most {MOST_ENTRIES:,} are allowed. Split it."
        )
        return [FileFault("", words)]
    try:
        parsed = file_schema().model_validate(content)
    except SchemaFaults as error:
        return [FileFault(path_words(fault["loc"]), _what(fault)) for fault in error.errors()[:MOST_FAULTS]]
    if (count := _row_count(parsed)) > MOST_ROWS:
        words = (
            f"The tasks of this file have {count:,} families and questions; at most {MOST_ROWS:,} are "
            "allowed. Split it."
        )
        return [FileFault("", words)]
    return parsed


def _what(fault: Any) -> str:
    """Return pydantic's fault in words that tell a writer of files what to do."""
    if fault["type"] == "extra_forbidden":
        return "no such key belongs here. Correct its spelling or remove it."
    return f"{fault['msg']}."


def repeated_names(parsed: Any) -> Iterator[tuple[Path, str]]:
    """Yield path and name of each team, task, question and judge that shares the name of an earlier one."""
    for key in ("teams", *(entries.key for entries in LISTS)):
        yield from _repeated_in(getattr(parsed, key), (key,), "name")
    yield from _repeated_in(parsed.tasks, ("tasks",), "slug")
    for index, task in enumerate(parsed.tasks):
        for part in PARTS:
            rows = getattr(task, part.key)
            if isinstance(rows, list) and rows and hasattr(rows[0], "name"):
                yield from _repeated_in(rows, ("tasks", index, part.key), "name")


def _repeated_in(rows: Iterable[Any], path: Path, key: str) -> Iterator[tuple[Path, str]]:
    seen: set[str] = set()
    for index, row in enumerate(rows):
        name = getattr(row, key)
        if name in seen:
            yield (*path, index, key), name
        seen.add(name)


def _row_count(parsed: Any) -> int:
    """Count the entries of all parts of tasks that are stored one by one."""
    parts = [part.key for part in PARTS if part.is_stored_one_by_one]
    return sum(len(getattr(task, key) or ()) for task in parsed.tasks for key in parts)


def _path_of_nul(value: Any, path: Path = ()) -> Path:
    """Return the path of a text with NUL, which TOML can write as an escape; empty if there is none."""
    if isinstance(value, str):
        return path if "\0" in value else ()
    pairs: Any = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    return next((inner for key, part in pairs if (inner := _path_of_nul(part, (*path, key)))), ())


def _entry_count(value: Any) -> int:
    """Count the entries of all lists in the value."""
    if isinstance(value, dict):
        return sum(map(_entry_count, value.values()))
    return len(value) + sum(map(_entry_count, value)) if isinstance(value, list) else 0


def path_words(path: Path) -> str:
    """Return a path for readers: ``tasks 1 criteria grades 2 name``, counted from 1."""
    return " ".join(str(part + 1) if isinstance(part, int) else part for part in path)
