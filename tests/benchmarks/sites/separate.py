"""A separate site for a benchmark, and the resources of its processes."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings

from evaluation.running.hosting.embedded import EmbeddedServers, started_servers
from tests.evaluation.conftest import children, site_env
from tests.faults.web_site import WebSite, judging_site

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings_test")
# By the start of the title that gunicorn or Celery gives a process; the kernel keeps 15 bytes of it.
TITLES = {
    "gunicorn": "web",
    "[celeryd: defau": "worker",
    "[celeryd: long": "long",
    "[celeryd: judge": "judges",
    "[celeryd: trial": "trials",
    "[celery beat": "beat",
}
TICKS = os.sysconf("SC_CLK_TCK")  # a second, in the counts of /proc
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@contextmanager
def made_judging_site(
    folder: Path, *, people: int, items: int, has_pictures: bool = False
) -> Iterator[WebSite]:
    """A migrated site in the folder, with so many assessors and so many items for each, running."""
    folder.chmod(0o755)  # root's servers run under another account
    with started_servers(EmbeddedServers(folder, has_database=True, has_queue=False)):
        command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(command, cwd=settings.ROOT, env=site_env(folder), check=True)
    with judging_site(folder, people=people, items=items, has_pictures=has_pictures) as site:
        yield site


def filled_site(folder: Path, module: str, *sizes: object) -> dict[str, Any]:
    """What the module of this package prints, run as a program that fills the site in the folder."""
    filled = subprocess.run(
        [sys.executable, "-m", f"tests.benchmarks.sites.{module}", *map(str, sizes)],
        cwd=settings.ROOT,
        env=site_env(folder),
        check=True,
        stdout=subprocess.PIPE,
    )
    found: dict[str, Any] = json.loads(filled.stdout)
    return found


def cpu_seconds_by_part(site: int) -> dict[str, float]:
    """Seconds of processor that each part of a running `manage.py up` has taken so far, by its name."""
    return {_name(part): _seconds_of_tree(part) for part in children(site)}


def web_megabytes(site: int) -> float:
    """Resident memory of the largest web process of a running `manage.py up`."""
    web = next(part for part in children(site) if _name(part) == "web")
    return max(_resident_pages(pid) for pid in children(web)) * PAGE_BYTES / 1e6


def _resident_pages(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1])


def _name(pid: int) -> str:
    title = Path(f"/proc/{pid}/comm").read_text().strip()
    return next((part for start, part in TITLES.items() if title.startswith(start)), title)


def _seconds_of_tree(pid: int) -> float:
    return _seconds(pid) + sum(map(_seconds_of_tree, children(pid)))


def stolen_seconds() -> float:
    """Seconds of processor that a virtual machine's host has given to others so far, of all cores."""
    return int(Path("/proc/stat").read_text().split(maxsplit=9)[8]) / TICKS


def _seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS  # own and waited-for children's, user and system
