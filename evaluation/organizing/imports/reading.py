"""Read the files of imports in a sandbox, and store the progress."""

import json
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import IO, Any, TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from evaluation.collections.blobs import Image
from evaluation.collections.chosen_fields import ImportKind
from evaluation.collections.storing import keep_image, parts_of
from evaluation.organizing.imports.models import Import
from evaluation.tracks.work.queueing import ClaimLost
from evaluation.tracks.work.sandbox import sandbox
from trackside.imports.faults import Faults
from trackside.sandbox.limits import Limits
from trackside.sandbox.messages import Message

CPU_SECONDS = 120
CPU_SECONDS_A_MEGABYTE = 10  # a megabyte of small pictures takes 3 s
SILENCE_SECONDS = 60.0
MOST_RUNS = 1000  # maximum files of an archive; the check of each takes a second or more


def read_import(
    *,
    task_import: Import,
    job: str,
    file: IO[bytes],
    faults: Faults,
    values: Mapping[str, Any],
    content: bytes = b"",
) -> Iterator[Message]:
    """Yield the messages of a sandbox job on the file; add the faults that it finds to ``faults``.

    Questions about pictures are answered, and new pictures are stored. Raises FileRefused, LimitReached,
    SandboxCrashed.
    """
    with sandbox(job, file, limits=_limits(task_import, job), values=values, content=content) as running:
        for message in running.messages():
            if message.kind == "is_known":
                running.answer({"answer": Image.objects.filter(pk=message.values["sha256"]).exists()})
            elif message.kind == "image":
                keep_image(**parts_of(message))
            elif message.kind == "faults":
                faults.add_values(json.loads(message.content))
            elif message.kind == "found":
                _store_found(task_import, json.loads(message.content))
            else:
                yield message


def read_rows(
    task_import: Import, file: IO[bytes], faults: Faults, *, is_trial: bool
) -> Iterator[tuple[int, bytes]]:
    """Yield the topics or documents of the file in batches: their number, and their lines for COPY.

    The columns are those of ``copy_line``. Pictures are stored unless ``is_trial``.
    Raises as ``read_import``.
    """
    values = {
        "kind": "docnos" if task_import.kind == ImportKind.CORPUS else str(task_import.kind),
        "columns": str(task_import.options.get("columns", "")).split(),
        "choice": task_import.choice,
        "is_trial": is_trial,
    }
    for message in read_import(
        task_import=task_import, job="records", file=file, faults=faults, values=values
    ):
        yield int(message.values["count"]), message.content


def read_pairs(
    task_import: Import,
    file: IO[bytes],
    faults: Faults,
    *,
    topics: Collection[str],
    numbers: Mapping[int, int],
) -> Iterator[tuple[str, str, int | None]]:
    """Yield (topic, docno, grade) of qrels lines, grade None if not judged. Raises as ``read_import``.

    ``numbers`` has the number in the file for each grade of the scale.
    """
    for message in read_import(
        task_import=task_import,
        job="grades",
        file=file,
        faults=faults,
        values={"numbers": list(numbers.items())},
        content=json.dumps(list(topics)).encode(),
    ):
        yield from json.loads(message.content)


def read_members(task_import: Import, file: IO[bytes], faults: Faults, most: int) -> Iterator[Message]:
    """Yield the files of an archive, of at most ``most`` bytes: messages of the kinds member and unreadable.

    The archive may hold MOST_RUNS files. Raises as ``read_import``.
    """
    values = {"most": most, "most_files": MOST_RUNS}
    return read_import(task_import=task_import, job="archive", file=file, faults=faults, values=values)


def _limits(task_import: Import, job: str) -> Limits:
    size = task_import.upload.size
    seconds = CPU_SECONDS + CPU_SECONDS_A_MEGABYTE * size // 1_000_000
    limits = Limits.for_file(size, cpu_seconds=seconds, silence_seconds=SILENCE_SECONDS)
    if job == "archive":  # the sandbox holds one whole file in memory
        return replace(limits, memory=limits.memory + settings.MAX_UPLOAD_BYTES)
    return limits


Thing = TypeVar("Thing")
EVERY = 1.0  # seconds between two counts


def note_progress(
    things: Iterable[Thing], *, task_import: Import, count_of: Callable[[Thing], int] = lambda _: 1
) -> Iterator[Thing]:
    """Yield the things, and once a second store how many records were consumed.

    ``count_of`` returns the number of records of a thing. Raises ClaimLost, when it stores the count, if
    another worker has claimed the import.
    """
    stored_at = time.monotonic()
    count = 0
    for thing in things:
        count += count_of(thing)
        yield thing
        if time.monotonic() - stored_at >= EVERY:
            _store_count(task_import, count)
            stored_at = time.monotonic()
    _store_count(task_import, count)


def _store_found(task_import: Import, facts: dict[str, Any]) -> None:
    """Store the fields of the file and its first records."""
    if not task_import.as_claimed().update(fields=facts["fields"], samples=facts["samples"]):
        raise ClaimLost(f"{task_import}: another worker has taken over.")


def _store_count(task_import: Import, count: int) -> None:
    """Store the count, and renew the claim: the heartbeat skips a row that short transactions keep locked."""
    transaction.get_connection().ensure_connection()
    if not task_import.as_claimed().update(seen_count=count, seen_at=Now()):
        raise ClaimLost(f"{task_import}: another worker has taken over.")
