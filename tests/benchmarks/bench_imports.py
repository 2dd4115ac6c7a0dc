"""Imports of documents as JSON lines: trial and adding; with --full ten million, and lists of them."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

from evaluation.models import Task
from evaluation.platform.access.people import User
from tests.addresses.rows_read import Reading
from tests.benchmarks.import_costs import ImportCost, import_cost
from tests.benchmarks.measuring import Row
from tests.benchmarks.sites.own import own_site

LEAST = 20_000  # rows a second
COUNT, LARGER, BYTES = 100_000, 400_000, 1_033  # documents, and bytes of each
MOST_GROWTH = 1.2  # of the peak memory, from COUNT to LARGER
FULL_COUNTS, FULL_BYTES = (100_000, 1_000_000, 10_000_000), 500
MOST_EXPONENT = 1.1  # of the processor time, over FULL_COUNTS
SERVED = 0.1  # seconds in PostgreSQL
# Rows: lists end at 10,000 documents, searches after 10,000; a page counts up to 100,000 documents, those
# without a picture, and once more for its panel, from indexes.
MOST_READ = 350_000
WORDS = ("tarn", "glacier", "harbour", "lighthouse", "meadow", "bridge", "chapel", "market", "orchid")


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """Imports into a separate database, from the claim of a worker to the end."""
    with own_site(folder, has_queue=True, is_durable=True):
        from tests.factories import make_task

        task = make_task()
        small = [*_imported(task, folder, COUNT, BYTES)]
        yield from _rates(small, COUNT, BYTES)
        yield from _rates([*_imported(task, folder, COUNT, BYTES)], COUNT, BYTES, ", the same again")
        larger = [*_imported(make_task(), folder, LARGER, BYTES)]
        yield from _rates(larger, LARGER, BYTES)
        yield _growth({COUNT: small, LARGER: larger})
        if is_full:
            yield from _ten_million(folder)


def _ten_million(folder: Path) -> Iterator[Row]:
    """Three sizes, each into its own collection: rates, growth, disk space, and lists of the largest."""
    from django.db import connection

    from tests.factories import make_task

    found = {}
    for count in FULL_COUNTS:
        task, before = make_task(topic_count=1), _space()
        found[count] = [*_imported(task, folder, count, FULL_BYTES)]
        yield from _rates(found[count], count, FULL_BYTES)
    yield _growth(found)
    for place, name in enumerate(("trial", "adding")):
        costs = {float(count): sum(each[place].cpu.values()) for count, each in found.items()}
        yield Row.growth(
            f"processor time of the {name}, documents of {FULL_BYTES} bytes", costs, MOST_EXPONENT
        )
    table, indexes = ((now - then) / count for now, then in zip(_space(), before, strict=True))
    what = f"disk space of one of {count:,} documents of {FULL_BYTES} bytes, with its indexes"
    yield Row(what, f"{table:.0f} bytes", "", f"indexes {indexes:.0f} bytes")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE evaluation_document")  # as autovacuum does, a minute later
    yield from _lists(task, count)


def _space() -> tuple[int, int]:
    """Bytes of the documents with their indexes, and of the indexes."""
    from django.db import connection

    table = "'evaluation_document'"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_total_relation_size({table}), pg_indexes_size({table})")
        ((total, indexes),) = cursor.fetchall()
    return total, indexes


def write_documents(path: Path, count: int, size: int) -> None:
    """JSON lines of ``size`` bytes: a title, a caption, and a text with the rest."""
    chance = random.Random(1)
    words = " ".join(chance.choices(WORDS, k=20_000))
    with path.open("w") as file:
        for number in range(count):
            at = chance.randrange(len(words) - size)
            values = {"docno": docno(number), "title": words[at : at + 40], "caption": words[at : at + 120]}
            values["text"] = ""
            values["text"] = words[at : at + size - len(json.dumps(values)) - 1]
            file.write(json.dumps(values) + "\n")


def docno(number: int) -> str:
    """A docno of 22 characters, as AToMiC's."""
    return f"projected-{number:08d}-000"


