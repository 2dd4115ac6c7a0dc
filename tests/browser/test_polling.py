"""Pages that replace a part of themselves: focus, selection and what is open stay as they are."""

import pytest
from django.db.models.functions import Now
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from evaluation.models import Operation, OperationOutcome
from evaluation.tasks import run_operations
from evaluation.tracks.work.operations.actions import start_operation
from judges.jobs.starting import start_job
from judges.models import Job, JobState
from tests.browser.signing_in import sign_in
from tests.factories import make_organizer, make_run, make_task
from tests.judges.conftest import scripted as scripted
from tests.judges.factories import make_generator, make_image_pool, run_to_end

# The table is wider and higher than its frame.
SMALL_FRAME = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("#answers-table { width: 90px; height: 90px; overflow: scroll; }");
    document.adoptedStyleSheets = [sheet];
}"""

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.whole]


@pytest.mark.both_engines
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


def test_pool_is_listed_once_it_is_frozen(context: BrowserContext, live_server: LiveServer) -> None:
    run = make_run(results={"T1": ["D1", "D2"]})
    sign_in(context, make_organizer(run.task.track), live_server)
    page = context.new_page()
    page.goto(reverse("pool_build", args=[run.task.track.slug, run.task.slug]))
    frozen = page.get_by_role("region", name="Frozen pools")
    expect(frozen).to_contain_text("None yet.")
    page.get_by_label("Name").fill("the first")
    page.get_by_role("button", name="Freeze").click()
    page.get_by_label("Name").fill("the second")
    run_operations()
    expect(frozen.get_by_role("rowheader", name="the first")).to_be_visible()
    expect(page.get_by_label("Name")).to_have_value("the second")


@pytest.mark.both_engines
@pytest.mark.usefixtures("scripted")
def test_part_that_is_replaced_keeps_what_its_reader_opened_scrolled_and_selected(
    context: BrowserContext, live_server: LiveServer
) -> None:
    pool = make_image_pool()
    job = run_to_end(start_job(judge=make_generator(), pool=pool, by=pool.created_by))
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING, finished_at=None)  # the page polls on
    sign_in(context, pool.created_by, live_server)
    page = context.new_page()
    page.set_viewport_size({"width": 900, "height": 700})
    page.goto(reverse("job_detail", args=[pool.task.track.slug, pool.task.slug, job.pk]))
    answers = page.locator("details", has_text="Last answers")
    table = page.get_by_role("region", name="Table: last answers")
    expect(table).to_be_visible()
    wait_for_poll(page)
    expect(table).to_be_visible()
    answers.locator("summary").click()
    wait_for_poll(page)
    expect(table).to_be_hidden()
    expect(answers.locator("summary")).to_be_focused()
    answers.locator("summary").press("Enter")
    page.evaluate(SMALL_FRAME)
    page.evaluate("document.getElementById('answers-table').scrollTo(20, 30)")
    wait_for_poll(page)
    assert table.evaluate("each => [each.scrollLeft, each.scrollTop]") == [20, 30]
    page.evaluate("getSelection().selectAllChildren(document.getElementById('answers-table'))")
    before = page.evaluate("String(getSelection())")
    with page.expect_response("**/progress"):
        pass
    with page.expect_response("**/progress"):
        pass
    assert page.evaluate("String(getSelection())") == before
    page.evaluate("getSelection().removeAllRanges()")
    wait_for_poll(page)


def wait_for_poll(page: Page) -> None:
    """Wait until the part is replaced."""
    page.locator("#progress").evaluate("part => { part.dataset.isOld = true; }")
    expect(page.locator("[data-is-old]")).to_have_count(0)
