"""`manage.py report TASK`: the first page of the report as text."""

from argparse import ArgumentParser
from typing import Any

from evaluation.results.reports.actions import compute_report
from evaluation.running.hosting.embedded import SiteCommand
from evaluation.tracks.models import Task
from trackside.cli.files.reporting import page_lines, report_lines
from trackside.errors import InputError
from trackside.reporting.writers.stored import from_json


class Command(SiteCommand):
    """Prints what `compute_report` computes, in the format of `trackside report`."""

    help = "Print the report of a task, recomputed where runs, qrels or code have changed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the task and the filters of rows."""
        parser.add_argument("task", help="TRACK/TASK, as in the address of its page, or TASK alone")
        parser.add_argument("--measure", help="print sections with rows of this measure")
        parser.add_argument("--family", help="print sections with rows of this family")
        parser.add_argument("--all", action="store_true", help="print all sections with their tables")

    def handle(self, *, task: str, measure: str | None, family: str | None, **options: Any) -> None:
        """Compute what is stale and print the page or the sections."""
        row = find_task(task)
        report = compute_report(task=row)
        if report is None:
            raise InputError(
                f"{row}: nothing to report yet. A report needs accepted runs and published grades of people."
            )
        self.stdout.write(f"{row}, {report.computed_at:%d %b %Y %H:%M} UTC, code {report.code_version}")
        findings = from_json(report.stored)
        is_page = not (options["all"] or measure or family)
        lines = page_lines(findings) if is_page else report_lines(findings, measure=measure, family=family)
        for line in lines:
            self.stdout.write(line)


def find_task(name: str) -> Task:
    """Return the task of a name such as "trec-2026/suggestion", or of its last part. Raises InputError."""
    track, _, slug = name.rpartition("/")
    tasks = Task.objects.filter(slug=slug, **({"track__slug": track} if track else {}))
    matches = list(tasks.select_related("track")[:2])
    if len(matches) == 1:
        return matches[0]
    every = ", ".join(f"{task.track.slug}/{task.slug}" for task in Task.objects.select_related("track"))
    problem = "is the name of several tasks" if matches else "is not a task"
    raise InputError(f"{name} {problem}. Choose one of: {every or 'none yet'}.")