def _imported(task: Task, folder: Path, count: int, size: int) -> Iterator[ImportCost]:
    """The costs of the trial and of the adding."""
    from django.core.files import File

    from evaluation.models import ImportKind, ImportState
    from evaluation.organizing.imports.actions import confirm_import, receive_import
    from evaluation.tasks import run_imports
    from tests.factories import make_organizer

    by, path = make_organizer(task.track), folder / "documents.jsonl"
    write_documents(path, count, size)
    with path.open("rb") as file:
        made = receive_import(task=task, kind=ImportKind.COLLECTION, file=File(file, path.name), by=by)
    path.unlink()
    with import_cost() as trial:
        run_imports()
    yield trial
    confirm_import(task_import=made, by=by)
    with import_cost() as adding:
        run_imports()
    yield adding
    made.refresh_from_db()
    assert made.state == ImportState.DONE, made.error
    assert sum((made.counts or {}).values()) == count


def _rates(costs: list[ImportCost], count: int, size: int, again: str = "") -> Iterator[Row]:
    for name, cost in zip(("trial", "adding"), costs, strict=True):
        what = f"Import of {count:,} documents of {size:,} bytes{again}, {name}"
        beside = f"{cost.wall:.1f} s; {cost.cpu_text()}; {cost.memory_text()}"
        figure = f"{cost.rate(count):,.0f} a second, {cost.cpu_rate(count):,.0f} a second of processor"
        yield Row(what, figure, f"{LEAST:,} a second", beside, cost.rate(count) >= LEAST)


def _growth(costs: dict[int, list[ImportCost]]) -> Row:
    """The worst growth of the peak of a process, of worker and sandbox; the server's is below 100 MB."""
    least, most = min(costs), max(costs)
    growth = max(
        many.memory[part] / few.memory[part]
        for few, many in zip(costs[least], costs[most], strict=True)
        for part in ("worker", "sandbox")
    )
    return Row.below(f"peak memory for {most:,} documents over that for {least:,}", growth, MOST_GROWTH)


def _lists(task: Task, count: int) -> Iterator[Row]:
    """Pages that list and search the documents: seconds in PostgreSQL, and rows that it reads."""
    from django.urls import reverse

    from tests.factories import make_organizer

    by = make_organizer(task.track)
    gold = reverse("setup_gold", args=[task.track.slug, task.slug])
    for name, address in {
        "documents to pick gold pairs from": gold,
        "the same after nine tenths of them": f"{gold}?after={docno(count * 9 // 10)}",
        "their search for a rare word": f"{gold}?words=nowhere",
        "the page of the collection": reverse("setup_collection", args=[task.track.slug, task.slug]),
        "the page of the task": reverse("task_detail", args=[task.track.slug, task.slug]),
    }.items():
        taken, reading = _served(by, address)
        is_scanned = "evaluation_document" in reading.scanned
        what = f"{count:,} documents, {name}"
        figure = f"{taken * 1000:.0f} ms in PostgreSQL, {reading.rows:,} rows read"
        target = f"{SERVED * 1000:.0f} ms, {MOST_READ:,}, no sequential scan"
        is_met = taken < SERVED and reading.rows < MOST_READ and not is_scanned
        yield Row(what, figure, target, "a sequential scan" if is_scanned else "", is_met)


def _served(by: User, address: str) -> tuple[float, Reading]:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from tests.addresses.rows_read import rows_read

    client = Client(SERVER_NAME="localhost")  # one of the site's hosts
    client.force_login(by)
    assert client.get(address).status_code == 200, address  # reads the pages of the index, and permissions
    with CaptureQueriesContext(connection) as asked:
        client.get(address)
    with rows_read() as reading:
        client.get(address)
    return sum(float(each["time"]) for each in asked.captured_queries), reading
