"""The judging screen in Firefox, where the machine has it, at all sizes."""

import pytest
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.judging.surface import make_picture, make_surface, open_place

pytestmark = [
    pytest.mark.browser,
    pytest.mark.whole,
    pytest.mark.django_db(transaction=True),
    pytest.mark.parametrize("browser", ["firefox"], indirect=True),
]

SIZES = [(1440, 900), (720, 450), (740, 360), (500, 640), (360, 640), (320, 256)]
SEEN = """() => [...document.querySelectorAll("#stage img, #grades button")].every(each => {
    const box = each.getBoundingClientRect();
    const middle = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight
        && (middle === each || each.contains(middle));
})"""


def test_picture_and_grades_are_in_sight(context: BrowserContext, live_server: LiveServer) -> None:
    pictures = [make_picture(1200, height) for height in (800, 801)]
    page = open_place(context, live_server, make_surface([*pictures, *[None] * 3]))
    page.keyboard.press("0")
    expect(page.locator("#place")).to_have_text("2 of 5")  # the topic's card is open on the first
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(SEEN)
