"""What the screen shows and keeps when its topic is withdrawn, its phase ends, or a judgment is refused."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect

from assessment.assigning.actions import end_assignment, pause_assignment
from assessment.models import Assignment, Judgment, Purpose
from evaluation.models import Phase, Task
from tests.browser.judging.judged_item import assignment as assignment
from tests.browser.judging.judged_item import open_item as open_item
from tests.browser.judging.judged_item import ready
from tests.browser.judging.surface import expect_place, marks, saved
from tests.factories import dates_of

Opener = Callable[..., Page]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def end(assignment: Assignment) -> None:
    """Withdraw the topic."""
    end_assignment(assignment=assignment, by=assignment.pool.created_by)


def test_end_of_the_phase_is_said_and_undone(
    assignment: Assignment, context: BrowserContext, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    context.set_offline(True)
    page.keyboard.press("1")
    expect(page.locator("#saved")).to_contain_text("1 stored here, no connection")
    Task.objects.update(**dates_of(Phase.RELEASED))
    context.set_offline(False)
    stage = page.locator("#stage")
    expect(stage).to_contain_text("Judging of this task is over")
    expect(page.locator("#saved")).to_contain_text("1 stored here")
    expect(page.locator("[name=grade]").first).to_be_disabled()
    page.keyboard.press("2")
    page.keyboard.press("q")
    expect(page.locator("#place")).to_have_text("2 of 5")
    Task.objects.update(**dates_of(Phase.JUDGING))
    expect(stage.locator("img")).to_be_visible()  # the next attempt succeeds, and the screen goes on
    saved(page)
    expect_place(page, 2)
    page.keyboard.press("2")
    saved(page)
    assert marks() == [("D1", 1), ("D2", 2)]


@pytest.mark.whole
def test_screen_that_only_loads_an_item_learns_that_the_phase_is_over(
    assignment: Assignment, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    Task.objects.update(**dates_of(Phase.RELEASED))
    page.goto("about:blank")
    page.go_back()  # the browser may have the page, but not the item
    page.reload()
    expect(page.locator("body")).to_contain_text("not found", ignore_case=True)
    Task.objects.update(**dates_of(Phase.JUDGING))
    page = ready(open_item(assignment, 2))
    Task.objects.update(**dates_of(Phase.RELEASED))
    page.keyboard.press("q")  # item 1 is not loaded
    expect(page.locator("#stage")).to_contain_text("Judging of this task is over")
    expect(page.locator("#hint")).to_be_empty()


@pytest.mark.whole
def test_pause_is_said_while_an_item_is_awaited(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment, 2))
    pause_assignment(assignment=assignment, is_paused=True)
    page.keyboard.press("q")
    expect(page.locator("#hint")).to_have_text("The organizers have paused this topic; trying again")
    pause_assignment(assignment=assignment, is_paused=False)
    expect(page.locator("#hint")).to_have_text("Next 3 ready")
    expect_place(page, 1)


@pytest.mark.whole
def test_pause_is_not_said_any_more_once_a_grade_is_stored(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment, 3))
    page.route("**/items/2/content", lambda route: route.abort())
    pause_assignment(assignment=assignment, is_paused=True)
    page.keyboard.press("1")
    expect(page.locator("#saved")).to_contain_text("The organizers have paused topic T1.")
    pause_assignment(assignment=assignment, is_paused=False)
    saved(page)
    page.keyboard.press("q")
    page.keyboard.press("q")
    expect(page.locator("#hint")).to_have_text("Item 2 cannot be loaded now; trying again")


def test_judgments_of_a_withdrawn_topic_are_stored_and_the_screen_says_so(
    assignment: Assignment, context: BrowserContext, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    context.set_offline(True)
    page.keyboard.press("0")
    page.keyboard.press("1")
    expect(page.locator("#saved")).to_contain_text("2 stored here, no connection")
    page.wait_for_timeout(100)
    end(assignment)
    context.set_offline(False)
    expect(page.locator("#stage")).to_contain_text("You no longer judge this topic")
    refused = page.locator("#refused")
    expect(refused).to_contain_text("Not counted: 2 judgments of")
    expect(refused).to_contain_text("item 2: You gave 1.")
    found = Judgment.objects.order_by("docno").values_list("docno", "grade", "purpose")
    assert list(found) == [("D1", 0, Purpose.EXTRA), ("D2", 1, Purpose.EXTRA)]
    page.get_by_role("link", name="My topics").last.click()
    expect(page.get_by_role("heading", name="My topics")).to_be_visible()


@pytest.mark.whole
@pytest.mark.both_engines
def test_refused_judgment_stays_in_the_browser_until_it_is_dismissed(
    assignment: Assignment, context: BrowserContext, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    end(assignment)
    page.clock.install()
    page.clock.fast_forward("01:00")
    context.set_offline(True)
    page.keyboard.press("0")
    expect(page.locator("#saved")).to_contain_text("1 stored here, no connection")
    page.keyboard.press("2")  # shown by a clock after the end
    expect(page.locator("#saved")).to_contain_text("2 stored here, no connection")
    context.set_offline(False)
    page.clock.fast_forward("01:00")
    refused = page.locator("#refused")
    expect(refused).to_contain_text("Not saved: item 2. The organizers have given topic T1 to somebody else")
    expect(page.locator("#stage")).to_contain_text("You no longer judge this topic")
    page.close()
    for _ in range(2):  # the browser is closed and opened
        page = context.new_page()
        page.goto(reverse("judging_list"))
        expect(page.locator("#refused")).to_contain_text("Not saved: item 2 of")
        expect(page.locator("#refused")).to_contain_text("You gave 2.")
        expect(page.locator("#catch-up")).to_be_hidden()
    page.get_by_role("button", name="Dismiss").click()
    expect(page.locator("#refused")).to_be_hidden()
    page.reload()
    expect(page.get_by_role("heading", name="My topics")).to_be_visible()
    page.wait_for_timeout(500)
    expect(page.locator("#refused")).to_be_hidden()


@pytest.mark.both_engines
def test_continue_opens_no_item_whose_judgment_waits_in_the_browser(
    assignment: Assignment, context: BrowserContext, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    context.set_offline(True)  # a request that waits in a route is sent when its page closes
    page.keyboard.press("0")
    page.keyboard.press("1")
    expect(page.locator("#saved")).to_contain_text("2 stored here, no connection")
    page.close()
    context.route("**/judgment", lambda route: route.abort())
    context.set_offline(False)
    page = context.new_page()
    page.goto(reverse("judging_list"))
    page.get_by_role("link", name="Start").click()
    expect_place(page, 3)
    page.goto(reverse("judging_item", args=[assignment.pk, 1]))  # an item that is chosen is shown
    expect(page.locator("#hint")).to_have_text("Next 3 ready")
    expect_place(page, 1)
    expect(page.locator("[name=grade][value='0']")).to_have_attribute("aria-pressed", "true")
    context.unroute_all()
    saved(page)
    assert marks() == [("D1", 0), ("D2", 1)]


@pytest.mark.both_engines
def test_looking_back_is_counted_also_by_the_list(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    page.keyboard.press("0")
    expect_place(page, 2)
    page.keyboard.press("q")
    expect_place(page, 1)
    page.keyboard.press("z")  # undone, it is judged for the first time again
    page.keyboard.press("1")
    expect_place(page, 2)
    saved(page)
    page.locator("#list").click()
    page.get_by_role("link", name="Item 1", exact=True).click()
    expect(page.locator("#hint")).to_have_text("Next 3 ready")
    page.locator("#list").click()
    page.get_by_role("link", name="Continue judging").click()
    expect_place(page, 2)
    expect(page.locator("#hint")).to_have_text("Next 3 ready")
    page.keyboard.press("2")
    expect_place(page, 3)
    page.keyboard.press("2")
    expect_place(page, 4)
    saved(page)
    events = Judgment.objects.filter(undoes=None).order_by("pk")
    assert list(events.values_list("docno", "looks_back")) == [("D1", 0), ("D1", 1), ("D2", 1), ("D3", 0)]
