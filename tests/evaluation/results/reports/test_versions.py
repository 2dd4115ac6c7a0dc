"""Versions of a task's whole report, and what changed from one to the next."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evaluation.models import Phase, Report, Task
from evaluation.results.reports.pages import versions
from tests.evaluation.report_findings import OLD_FORM, make_report, report_findings, stored_findings
from tests.factories import make_organizer, make_task
from trackside.reporting.design import ReportRun, SetFacts

pytestmark = pytest.mark.django_db

FACTS = report_findings().facts
PEOPLE, SECOND, CLIP = FACTS.qrels


def _make(
    task: Task, *, days_ago: int, stored: dict[str, Any] | None = None, code: str = "1", **facts: Any
) -> Report:
    found = stored or stored_findings(report_findings(**facts))
    report = make_report(task, inputs_sha256=f"{days_ago:064}", code_version=code, **found)
    Report.objects.filter(pk=report.pk).update(computed_at=timezone.now() - timedelta(days=days_ago))
    return report


def _changes(*reports: Report) -> list[tuple[str, ...] | None]:
    listed = versions(Report.objects.filter(task=reports[0].task), since=None)
    return [version.changes for version in listed]


def _set(graded: SetFacts, **changed: Any) -> SetFacts:
    return SetFacts(**({name: getattr(graded, name) for name in SetFacts.__slots__} | changed))


def test_grades_that_are_added_replaced_or_left_out_are_named() -> None:
    task = make_task(phase=Phase.RELEASED)
    newer = _set(PEOPLE, sha256="f" * 64, version=2, graded_count=50)
    other = _set(CLIP, name="llava", sha256="e" * 64, graded_count=1)
    reports = [_make(task, days_ago=2), _make(task, days_ago=1, qrels=(newer, SECOND, other))]
    assert _changes(*reports) == [
        (
            "grades of people: version 2 instead of 1 (50 grades instead of 38)",
            "grades of llava added (1 grade)",
            "grades of clipscore left out",
        ),
        None,
    ]


def test_runs_and_the_software_are_named() -> None:
    task = make_task(phase=Phase.RELEASED)
    moved = ReportRun(tag="clip-a", team="Heron", families=("CLIP-based",))
    runs = (moved, FACTS.runs[2], ReportRun(tag="new", team="Heron", families=()))
    reports = [_make(task, days_ago=2), _make(task, days_ago=1, code="2", runs=runs)]
    assert _changes(*reports)[0] == (
        "1 run added: new",
        "1 run left out: bm25",
        "1 run with other families or team: clip-a",
        "software 2 instead of 1",
    )


def test_a_report_of_older_software_differs_in_the_software_alone() -> None:
    task = make_task(phase=Phase.RELEASED)
    reports = [_make(task, days_ago=2, stored=OLD_FORM), _make(task, days_ago=1, code="2")]
    assert _changes(*reports) == [("software 2 instead of 1",), None]


def test_readers_see_the_versions_since_the_release_and_organizers_all(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    dates = {"opens_at": 9, "closes_at": 8, "judging_at": 7, "releases_at": 2}
    ago = {name: timezone.now() - timedelta(days=days) for name, days in dates.items()}
    Task.objects.filter(pk=task.pk).update(**ago)
    reports = [_make(task, days_ago=days) for days in (4, 3, 1)]
    address = reverse("report_detail", args=[task.track.slug, task.slug])

    def listed() -> list[bool]:
        page = client.get(address).content.decode()
        return [f"?of={report.pk}" in page.split('class="small versions"')[-1] for report in reports]

    assert listed() == [False, True, True]  # the second one was public on the day of the release
    client.force_login(make_organizer(task.track))
    assert listed() == [True, True, True]
