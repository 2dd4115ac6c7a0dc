"""An item and a topic of several pictures: one at a time on the screen, the next by key or button."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Judgment
from evaluation.models import Document, Topic
from tests.browser.axe import violations
from tests.browser.judging.surface import make_picture, make_surface, open_place

pytestmark = [pytest.mark.browser, pytest.mark.both_engines, pytest.mark.django_db(transaction=True)]

SIZES = [(800, 600), (100, 900), (300, 200)]  # the second is laid out as a long picture


@pytest.fixture
def page(context: BrowserContext, live_server: LiveServer) -> Page:
    """The first of two items has three pictures, and so has the topic."""
    assignment = make_surface([None] * 2)
    first, *more = (make_picture(*size) for size in SIZES)
    images = {"image": first, "more_images": [image.pk for image in more]}
    Topic.objects.update(**images)
    Document.objects.update(**images)
    return open_place(context, live_server, assignment)


def shown(page: Page, stage: str) -> list[str | None]:
    """The widths of the pictures in view, in their files."""
    images = page.locator(f"{stage} img:not([hidden]):not(.strip img)").all()
    return [image.get_attribute("width") for image in images]


def test_pictures_follow_each_other_and_the_first_one_of_the_item_names_the_judgment(page: Page) -> None:
    button = page.locator("#next-picture")
    expect(button).to_contain_text("1/3")
    assert shown(page, "#stage") == ["800"]
    page.keyboard.press("j")
    expect(button).to_contain_text("2/3")
    assert shown(page, "#stage") == ["100"]
    assert not violations(page)
    button.click()
    assert shown(page, "#stage") == ["300"]
    page.keyboard.press("j")
    assert shown(page, "#stage") == ["800"]
    page.keyboard.press("j")
    page.keyboard.press("1")
    expect(page.locator("#place")).to_have_text("2 of 2")
    expect(page.locator("#saved")).to_contain_text("Saved")
    expect(button).to_contain_text("1/3")
    event = Judgment.objects.get()
    assert event.image_sha256 == Document.objects.get(docno=event.docno).image_id
    # Those of the topic, too, when enlarged.
    assert page.locator("#topic .body img").count() == len(SIZES)
    page.keyboard.press("p")
    assert shown(page, "#topic-stage") == ["800"]
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert shown(page, "#topic-stage") == ["300"]
    assert shown(page, "#stage") == ["800"]
