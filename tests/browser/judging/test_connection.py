"""Judgments in Chromium survive a lost connection, a full disk and a server in trouble."""

import json
from collections.abc import Callable
from urllib.parse import parse_qs

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Assignment, Judgment
from tests.assessment.factories import judge
from tests.browser.judging.judged_item import CLEAR, DOCNOS, outbox_of, ready
from tests.browser.judging.judged_item import assignment as assignment
from tests.browser.judging.judged_item import open_item as open_item
from tests.browser.judging.surface import expect_place, marks, saved
from tests.browser.wall.walls import make_walled_surface, open_wall

Opener = Callable[..., Page]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("no_singles"),
]


def test_judging_continues_offline_and_catches_up_on_any_page(
    assignment: Assignment, context: BrowserContext, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    context.set_offline(True)
    page.keyboard.press("0")
    page.keyboard.press("1")
    expect(page.locator("#saved")).to_contain_text("2 stored here, no connection")
    expect_place(page, 3)
    assert marks() == []
    context.set_offline(False)
    saved(page)
    context.set_offline(True)
    page.keyboard.press("2")
    expect(page.locator("#saved")).to_contain_text("1 stored here")
    page.close()
    context.set_offline(False)
    page = open_item(assignment, 4)
    saved(page)
    assert marks() == [("D1", 0), ("D2", 1), ("D3", 2)]
    context.set_offline(True)
    page.keyboard.press("0")
    expect(page.locator("#saved")).to_contain_text("1 stored here")
    page.close()
    context.set_offline(False)
    page = context.new_page()
    page.goto(reverse("judging_list"))
    expect(page.get_by_role("main")).to_contain_text("4 of 5 items judged.")
    assert marks() == [("D1", 0), ("D2", 1), ("D3", 2), ("D4", 0)]


@pytest.mark.whole
def test_last_item_is_judged_undone_and_judged_again_offline(
    assignment: Assignment, context: BrowserContext, open_item: Opener
) -> None:
    for docno in DOCNOS[:4]:
        judge(assignment, docno, 1)
    page = open_item(assignment, 5)
    expect(page.locator("#hint")).to_have_text("Last item")
    context.set_offline(True)
    page.keyboard.press("2")
    expect(page.locator("#saved")).to_contain_text("1 stored here")
    page.keyboard.press("z")
    page.keyboard.press("0")
    expect(page.locator("#saved")).to_contain_text("3 stored here")
    context.set_offline(False)
    page.wait_for_url("**/items/")
    assert marks() == [("D1", 1), ("D2", 1), ("D3", 1), ("D4", 1), ("D5", 0)]


FULL = """() => {
    IDBObjectStore.prototype.keep = IDBObjectStore.prototype.add;
    IDBObjectStore.prototype.add = function () { this.transaction.abort(); };
}"""


EMPTY = "() => { IDBObjectStore.prototype.add = IDBObjectStore.prototype.keep; }"


@pytest.mark.whole
def test_judgments_that_the_browser_does_not_store_are_sent(
    assignment: Assignment, context: BrowserContext, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    line, leaving = page.locator("#saved"), "do not close or leave this page"
    page.evaluate(FULL)
    page.keyboard.press("0")
    saved(page)
    context.set_offline(True)
    page.keyboard.press("1")
    expect(line).to_contain_text("1 stored here, no connection")
    expect(line).to_contain_text(leaving)
    page.evaluate(EMPTY)
    page.keyboard.press("2")
    expect(line).to_contain_text("2 stored here, no connection")
    expect(line).not_to_contain_text(leaving)  # it keeps the one before, too
    page.evaluate(CLEAR, outbox_of(assignment))  # as when the user clears the data of sites
    page.keyboard.press("z")
    expect(line).to_contain_text("3 stored here, no connection")
    expect(line).not_to_contain_text(leaving)
    context.set_offline(False)
    saved(page)
    assert marks() == [("D1", 0), ("D2", 1)]


@pytest.mark.whole
def test_judgment_that_a_closed_page_had_no_time_to_store_is_sent_before_later_ones(
    assignment: Assignment, context: BrowserContext, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    context.set_offline(True)
    page.evaluate(FULL)
    page.keyboard.press("1")
    expect_place(page, 2)
    page.close()
    context.route("**/judgment", lambda route: route.abort())
    context.set_offline(False)
    page = ready(open_item(assignment))
    expect(page.locator("[name=grade][value='1']")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("2")
    expect(page.locator("#saved")).to_contain_text("2 stored here")
    context.unroute_all()
    saved(page)
    assert marks() == [("D1", 2)]


ONLINE_WHILE_COUNTED = """() => {
    const [send, count] = [fetch, IDBObjectStore.prototype.getAll];
    let hasFailed = false;
    window.fetch = (url, ...more) => {
        if (hasFailed || !url.endsWith("/judgment")) return send(url, ...more);
        hasFailed = true;
        return Promise.reject(new TypeError("connection lost"));
    };
    IDBObjectStore.prototype.getAll = function () {
        if (hasFailed) {
            IDBObjectStore.prototype.getAll = count;
            dispatchEvent(new Event("online"));
        }
        return count.call(this);
    };
}"""


@pytest.mark.whole
def test_connection_that_returns_during_a_count_is_used(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    page.evaluate(ONLINE_WHILE_COUNTED)
    page.keyboard.press("1")
    saved(page)
    assert marks() == [("D1", 1)]


def test_dropped_reply_and_server_in_trouble_are_one_judgment(
    assignment: Assignment, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    tries = []

    def drop_first_reply(route: Route) -> None:
        tries.append(route.request.url)
        if len(tries) == 1:
            route.fetch()
            route.abort()
        else:
            route.fulfill(status=502, body="down")

    page.route("**/judgment", drop_first_reply)
    page.keyboard.press("2")
    expect(page.locator("#saved")).to_contain_text("Not saved: 1 stored here")
    page.unroute("**/judgment")
    saved(page)
    assert [judgment.mark for judgment in Judgment.objects.all()] == [2]


PRESS_WHILE_COUNTED = """() => {
    window.said = [];
    const line = document.getElementById("saved");
    const note = () => said.push(line.textContent.trim().slice(0, 5));
    new MutationObserver(note).observe(line, {childList: true});
    const count = IDBObjectStore.prototype.getAll;
    IDBObjectStore.prototype.getAll = function () {
        const request = count.call(this);
        request.addEventListener("success", () => {
            if (request.result.length || said.length < 2) return;
            IDBObjectStore.prototype.getAll = count;
            document.querySelector("[name=grade][value='2']").click();
        });
        return request;
    };
}"""


@pytest.mark.whole
def test_saved_is_not_shown_for_a_judgment_given_while_the_one_before_is_confirmed(
    assignment: Assignment, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    page.evaluate(PRESS_WHILE_COUNTED)
    page.keyboard.press("1")
    expect_place(page, 3)
    saved(page)
    assert marks() == [("D1", 1), ("D2", 2)]
    said = page.evaluate("said")
    assert said.count("Saved") == 1
    assert said[-1] == "Saved"


@pytest.mark.whole
def test_wall_that_a_slow_site_does_not_store_in_time_is_sent_in_parts(
    context: BrowserContext, live_server: LiveServer
) -> None:
    """All 24 judgments and a half of them get no answer; 6 do, and then the site is quick again."""
    page = open_wall(context, live_server, make_walled_surface(24))
    sizes: list[int] = []

    def answer_few(route: Route) -> None:
        sizes.append(len(json.loads(parse_qs(route.request.post_data or "")["events"][0])))
        if min(sizes) <= 6:
            route.continue_()

    page.route("**/events", answer_few)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.keyboard.press("r")
    expect(page.locator("#saved")).to_contain_text("Saved", timeout=120_000)
    assert sizes == [24, 12, 6, 12, 6]
    assert marks() == sorted((f"D{place}", 0) for place in range(1, 25))
