"""Every page of a filled task, as its organizer gets it: time, processor, memory and statements."""

import os
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from django.test import Client

from tests.benchmarks.measuring import Row
from tests.benchmarks.sites.own import own_site

LIMIT = 0.2  # seconds by the clock, and of processor, of Python and PostgreSQL together
GETS = 7
MEMORY = 100  # MB
TICKS = os.sysconf("SC_CLK_TCK")


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """67,200 items and 302,400 judgments of 200, 20 and 6 assessors, and of 200 item by item, if full.

    Else 8,400 items and 37,800 judgments of 20 assessors.
    """
    with own_site(folder):
        from django.conf import settings
        from django.db import connection
        from django.test import Client

        from tests.filled_track import AIMED, CROWD, FEW_PEOPLE, TENTH, addresses, fill_track

        settings.ALLOWED_HOSTS = ["testserver"]
        for size in (AIMED, *FEW_PEOPLE, CROWD) if is_full else (TENTH,):
            track = fill_track(size)
            with connection.cursor() as cursor:
                cursor.execute("VACUUM ANALYZE")
            client = Client()
            client.force_login(track.organizer)
            beside = f" of {size.people} assessors" if size in FEW_PEOPLE else ""
            beside = " of a crowd" if size == CROWD else beside
            for name, address in addresses(track).items():
                if client.get(address).status_code == 200:
                    yield _row(client, f"{name}{beside}", address)


def _row(client: "Client", name: str, address: str) -> Row:
    """The median time of requests after the first, which has loaded modules and filled caches."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with CaptureQueriesContext(connection) as asked:
        client.get(address)
    statements = len(asked)  # later requests empty the log
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak) / 1024
    begun, times = processor_time(), []
    for _ in range(GETS):
        started = time.perf_counter()
        client.get(address)
        times.append(time.perf_counter() - started)
    taken, wall = (processor_time() - begun) / GETS, median(times)
    beside = f"peak memory {grown:+.0f} MB, {statements} statements"
    is_met = wall < LIMIT and taken < LIMIT and grown < MEMORY
    return Row(f"page {name}", f"{wall:.3f} s, {taken:.3f} s of processor", f"{LIMIT} s each", beside, is_met)


def processor_time() -> float:
    """Seconds of this process, its connection's server process, and the parallel workers that have ended."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        ((server,),) = cursor.fetchall()
    _, parent, *_ = fields = _stat(server)
    ended = _stat(int(parent))  # the postmaster counts workers when they end
    own = os.times()
    ticks = sum(map(int, [*fields[11:13], *ended[13:15]]))
    return own.user + own.system + ticks / TICKS


def _stat(process: int) -> list[str]:
    """The fields of /proc/[pid]/stat from the third, the state, on."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
