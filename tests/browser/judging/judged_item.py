"""An assignment of five images, and its items as their assessor sees them in Chromium."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Assignment
from tests.browser.firefox_relay import DOUBLE_CLICK
from tests.browser.judging.surface import fail_on_script_errors, make_surface
from tests.browser.signing_in import sign_in

Opener = Callable[..., Page]

DOCNOS = ["D1", "D2", "D3", "D4", "D5"]


@pytest.fixture
def assignment() -> Assignment:
    """Topic T1 with five images, shown as D1 to D5."""
    return make_surface([None] * len(DOCNOS))


@pytest.fixture
def open_item(context: BrowserContext, live_server: LiveServer) -> Opener:
    """Opens an item's page as its assessor sees it; a script's error or blocked content fails the test."""

    def open_item(assignment: Assignment, place: int = 1, *, context: BrowserContext = context) -> Page:
        sign_in(context, assignment.assessor, live_server)
        page = context.new_page()
        fail_on_script_errors(page)
        page.goto(reverse("judging_item", args=[assignment.pk, place]))
        return page

    return open_item


def ready(page: Page, count: int = 3) -> Page:
    """Wait until the next items are loaded."""
    expect(page.locator("#hint")).to_have_text(f"Next {count} ready")
    return page


PRESS = """(key) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", {...key, bubbles: true, cancelable: true}))"""


def press(page: Page, key: str, code: str) -> None:
    """Press the key at the place ``code`` of a keyboard on which it gives ``key``."""
    page.evaluate(PRESS, {"key": key, "code": code})


def double_click(button: Locator) -> None:
    browser = button.page.context.browser
    if browser and browser.browser_type.name == "chromium":
        button.dblclick()
        return
    button.hover()
    button.page.evaluate(DOUBLE_CLICK)


KEEP = """([name, events]) => new Promise((done) => {
    const request = indexedDB.open(name, 1);
    request.onsuccess = () => {
        const transaction = request.result.transaction("events", "readwrite");
        events.forEach((event) => transaction.objectStore("events").add(event));
        transaction.oncomplete = () => done(request.result.close());
    };
})"""


def outbox_of(assignment: Assignment) -> str:
    """The name of the assessor's database in the browser."""
    return f"trackside-outbox-{assignment.assessor_id}"


def keep(page: Page, assignment: Assignment, *events: dict[str, Any]) -> None:
    """Put events in the assessor's outbox, as the screen does."""
    page.evaluate(KEEP, [outbox_of(assignment), events])


CLEAR = "name => new Promise((done) => { indexedDB.deleteDatabase(name).onsuccess = () => done(); })"
