"""The page of an upload in Chromium: it waits for the verdict and shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from evaluation.core.run_checks import check_run
from evaluation.models import Run, RunState
from tests.browser.signing_in import sign_in
from tests.factories import make_run, make_task

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext
    from pytest_django.live_server_helper import LiveServer


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_run_page_shows_the_verdict_by_itself(context: BrowserContext, live_server: LiveServer) -> None:
    task = make_task(topic_count=1)
    run = make_run(task, state=RunState.RECEIVED)
    sign_in(context, run.received_by, live_server)
    page = context.new_page()
    page.goto(reverse("run_detail", args=[task.track.slug, task.slug, run.pk]))
    expect(page.get_by_role("status")).to_contain_text("Checking")
    verdict = check_run(b"T1 Q0 D1 1 nan tag\n", topics={"T1"})
    checked_at = make_run(task).checked_at
    Run.objects.filter(pk=run.pk).update(
        state=RunState.REJECTED, verdict=verdict.to_json(), checked_at=checked_at
    )
    expect(page.get_by_role("heading", level=1)).to_contain_text("Rejected:")
