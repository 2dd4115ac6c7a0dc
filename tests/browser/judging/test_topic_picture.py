"""The topic's picture: in proportion on the card, and enlarged like the item's."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from evaluation.models import Topic
from tests.browser.axe import dark_violations, violations
from tests.browser.judging.sight import WIDTH
from tests.browser.judging.surface import make_picture, make_surface, open_place

pytestmark = [pytest.mark.browser, pytest.mark.both_engines, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(context: BrowserContext, live_server: LiveServer) -> Page:
    """A topic with a picture of 1200 x 800 pixels."""
    assignment = make_surface([None] * 3)
    Topic.objects.update(image=make_picture(1200, 800))
    return open_place(context, live_server, assignment)


def width_of(page: Page) -> float:
    return float(page.locator("#topic-stage img").evaluate(WIDTH))


def test_picture_of_the_topic_is_enlarged_by_key_button_and_wheel(page: Page) -> None:
    dialog = page.locator("#topic-picture")
    page.keyboard.press("p")
    expect(dialog).to_be_visible()
    whole = width_of(page)
    card = page.locator("#topic .body img").bounding_box()
    assert card
    assert whole > 1.5 * card["width"]
    page.keyboard.press("+")
    assert width_of(page) == pytest.approx(whole * 1.25, abs=1)
    page.locator("#topic-stage img").hover()
    page.mouse.wheel(0, 100)
    assert width_of(page) == pytest.approx(whole, abs=1)
    page.keyboard.press("n")
    assert width_of(page) == pytest.approx(1200, abs=1)
    page.keyboard.press("e")
    page.keyboard.press("e")
    before = page.locator("#topic-stage").evaluate("each => each.scrollTop")
    page.keyboard.press("ArrowDown")
    assert page.locator("#topic-stage").evaluate("each => each.scrollTop") > before
    page.keyboard.press("2")  # no item is graded behind it
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("#place")).to_have_text("1 of 3")
    page.locator("#topic-zoom").click()
    expect(dialog).to_be_visible()
    page.keyboard.press("p")
    expect(dialog).to_be_hidden()
    item = float(page.locator("#stage img").evaluate(WIDTH))
    page.keyboard.press("+")
    assert float(page.locator("#stage img").evaluate(WIDTH)) > item  # the keys are the item's again


@pytest.mark.whole
def test_enlarged_picture_is_accessible_on_all_sizes(page: Page) -> None:
    for width, height in ((1440, 900), (360, 640), (720, 450)):
        page.set_viewport_size({"width": width, "height": height})
        page.keyboard.press("p")
        expect(page.locator("#topic-picture")).to_be_visible()
        assert [*violations(page), *dark_violations(page)] == []
        box = page.locator("#topic-stage img").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["width"] / box["height"] == pytest.approx(1.5, abs=0.02)
        page.get_by_role("button", name="Close").click()


def test_topic_without_a_picture_has_no_key_for_it(context: BrowserContext, live_server: LiveServer) -> None:
    page = open_place(context, live_server, make_surface([None] * 3))
    page.keyboard.press("p")
    expect(page.locator("#topic-picture")).to_be_hidden()
    expect(page.locator("#place")).to_have_text("1 of 3")
