"""An organizer's actions on a whole pool: the requests that start them, and the work of the worker."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.bench_pages import processor_time
from tests.benchmarks.measuring import Row
from tests.benchmarks.sites.own import own_site

if TYPE_CHECKING:
    from tests.filled_track import FilledTrack

LIMIT = 10.0  # seconds of processor, of Python and PostgreSQL together
REQUEST_LIMIT = 0.5  # seconds: assessors' pages wait for the same processors
MEMORY = 500  # MB


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """A tenth of 84,000 items and 378,000 judgments, or all of them."""
    with own_site(folder, has_queue=True):
        from django.db import connection

        from assessment.assigning.actions import assign_topics, open_queue
        from assessment.publishing.actions import publish_judgments
        from evaluation.submissions.pools.actions import build_pool
        from tests.filled_track import FULL, TENTH, fill_track

        track = fill_track(FULL if is_full else TENTH)
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
        task, by = track.task, track.organizer
        depths = dict.fromkeys(task.runs.values_list("pk", flat=True), 20)
        draw = partial(build_pool, task=task, seed=1, by=by, depths=depths)
        first, second = draw(name="first"), draw(name="second")

        def assign() -> object:
            return assign_topics(pool=first, second_percent=100, seed=1, by=by, assessor_count=5)

        def queue() -> object:
            return open_queue(pool=second, percent=100, seed=1, assessor_count=6)

        yield _requests(track)
        yield _row("draw a pool", lambda: draw(name="third"))
        yield _row("assign its topics to five assessors each", assign)
        yield _row("queue its items", queue)
        yield _row("publish the judgments", lambda: publish_judgments(task=task, by=by))


def _requests(track: "FilledTrack") -> Row:
    """The longest of the requests that start an operation; no worker runs, so all of them stay queued."""
    from django.test import Client
    from django.urls import reverse

    task, client = track.task, Client(SERVER_NAME="localhost")  # one of the site's hosts
    client.force_login(track.organizer)
    first = task.pools.earliest("pk")
    depths = {f"depth_{run}": 20 for run in task.runs.values_list("pk", flat=True)}
    forms = {
        "preview": ("pool_build", depths | {"name": "new", "seed": 1, "preview": "yes"}),
        "freeze": ("pool_build", depths | {"name": "new", "seed": 1}),
        "assign": ("topics_assign", {"pool": first.pk, "second_percent": 0, "seed": 1}),
        "publish": ("judgments_publish", {"rule": "owner"}),
    }
    client.get(reverse("pool_build", args=[task.track.slug, task.slug]))  # loads modules and templates
    taken = {}
    for name, (page, form) in forms.items():
        begun = processor_time()
        answer = client.post(reverse(page, args=[task.track.slug, task.slug]), form)
        taken[name] = processor_time() - begun
        assert answer.status_code == 302, answer.content.decode()
    words = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in taken.items())
    is_met = max(taken.values()) < REQUEST_LIMIT
    return Row("requests that start them", words, f"{REQUEST_LIMIT} s each", "of processor", is_met)


def _row(name: str, work: Callable[[], object]) -> Row:
    Path("/proc/self/clear_refs").write_text("5")  # resets the peak
    before, begun = peak_memory(), processor_time()
    work()
    taken, grown = processor_time() - begun, peak_memory() - before
    is_met = taken < LIMIT and grown < MEMORY
    return Row(name, f"{taken:.1f} s of processor", f"{LIMIT} s", f"peak memory {grown:+.0f} MB", is_met)


def peak_memory() -> float:
    """Megabytes of this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
