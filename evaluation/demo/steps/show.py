"""The demo command: builds the track, prints what its report says, and serves the site."""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection

from evaluation.demo.models.training import models_folder, train_clip, train_llava
from evaluation.demo.steps.build import build_track, finish_track
from evaluation.demo.steps.console import Console
from evaluation.demo.steps.guide import account_lines, report_address, summary_lines
from evaluation.demo.steps.people import public_hosts
from evaluation.demo.steps.serving import Serve, served
from evaluation.demo.steps.training import Train, training
from evaluation.demo.steps.waiting import waiting
from evaluation.demo.steps.words import judge_in_words
from evaluation.demo.world import FULL, WorldSize
from evaluation.hosting.ownership import SiteAlreadyRunning, owned
from evaluation.hosting.running_site import BackgroundSite, site_processes
from trackside.errors import InputError

LEFTOVER_GRACE = 10.0  # seconds


@dataclass(frozen=True)
class Models:
    """Functions that train the demo's models and serve its LLaVA."""

    clip: Train = train_clip
    llava: Train = train_llava
    serve: Serve = served


def show_demo(
    console: Console,
    *,
    port: int | None,
    models: Models = Models(),
    size: WorldSize = FULL,
    is_full: bool = False,
) -> None:
    """Build the missing parts of the demo's track, print its finding, and serve the site until Ctrl-C.

    Without a port nothing is served. LLaVA judges eight topics, with ``is_full`` all of them. Raises
    InputError if the demo cannot be built.
    """
    _check_private()
    with ExitStack() as stack:
        clip, llava = (stack.enter_context(training(each)) for each in (models.clip, models.llava))
        # Models are trained in parallel with the other steps; a finished track may need no training.
        is_kept = {name: any(models_folder().glob(f"tiny-{name}-*")) for name in ("clip", "llava")}
        if not is_kept["clip"]:
            clip.begin()
        # For torch in the workers: a model this small gains nothing from a second core.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        with console.step("Starting the site"):
            site = stack.enter_context(_site(port))
        with _connection_closed_in_the_end():
            wait = waiting(console.progress, lambda: _check(site))
            second = () if is_kept["llava"] else (llava,)
            track = build_track(clip, console.progress, wait, size=size, second=second)
            task = track.tasks.get(slug="suggestion")
            judge_in_words(task, (clip, llava), models.serve, console.progress, wait, is_full=is_full)
            finish_track(track, wait)
            for line in summary_lines(track):
                console.say(line)
        if port is not None:
            for line in account_lines():
                console.say(line)
            address = report_address(site.address)
            site.wait(lambda: console.say(f"The site is up. Its report: {address} Ctrl-C stops it."))
        with console.step("Stopping the site"):
            stack.close()


def _check_private() -> None:
    if hosts := public_hosts():
        raise InputError(
            f"The demo's accounts have a password that everybody knows, and SITE_URL or ALLOWED_HOSTS names "
            f"{', '.join(hosts)}. Run it without them, and with another TRACKSIDE_VAR than a real site's."
        )


@contextmanager
def _site(port: int | None) -> Iterator[BackgroundSite]:
    var = Path(settings.TRACKSIDE_VAR)
    _wait_for_leftover(var)
    with site_processes(web=port is not None, port=port or 0, log=var / "log" / "site.log") as site:
        yield site


def _wait_for_leftover(var: Path) -> None:
    """Wait for the site of a killed demo to stop. Raises SiteAlreadyRunning if it does not."""
    deadline = time.monotonic() + LEFTOVER_GRACE
    while True:
        try:
            with owned(var):
                return
        except SiteAlreadyRunning:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def _check(site: BackgroundSite) -> None:
    if not site.process.is_alive():
        raise InputError("The site ended by itself. Its log says why.")


@contextmanager
def _connection_closed_in_the_end() -> Iterator[None]:
    """Close the database connection before the database stops."""
    try:
        yield
    finally:
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]  # of Django's PostgreSQL backend
