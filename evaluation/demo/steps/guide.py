"""What the demo says at its end: what was built, the one finding, where to look, and the accounts."""

from collections.abc import Iterator

from django.urls import reverse

from evaluation.demo.steps.people import PASSWORD, VISITORS
from evaluation.demo.steps.track import SLUG
from evaluation.reports.models import Report
from evaluation.runs.models import Run
from evaluation.tracks.models import Track
from trackside.reporting.views.first_page import front_page
from trackside.reporting.writers.stored import from_json
from trackside.text.counted import counted

FIRST = "suggestion"  # the task whose report is shown


def summary_lines(track: Track) -> Iterator[str]:
    """What was built, and the lead of the first task's report, one line each."""
    runs = counted(Run.objects.filter(task__track=track).count(), "run")
    teams = counted(track.teams.count(), "team")
    tasks = ", ".join(task.name for task in track.tasks.order_by("-name"))
    yield f"{track}: {tasks}; {runs} of {teams}, graded by simulated people, two CLIPs and a LLaVA."
    task = track.tasks.get(slug=FIRST)
    report = Report.objects.whole().filter(task=task).latest()
    yield f"{task.name}: {front_page(from_json(report.stored)).lead}"


def account_lines() -> Iterator[str]:
    """The accounts to sign in with, one line each."""
    yield f'Accounts, all with the password "{PASSWORD}":'
    yield from (f"  {email}: {what}" for email, what in VISITORS.items())


def report_address(address: str) -> str:
    """Address of the first task's report; ``address`` is the site's, without a trailing slash."""
    return address + reverse("report_detail", args=[SLUG, FIRST])
