"""Pages that replace a part of themselves: the focus stays where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db.models.functions import Now
from django.urls import reverse
from playwright.sync_api import expect

from evaluation.models import Operation, OperationOutcome
from evaluation.operations.actions import start_operation
from tests.browser.signing_in import sign_in
from tests.factories import make_organizer, make_task

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.whole]


def test_link_keeps_the_focus_when_its_part_is_replaced(
    context: BrowserContext, live_server: LiveServer
) -> None:
    task = make_task()
    organizer = make_organizer(task.track)
    ended = {"outcome": OperationOutcome.DONE, "ended_at": Now()}
    Operation.objects.create(task=task, kind="judgments_publish", requested_by=organizer, **ended)
    start_operation(task=task, kind="pool_assign", by=organizer)  # no worker: the page polls on
    sign_in(context, organizer, live_server)
    page = context.new_page()
    page.goto(reverse("judging_progress", args=[task.track.slug, task.slug]))
    link = page.get_by_role("link", name="Published qrels")
    link.focus()
    link.evaluate("link => { link.dataset.isOld = true; }")
    expect(page.locator("[data-is-old]")).to_have_count(0)
    expect(link).to_be_focused()
