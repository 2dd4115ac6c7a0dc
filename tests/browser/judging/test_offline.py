"""Judging without a connection: items are stored, and nothing is lost or doubled."""

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Judgment, Remark
from evaluation.models import Document
from tests.browser.judging.surface import make_surface, marks, open_place, saved
from tests.lost_connection import cut, reconnect

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.parametrize("context", [{"service_workers": "allow"}], indirect=True),
]

KEPT = """async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith("trackside-kept-"));
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return keys.flat().map(({url}) => new URL(url).pathname);
}"""
PRESS_AND_RELOAD = """async (key) => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, code: `Digit${key}`, bubbles: true }));
    %s
    location.reload();
}"""
WIDTH = "() => document.querySelector('#stage img').naturalWidth"


def kept(page: Page) -> list[str]:
    """The URLs of what the browser stores."""
    found: list[str] = page.evaluate(KEPT)
    return found


def set_offline(context: BrowserContext, server: LiveServer, *, is_offline: bool) -> None:
    """Cut or restore the connection, also that of the service worker."""
    context.set_offline(is_offline)
    (cut if is_offline else reconnect)(server)


def wait_until_kept(page: Page, is_wanted: Callable[[list[str]], bool]) -> None:
    """Wait until the URLs of what the browser stores are those that are wanted."""
    for _ in range(600):
        if is_wanted(kept(page)):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"the browser stores {kept(page)}")


def wait_for_items(page: Page, count: int) -> None:
    """Wait until this many items are stored."""
    wait_until_kept(page, lambda urls: sum(each.endswith("/content") for each in urls) >= count)


@pytest.mark.both_engines
@pytest.mark.whole
def test_sixty_items_are_judged_without_a_connection(
    context: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_surface([None] * 80)
    page = open_place(context, live_server, assignment)
    page.keyboard.press("2")  # while there is a connection
    saved(page)
    wait_for_items(page, 70)
    set_offline(context, live_server, is_offline=True)
    expect(page.locator("#saved")).to_contain_text(re.compile(r"Offline (69|70) items ready here"))
    for place in range(2, 32):
        expect(page.locator("#place")).to_have_text(f"{place} of 80")
        assert page.evaluate(WIDTH) > 0
        page.keyboard.press(str(place % 3))
    page.keyboard.press("z")  # 31 is graded 1
    expect(page.locator("#place")).to_have_text("31 of 80")
    page.keyboard.press("0")
    expect(page.locator("#place")).to_have_text("32 of 80")
    expect(page.locator("#saved")).to_contain_text("32 stored here, no connection")
    page.reload()
    expect(page.locator("#place")).to_have_text("32 of 80")
    expect(page.locator("#hint")).to_have_text("Next 3 ready")
    expect(page.locator("#saved")).to_contain_text("32 stored here, no connection")
    expect(page.locator("#undo-last span")).to_have_text("Undo: 0")
    page.keyboard.press("c")
    page.keyboard.type("no moraine")
    page.keyboard.press("Escape")
    for place in range(32, 62):
        expect(page.locator("#place")).to_have_text(f"{place} of 80")
        assert page.evaluate(WIDTH) > 0
        page.keyboard.press(str(place % 3))
    expect(page.locator("#place")).to_have_text("62 of 80")
    expect(page.locator("#saved")).to_contain_text("stored here")
    page.wait_for_timeout(500)  # the last judgment is in the browser's database
    page.close()
    set_offline(context, live_server, is_offline=False)
    page = context.new_page()
    page.goto(reverse("judging_item", args=[assignment.pk, 62]))
    saved(page)
    expect(page.locator("#progress")).to_have_js_property("value", 61)
    found = {each.docno: each for each in Judgment.objects.current()}
    assert {docno: each.grade for docno, each in found.items()} == {
        f"D{place}": 2 if place == 1 else 0 if place == 31 else place % 3 for place in range(1, 62)
    }
    assert Judgment.objects.count() == 63  # one was undone and given again
    images = dict(Document.objects.values_list("docno", "image"))
    assert all(each.image_sha256 == images[docno] for docno, each in found.items())
    assert (found["D32"].comment, Remark.objects.exclude(docno="D32").count()) == ("no moraine", 0)


@pytest.mark.whole
@pytest.mark.both_engines
@pytest.mark.parametrize(
    "wait", ["", "await new Promise(requestAnimationFrame);"], ids=["same task", "a frame later"]
)
def test_reload_right_after_a_key_loses_nothing(
    context: BrowserContext, live_server: LiveServer, wait: str
) -> None:
    """The key and the reload happen in one task of the page, or one frame apart."""
    page = open_place(context, live_server, make_surface([None] * 26))
    page.route("**/judgment", lambda route: route.abort())
    for place in range(1, 26):
        expect(page.locator("#place")).to_have_text(f"{place} of 26")
        ready = re.compile(r"Next \d ready")
        expect(page.locator("#hint")).to_have_text(ready)  # the key shows the next item
        with page.expect_event("load"):  # the next item's address is a navigation, too
            page.evaluate(PRESS_AND_RELOAD % wait, str(place % 3))
    expect(page.locator("#place")).to_have_text("26 of 26")
    page.unroute("**/judgment")
    saved(page)
    assert marks() == sorted((f"D{place}", place % 3) for place in range(1, 26))
    assert Judgment.objects.count() == 25


@pytest.mark.whole
@pytest.mark.both_engines
def test_nothing_is_stored_for_the_next_person(context: BrowserContext, live_server: LiveServer) -> None:
    assignment = make_surface([None] * 4)
    page = open_place(context, live_server, assignment)
    wait_for_items(page, 4)
    address = page.url
    page.goto(reverse("account_logout"))
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(lambda url: "logout" not in url)
    wait_until_kept(page, lambda urls: not urls)
    page = open_place(context, live_server, assignment)
    wait_for_items(page, 4)
    page.goto(reverse("invitation_accept", args=["unknown"]))  # it may make an account, and sign it in
    wait_until_kept(page, lambda urls: not urls)
    page = open_place(context, live_server, assignment)
    wait_for_items(page, 4)
    other = make_surface([None] * 4)
    page = open_place(context, live_server, other)  # the session ended without a sign-out
    wait_until_kept(page, lambda urls: not any(f"/judging/{assignment.pk}/" in each for each in urls))
    wait_for_items(page, 4)
    set_offline(context, live_server, is_offline=True)
    page.goto(address)
    expect(page.locator("body")).to_contain_text("this item is not stored here")
    page.goto(reverse("judging_item", args=[other.pk, 2]))
    expect(page.locator("#place")).to_have_text("2 of 4")
    set_offline(context, live_server, is_offline=False)
