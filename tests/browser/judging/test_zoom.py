"""The picture on the judging screen: enlarged by wheel, pinch and keys, moved by drag; legible when long."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.judging.sight import WIDTH
from tests.browser.judging.surface import make_picture, make_surface, open_place

pytestmark = [pytest.mark.browser, pytest.mark.both_engines, pytest.mark.django_db(transaction=True)]

SCROLLED = "each => [each.scrollLeft, each.scrollTop]"


@pytest.fixture
def page(context: BrowserContext, live_server: LiveServer) -> Page:
    """Pictures of 1600 x 1200, 300 x 12000, 8 x 8 and 200 x 150 pixels, in a window of 1280 x 720."""
    sizes = [(1600, 1200), (300, 12_000), (8, 8), (200, 150)]
    return open_place(context, live_server, make_surface([make_picture(*size) for size in sizes]))


def width_of(page: Page) -> float:
    """Width of the picture on the screen, after the next painted frame."""
    return float(page.locator("#stage img").first.evaluate(WIDTH))


def test_wheel_keys_and_true_size_change_the_size(page: Page) -> None:
    whole = width_of(page)
    page.locator("#stage img").hover()
    page.mouse.wheel(0, -100)
    assert width_of(page) == pytest.approx(whole * 1.25, abs=1)
    page.keyboard.press("+")
    assert width_of(page) == pytest.approx(whole * 1.25**2, abs=1)
    page.keyboard.press("-")
    page.keyboard.press("n")
    assert width_of(page) == pytest.approx(1600, abs=1)
    expect(page.locator("#fact")).to_have_text("1,600 × 1,200 pixels, shown at 100 %")
    page.keyboard.press("e")
    assert width_of(page) == pytest.approx(whole, abs=1)
    expect(page.locator("#fact")).to_be_hidden()


@pytest.mark.whole
def test_enlarged_picture_is_moved_by_drag_and_arrows_and_whole_on_the_next_item(page: Page) -> None:
    stage = page.locator("#stage")
    page.keyboard.press("e")
    left, top = stage.evaluate(SCROLLED)
    page.mouse.move(800, 300)
    page.mouse.down()
    page.mouse.move(700, 260)
    page.mouse.up()
    assert stage.evaluate(SCROLLED) == pytest.approx([left + 100, top + 40], abs=2)
    page.keyboard.press("ArrowDown")
    assert stage.evaluate(SCROLLED)[1] > top + 40
    page.keyboard.press("1")
    expect(page.locator("#place")).to_contain_text("2 of 4")
    page.keyboard.press("q")
    expect(page.locator("#place")).to_contain_text("1 of 4")
    expect(page.locator("#stage.zoom")).to_have_count(0)


PINCH = """each => {
    const at = (type, id, x) => each.dispatchEvent(new PointerEvent(type, {
        pointerId: id, pointerType: "touch", clientX: x, clientY: 300, bubbles: true }));
    at("pointerdown", 1, 700);
    at("pointerdown", 2, 800);
    at("pointermove", 2, 900);
    at("pointerup", 1, 700);
    at("pointerup", 2, 900);
}"""


@pytest.mark.whole
def test_pinch_enlarges(page: Page) -> None:
    whole = width_of(page)
    page.locator("#stage img").evaluate(PINCH)
    assert width_of(page) == pytest.approx(2 * whole, abs=1)


def test_long_picture_is_legible_in_a_part_beside_the_whole(page: Page) -> None:
    page.keyboard.press("1")
    expect(page.locator("#place")).to_contain_text("2 of 4")
    assert width_of(page) >= 300
    assert page.locator("#stage img").first.evaluate("each => each.naturalWidth") == 300
    frame = page.locator("#stage .frame")
    before = frame.bounding_box()
    page.locator("#stage .part").hover()
    page.mouse.wheel(0, 2_000)
    expect(page.locator("#stage .part")).not_to_have_js_property("scrollTop", 0)
    assert before
    is_lower = "y => document.querySelector('#stage .frame').getBoundingClientRect().y > y"
    page.wait_for_function(is_lower, arg=before["y"])


@pytest.mark.whole
def test_small_pictures_show_how_much_they_are_enlarged(page: Page) -> None:
    page.keyboard.press("1")
    page.keyboard.press("1")
    expect(page.locator("#fact")).to_have_text("8 × 8 pixels, enlarged 32 times")
    assert width_of(page) == 256
    page.keyboard.press("1")
    expect(page.locator("#fact")).to_have_text("200 × 150 pixels, enlarged 2 times")
    assert width_of(page) == 400
