"""The demo command: builds the track, prints what its report says, and serves the site."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.urls import reverse

from evaluation.results.reports.models import Report
from evaluation.running.demo.steps.judging import (
    close_and_grade,
    is_reported,
    leave_work,
    let_encoders_judge,
    let_llava_judge,
    publish_grades,
    release,
)
from evaluation.running.demo.steps.track import (
    PASSWORD,
    VISITORS,
    Wait,
    add_items,
    prepare_track,
    public_hosts,
    submit_runs,
)
from evaluation.running.demo.world import World
from evaluation.running.hosting.running_site import site_processes
from evaluation.submissions.runs.models import Run
from evaluation.tracks.models import Track
from trackside.errors import InputError
from trackside.reporting.views.first_page import first_page
from trackside.reporting.writers.stored import from_json
from trackside.text.counted import counted

POLL, PATIENCE = 0.2, 900.0  # seconds


def show_demo(say: Callable[[str], None], world: World, *, port: int | None) -> None:
    """Build the missing parts of the world's track, print its finding, and serve the site until Ctrl-C.

    The report that is shown is that of its first task. Without a port nothing is served. Raises InputError
    if the demo cannot be built.
    """
    _check_private()
    # For torch in the workers: a model this small gains nothing from a second core.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    log = Path(settings.TRACKSIDE_VAR) / "log" / "site.log"
    with ExitStack() as stack:
        say("Starting the site.")
        site = stack.enter_context(site_processes(web=port is not None, port=port or 0, log=log))
        stack.callback(connection.close_pool)  # type: ignore[attr-defined]  # before the database stops
        stack.callback(connection.close)

        def check() -> None:
            if not site.process.is_alive():
                raise InputError(f"The site ended by itself. {log} says why.")

        track = build_track(say, waiting(check), world)
        shown = world.tasks[0].name
        for line in summary_lines(track, shown):
            say(line)
        if port is not None:
            report = site.address + reverse("report_detail", args=[track.slug, shown])
            site.wait(lambda: say(f"The site is up. Its report: {report} Ctrl-C stops it."))


def waiting(check: Callable[[], None]) -> Callable[[Callable[[], bool]], None]:
    """Return a function that waits until something is so; ``check`` raises if it will never be.

    The function raises InputError after fifteen minutes.
    """

    def wait(is_so: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not is_so():
            check()
            if time.monotonic() > deadline:
                raise InputError(
                    f"This step took {PATIENCE / 60:.0f} minutes. The site's log shows what its workers do. "
                    "Run the command again to resume."
                )
            time.sleep(POLL)

    return wait


def summary_lines(track: Track, shown: str) -> Iterator[str]:
    """What was built, the lead of the report of the task that is shown, and the accounts, one line each."""
    runs = counted(Run.objects.filter(task__track=track).count(), "run")
    teams = counted(track.teams.count(), "team")
    tasks = ", ".join(task.name for task in track.tasks.order_by("-name"))
    yield f"{track}: {tasks}; {runs} of {teams}, graded by simulated people and by models."
    task = track.tasks.get(slug=shown)
    report = Report.objects.whole().filter(task=task).latest()
    yield f"{task.name}: {first_page(from_json(report.stored)).lead}"
    yield f'Accounts, all with the password "{PASSWORD}":'
    yield from (f"  {email}: {what}" for email, what in VISITORS.items())


def _check_private() -> None:
    if hosts := public_hosts():
        raise InputError(
            f"The demo's accounts have a password that everybody knows, and SITE_URL or ALLOWED_HOSTS names "
            f"{', '.join(hosts)}. Run it without them, and with another TRACKSIDE_VAR than a real site's."
        )


def build_track(say: Callable[[str], None], wait: Wait, world: World) -> Track:
    """Build the missing parts of the world's track.

    At its end the first task is in its judging phase, with work left for a visitor, and the others are
    released. Raises InputError if the site rejects something or makes no progress.
    """
    track = prepare_track(world.words)
    tasks = [(track.tasks.get(slug=demo.name), demo) for demo in world.tasks]
    say("Storing pictures and texts.")
    for task, demo in tasks:
        add_items(task, demo, credit=world.words["credit"])
    for task, demo in tasks:
        say(
            f"{task.name}: retrieving and checking runs, pooling, and grading by simulated people and models."
        )
        if not task.pools.exists():
            submit_runs(task, demo, wait)
            close_and_grade(task, demo)
        let_encoders_judge(task, is_drawn=world.is_drawn)
    shown, *others = (task for task, _ in tasks)
    for task in others:
        publish_grades(task, wait)
    if world.is_drawn:
        say(f"{shown.name}: grading eight topics by LLaVA.")
        let_llava_judge(shown)
    publish_grades(shown, wait)
    say("Computing the reports.")
    wait(lambda: all(is_reported(task) for task, _ in tasks))
    leave_work(shown)
    for task in others:
        release(task)
    return track
