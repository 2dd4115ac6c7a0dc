"""Uploading in Chromium: dropping a file, following its bytes and its check; and the same without scripts."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from evaluation.models import Run, RunState, Task, User
from tests.browser.signing_in import sign_in
from tests.factories import make_run, make_task, make_team, make_team_member, make_verdict
from trackside.checks import check_run

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.whole]

RUN_FILE = b"T1 Q0 D1 1 1.0 kestrel-1\n"
DROP = """(zone, text) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], "dropped.run"));
  zone.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
}"""


def _open_task() -> tuple[Task, User]:
    task = make_task(topic_count=1, document_count=1)
    return task, make_team_member(make_team(task.track))


def _address(name: str, task: Task, *more: object) -> str:
    return reverse(name, args=[task.track.slug, task.slug, *more])


@pytest.mark.both_engines
def test_run_page_shows_the_verdict_by_itself(context: BrowserContext, live_server: LiveServer) -> None:
    task = make_task(topic_count=1)
    run = make_run(task, state=RunState.RECEIVED)
    sign_in(context, run.received_by, live_server)
    page = context.new_page()
    page.goto(_address("run_detail", task, run.pk))
    expect(page.get_by_role("status")).to_contain_text("Checking")
    verdict = check_run(b"T1 Q0 D1 1 nan tag\n", topics={"T1"})
    checked_at = make_run(task).checked_at
    Run.objects.filter(pk=run.pk).update(
        state=RunState.REJECTED, verdict=make_verdict(verdict), checked_at=checked_at
    )
    expect(page.get_by_role("heading", level=1)).to_contain_text("Rejected:")


@pytest.mark.both_engines
def test_dropped_file_is_sent_with_its_progress_and_refusals_stay_on_the_page(
    context: BrowserContext, live_server: LiveServer
) -> None:
    task, member = _open_task()
    sign_in(context, member, live_server)
    page = context.new_page()
    page.goto(_address("run_upload", task))
    page.locator("#drop").evaluate(DROP, "")
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("#sending [role=status]")).to_contain_text("empty")
    page.locator("#drop").evaluate(DROP, RUN_FILE.decode())
    expect(page.locator("#chosen")).to_contain_text("dropped.run")
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Checking dropped.run")
    assert Run.objects.get().upload.read() == RUN_FILE


@pytest.mark.parametrize("context", [{"java_script_enabled": False}], ids=["no scripts"], indirect=True)
def test_uploading_works_without_scripts(context: BrowserContext, live_server: LiveServer) -> None:
    task, member = _open_task()
    sign_in(context, member, live_server)
    page = context.new_page()
    page.goto(_address("task_detail", task))
    page.get_by_role("link", name="Upload a run").first.click()
    page.get_by_label("Run file").set_input_files(
        {"name": "plain.run", "mimeType": "text/plain", "buffer": RUN_FILE}
    )
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Checking plain.run")
    verdict, checked_at = check_run(b"T9", topics={"T1"}), make_run(task).checked_at
    Run.objects.filter(state=RunState.RECEIVED).update(
        state=RunState.REJECTED, verdict=make_verdict(verdict), checked_at=checked_at
    )
    page.get_by_role("link", name="Reload").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Rejected:")


@pytest.mark.parametrize("context", [{"timezone_id": "Asia/Kolkata"}], ids=["Kolkata"], indirect=True)
def test_dates_are_shown_in_the_zone_that_the_page_names(
    context: BrowserContext, live_server: LiveServer
) -> None:
    task, member = _open_task()
    received_at = datetime(2025, 9, 5, 12, 40, tzinfo=UTC)
    make_run(task, member.memberships.get().team, received_at=received_at)
    sign_in(context, member, live_server)
    page = context.new_page()
    page.goto(_address("task_detail", task))
    table = page.get_by_role("region", name="Table: your runs")
    expect(table.get_by_role("columnheader", name="Received, UTC")).to_be_visible()
    expect(table.locator("time")).to_have_text("5 Sep 12:40")  # the task's zone, whatever the reader's clock
