"""Choosing runs of a report in Chromium: the page shows the progress and then the report."""

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from evaluation.models import Phase, QrelsKind
from evaluation.results.reports.actions import compute_report
from evaluation.tasks import run_reports
from tests.browser.axe import violations
from tests.browser.signing_in import sign_in
from tests.factories import make_organizer, make_qrels, make_run, make_task

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.whole]


@pytest.mark.both_engines
def test_choice_is_computed_while_the_page_waits_and_then_shown(
    context: BrowserContext, live_server: LiveServer
) -> None:
    task = make_task(phase=Phase.JUDGING, topic_count=2, document_count=2)
    for tag, order in (("a", "D1 D2"), ("b", "D2 D1"), ("c", "D2")):
        make_run(task, tag=tag, results={topic: order.split() for topic in ("T1", "T2")})
    grades: dict[tuple[str, str], int | None] = {
        (topic, f"D{number}"): number for topic in ("T1", "T2") for number in (1, 2)
    }
    make_qrels(task, name="people", grades=grades)
    make_qrels(task, name="clip", kind=QrelsKind.MODEL, grades=grades)
    compute_report(task=task)
    sign_in(context, make_organizer(task.track), live_server)
    page = context.new_page()
    page.goto(reverse("report_detail", args=[task.track.slug, task.slug]))
    page.get_by_text("Change measure").click()
    page.get_by_text("Single runs and topics").click()
    page.get_by_role("checkbox", name="a", exact=True).check()
    page.get_by_role("checkbox", name="b", exact=True).check()
    page.get_by_role("button", name="Show").first.click()
    page.get_by_role("button", name="Compute this choice").click()
    expect(page.get_by_role("status")).to_contain_text("Waiting for a worker")
    assert violations(page) == []
    run_reports()
    expect(page.get_by_text("Chosen: 2 of 3 runs.").first).to_be_attached()
    assert violations(page) == []
