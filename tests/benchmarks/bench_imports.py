"""Imports of 100,000 captions: the trial, and adding them; beside the first, adding the same again."""

import json
import os
import random
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from tests.benchmarks.measuring import Row, seconds_text

if TYPE_CHECKING:
    from evaluation.models import Task

COUNT = 100_000
MOST = 60  # seconds
WORDS = (
    "tarn",
    "glacier",
    "harbour",
    "lighthouse",
    "meadow",
    "bridge",
    "chapel",
    "harvest",
    "market",
    "orchid",
)


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """Seconds from the claim of a worker to the end, in a database of its own."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "evaluation.config.settings_test"
    os.environ["TRACKSIDE_TEST_VAR"] = str(folder / "var")
    import django  # the settings read the environment above

    django.setup()
    yield from _from_database(folder / "var", captions(seed=1))


def captions(seed: int) -> bytes:
    """JSON lines of about 300 bytes, as AToMiC's captions are on average."""
    chance = random.Random(seed)
    lines = [
        json.dumps({
            "docno": f"projected-{number:08d}-000",
            "caption_reference_description": " ".join(chance.choices(WORDS, k=12)),
            "caption_alt_text_description": " ".join(chance.choices(WORDS, k=6)),
            "caption_attribution_description": " ".join(chance.choices(WORDS, k=12)),
        })
        for number in range(COUNT)
    ]  # fmt: skip
    return "\n".join(lines).encode()


def _from_database(var: Path, content: bytes) -> Iterator[Row]:
    from django.core.management import call_command

    from evaluation.hosting.addresses import socket_folder
    from evaluation.hosting.embedded import EmbeddedServers, embedded_servers
    from tests.factories import make_task

    with ExitStack() as stack:
        stack.callback(shutil.rmtree, socket_folder(var), ignore_errors=True)
        servers = EmbeddedServers(var, has_database=True, has_queue=True, is_durable=True)
        stack.enter_context(embedded_servers(servers))
        call_command("migrate", verbosity=0)
        task = make_task()
        size = f"{COUNT:,} captions, {len(content) / 2**20:.0f} MiB"
        for name in ("first", "again"):
            trial, adding = _imported(task, content)
            beside = f"trial {seconds_text(trial)}; adding {seconds_text(adding)}"
            total = trial + adding
            yield Row(f"Import of {size}, {name}", seconds_text(total), "under 60 s", beside, total < MOST)


def _imported(task: "Task", content: bytes) -> tuple[float, float]:
    from django.core.files.base import ContentFile

    from evaluation.imports.actions import confirm_import, receive_import
    from evaluation.models import ImportKind, ImportState
    from evaluation.tasks import run_imports
    from tests.factories import make_organizer

    by = make_organizer(task.track)
    file = ContentFile(content, "captions.jsonl")
    made = receive_import(task=task, kind=ImportKind.COLLECTION, file=file, by=by)
    started = perf_counter()
    run_imports()
    trial = perf_counter() - started
    confirm_import(task_import=made, by=by)
    started = perf_counter()
    run_imports()
    made.refresh_from_db()
    assert made.state == ImportState.DONE
    assert sum((made.counts or {}).values()) == COUNT
    return trial, perf_counter() - started
