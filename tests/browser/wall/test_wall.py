"""Judging on walls by keyboard: nothing is wrong, nothing is lost, and requests are few."""

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Judgment
from evaluation.models import Document
from tests.browser.judging.surface import marks, saved
from tests.browser.judging.test_offline import kept
from tests.browser.wall.walls import (
    expect_cursor,
    expect_done,
    grades,
    make_walled_surface,
    open_wall,
    wait_for_walls,
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.parametrize("context", [{"service_workers": "allow"}], indirect=True),
]


HOLD = """
    const [fetchNow, isReleased] = [window.fetch, new Promise((resolve) => { window.release = resolve; })];
    window.fetch = async (address, options) => {
        const response = await fetchNow(address, options);
        if (String(address).includes("/walls/2/content")) await isReleased;
        return response;
    };
"""


def test_wall_that_arrives_after_the_sign_out_is_not_stored(
    context: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_walled_surface(48)
    context.add_init_script(HOLD)
    page = open_wall(context, live_server, assignment)
    wait_for_walls(page, assignment, {1})
    other = context.new_page()
    other.goto(reverse("account_logout"))
    other.get_by_role("button", name="Sign out").click()
    other.wait_for_url(lambda url: "logout" not in url)
    page.evaluate("window.release()")
    page.wait_for_timeout(1000)  # longer than until the next state is stored
    assert kept(page) == []


@pytest.mark.whole
def test_two_walls_take_less_than_a_request_for_ten_items(
    context: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_walled_surface(48)
    page = open_wall(context, live_server, assignment)
    wait_for_walls(page, assignment, {1, 2})
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    for wall in (1, 2):
        for place in range(24 * wall - 23, 24 * wall - 3):
            expect_cursor(page, place)
            page.keyboard.press(str(place % 3))
        page.keyboard.press("r")
        if wall == 1:
            page.keyboard.press("n")
    saved(page)
    expect_done(page, "48 of 48")
    sent = [url for url in requests if "/judging/" in url]
    assert len(sent) <= 4, sent  # 0.1 an item: 48 items
    assert Judgment.objects.count() == 48


ENDLESS = """() => {
    const store = { add: () => ({}), getAll: () => ({}) };
    IDBDatabase.prototype.transaction = () => ({ objectStore: () => store });
}"""


def test_judgment_is_not_said_to_be_saved_before_the_browser_has_stored_it(
    context: BrowserContext, live_server: LiveServer
) -> None:
    page = open_wall(context, live_server, make_walled_surface(3))
    page.keyboard.press("r")  # a wall that is complete is sent at once
    expect_done(page, "3 of 3")
    saved(page)
    page.evaluate(ENDLESS)
    page.locator(".cell").first.focus()
    page.keyboard.press("2")
    expect(page.locator("#saved")).to_contain_text("Saving")


@pytest.mark.both_engines
def test_one_of_a_wall_s_judgments_is_refused_and_stays_with_its_reason(
    context: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_walled_surface(4)
    page = open_wall(context, live_server, assignment)
    other = Document.objects.get(docno="D4").image_id
    Document.objects.filter(docno="D2").update(image=other)
    page.keyboard.press("1")
    expect_cursor(page, 2)
    page.keyboard.press("r")
    expect(page.locator("#refused")).to_contain_text("Not saved: item 2.")
    expect_done(page, "3 of 4")
    assert grades(page) == ["1", "", "0", "0"]
    assert marks() == [("D1", 1), ("D3", 0), ("D4", 0)]
    page.reload()
    expect(page.locator("#refused")).to_contain_text("Not saved: item 2.")
    expect_cursor(page, 2)
    page.locator("#refused button").click()
    expect(page.locator("#refused")).to_be_hidden()
    page.keyboard.press("1")
    saved(page)
    assert marks() == [("D1", 1), ("D2", 1), ("D3", 0), ("D4", 0)]
