"""The list of a topic's items: filters, search and the way to an item."""

import pytest
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.judging.surface import make_surface, open_place, saved

pytestmark = [
    pytest.mark.browser,
    pytest.mark.both_engines,
    pytest.mark.whole,
    pytest.mark.django_db(transaction=True),
]


def test_items_are_found_by_number_filter_and_comment(
    context: BrowserContext, live_server: LiveServer
) -> None:
    page = open_place(context, live_server, make_surface([None] * 6))
    page.keyboard.press("v")
    page.keyboard.press("2")
    expect(page.locator("#place")).to_contain_text("2 of 6")
    saved(page)
    page.locator("#list").click()
    shelf = page.locator("ol.shelf li")
    expect(shelf).to_have_count(6)
    page.get_by_label("Go to item").fill("5")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.locator("#place")).to_contain_text("5 of 6")
    expect(page.locator("#hint")).not_to_be_empty()
    page.keyboard.press("c")
    page.keyboard.type("a moraine")
    page.keyboard.press("Escape")
    saved(page)
    page.locator("#list").click()
    page.get_by_role("link", name="Flagged: 1").click()
    expect(shelf).to_have_count(1)
    expect(shelf).to_contain_text("Item 1")
    page.get_by_role("link", name="All: 6").click()
    page.get_by_label("My comments and titles").fill("Moraine")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("status")).to_contain_text("1 found.")
    expect(shelf).to_contain_text("Item 5")
