"""Judging on walls by keyboard: nothing is wrong, nothing is lost, and requests are few."""

import re
from dataclasses import dataclass, field

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Assignment, Judgment
from evaluation.models import Document
from tests.browser.judging.surface import marks, saved
from tests.browser.judging.test_offline import kept, set_offline
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


@dataclass
class Keys:
    """Presses grades on a wall, and notes what each place should have."""

    page: Page
    expected: dict[int, int] = field(default_factory=dict)

    def press(self, *grades: str, first: int) -> None:
        for place, grade in enumerate(grades, start=first):
            expect_cursor(self.page, place)
            self.page.keyboard.press(grade)
            self.expected[place] = int(grade)


@pytest.mark.both_engines
@pytest.mark.whole
def test_hundred_items_with_undo_a_kill_and_no_connection(
    context: BrowserContext, live_server: LiveServer
) -> None:
    """Walls of 24, 24, 24, 24 and 4 items. Expected: the grades of the keys, each with its image, once."""
    assignment = make_walled_surface(100)
    keys = Keys(open_wall(context, live_server, assignment))
    grade_first_wall(keys)
    keys.press("2", "0", "1", first=25)
    expect_cursor(keys.page, 28)
    keys.page.close()
    keys.page = open_wall_again(context, "2", assignment.pk)
    grade_second_wall(keys)
    grade_the_rest_offline(keys, assignment, context, live_server)
    check_stored(keys.expected)


def grade_first_wall(keys: Keys) -> None:
    """Single grades, a marked range, an opened item, the rest, undone and given again."""
    page = keys.page
    keys.press("0", "2", "1", "0", first=1)
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowDown")  # 5, 6 and a row of six: to 12
    page.keyboard.press("Shift+Digit1")
    keys.expected |= dict.fromkeys(range(5, 13), 1)
    expect_cursor(page, 13)
    page.keyboard.press("Enter")
    page.wait_for_url("**/items/13/#wall")
    expect(page.locator("#place")).to_have_text("13 of 100")
    expect(page.locator("#hint")).not_to_be_empty()  # the script handles keys
    page.keyboard.press("2")
    page.wait_for_url("**/walls/1/")
    keys.expected[13] = 2
    expect_cursor(page, 14)
    expect(page.locator(".cell[data-place='13'] i")).to_have_text("opened")
    page.keyboard.press("r")
    expect_done(page, "24 of 100")
    expect(page.locator("#undo-last span")).to_have_text("Undo, items: 11")
    page.keyboard.press("z")
    expect_done(page, "13 of 100")
    assert grades(page)[12:] == ["2", *[""] * 11]
    keys.press("1", first=14)
    page.keyboard.press("r")
    keys.expected |= dict.fromkeys(range(15, 25), 0)
    saved(page)
    page.keyboard.press("n")


def grade_second_wall(keys: Keys) -> None:
    """The page was killed after three keys."""
    page = keys.page
    expect_cursor(page, 28)
    assert grades(page)[:4] == ["2", "0", "1", ""]
    page.keyboard.press("r")
    keys.expected |= dict.fromkeys(range(28, 49), 0)
    saved(page)


def grade_the_rest_offline(
    keys: Keys, assignment: Assignment, context: BrowserContext, live_server: LiveServer
) -> None:
    """Two walls without a connection, with a reload."""
    page = keys.page
    page.keyboard.press("n")
    expect_cursor(page, 49)
    wait_for_walls(page, assignment, {3, 4, 5})
    set_offline(context, live_server, is_offline=True)
    expect(page.locator("#saved")).to_contain_text(re.compile("Offline 52 items ready here"))
    keys.press("1", "1", first=49)
    expect_cursor(page, 51)
    page.keyboard.press("Enter")
    expect(page.locator("#hint")).to_have_text("Item 51 opens once you are online. Grade it here.")
    expect_cursor(page, 51)
    page.keyboard.press("r")
    keys.expected |= dict.fromkeys(range(51, 73), 0)
    page.keyboard.press("n")
    keys.press("2", first=73)
    page.reload()
    expect_cursor(page, 74)
    expect_done(page, "73 of 100")
    page.keyboard.press("r")
    keys.expected |= dict.fromkeys(range(74, 97), 0)
    expect(page.locator("#saved")).to_contain_text("48 stored here, no connection")
    set_offline(context, live_server, is_offline=False)
    page.keyboard.press("n")
    keys.press("0", "1", "2", first=97)
    expect_cursor(page, 100)
    page.keyboard.press("x")
    page.keyboard.press("2")
    saved(page)
    page.keyboard.press("n")
    page.wait_for_url("**/items/")
    expect(page.get_by_role("main")).to_contain_text("All 100 items are judged.")


def check_stored(expected: dict[int, int]) -> None:
    found = {each.docno: each for each in Judgment.objects.current()}
    assert {docno: each.mark for docno, each in found.items()} == {
        "D100": "topic",
        **{f"D{place}": grade for place, grade in expected.items()},
    }
    images = dict(Document.objects.values_list("docno", "image"))
    assert all(each.image_sha256 == images[docno] for docno, each in found.items())
    cells = {docno: (each.wall, each.cell) for docno, each in found.items()}
    assert cells == {f"D{place}": ((place + 23) // 24, (place - 1) % 24 + 1) for place in range(1, 101)}
    assert [docno for docno, each in found.items() if each.is_opened] == ["D13"]
    assert sum(each.is_by_rest for each in found.values()) == 10 + 21 + 22 + 23
    assert Judgment.objects.count() == 100 + 2 * 11  # eleven were undone and given again


def open_wall_again(context: BrowserContext, wall: str, assignment: int) -> Page:
    page = context.new_page()
    page.goto(f"/judging/{assignment}/walls/{wall}/")
    return page


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
    page.locator("#refused button").click()
    expect(page.locator("#refused")).to_be_hidden()
    page.keyboard.press("1")
    saved(page)
    assert marks() == [("D1", 1), ("D2", 1), ("D3", 0), ("D4", 0)]
