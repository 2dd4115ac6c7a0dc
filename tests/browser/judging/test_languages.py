"""The judging screen in longer words and from right to left: the picture and all grades are in sight."""

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from assessment.models import Assignment, ExtraQuestion
from tests.browser.axe import violations
from tests.browser.judging.sight import unseen
from tests.browser.judging.surface import make_picture, make_surface, open_place
from tests.words.pseudo_language import CODE, add_pseudo_language

pytestmark = [pytest.mark.browser, pytest.mark.whole, pytest.mark.django_db(transaction=True)]

LANGUAGES = ["de", CODE]
NARROW, WIDE = {"width": 360, "height": 640}, {"width": 1440, "height": 900}
# Elements with text that overflow the window, or whose text does not fit.
CUT = """() => [...document.querySelectorAll(".bar *, .acts *, .grades *, main *, header *")]
    .filter((each) => each.checkVisibility() && !each.closest(".vh, .skip, .stage, .scroll, [popover]"))
    .filter((each) => {
        const { left, right } = each.getBoundingClientRect();
        return right > left && (left < -1 || right > innerWidth + 1);
    })
    .map((each) => each.outerHTML.slice(0, 80))"""


@pytest.fixture
def assignment(settings: Settings, tmp_path: Path) -> Assignment:
    """Items of 1200 x 800, 300 x 4000 and 6000 x 300 pixels, with a question."""
    add_pseudo_language(settings, tmp_path)
    assignment = make_surface([make_picture(*size) for size in ((1200, 800), (300, 4000), (6000, 300))])
    ExtraQuestion.objects.create(task=assignment.pool.task, name="sure", text="How sure?", choices="1\n2\n3")
    return assignment


@pytest.fixture
def page(
    request: pytest.FixtureRequest, assignment: Assignment, context: BrowserContext, live_server: LiveServer
) -> Page:
    """The first item in the language of the test's parameter."""
    assignment.assessor.language = request.param
    assignment.assessor.save()
    return open_place(context, live_server, assignment)


@pytest.mark.parametrize("page", LANGUAGES, indirect=True)
def test_picture_and_grades_are_in_sight_in_every_language(page: Page) -> None:
    assert unseen(page) == {}  # the topic is open
    for place in ("2", "3"):
        page.locator("#questions input").first.check()
        page.keyboard.press("Escape")
        page.keyboard.press("1")
        expect(page.locator("#stage")).to_have_attribute("data-place", place)
        assert unseen(page) == {}, place
        assert page.evaluate(CUT) == []


@pytest.mark.parametrize("page", LANGUAGES, indirect=True)
@pytest.mark.parametrize("width", [1440, 1280])
def test_actions_of_a_laptop_are_one_row_in_every_language(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.locator("#questions input").first.check()
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    expect(page.locator("#stage")).to_have_attribute("data-place", "2")
    expect(page.locator("#undo-last")).to_be_enabled()
    shown = page.locator(".acts > div > :is(button, .btn):visible, .menu :is(button, .btn):visible")
    boxes = [box for each in shown.all() if (box := each.bounding_box())]
    assert len(boxes) == 10
    assert len({round(box["y"]) for box in boxes}) == 1


@pytest.mark.parametrize("page", LANGUAGES, indirect=True)
def test_parts_that_open_stay_in_the_window(page: Page) -> None:
    for size in (WIDE, {"width": 720, "height": 450}, {"width": 740, "height": 360}, NARROW):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        for key in ("x", "c", "g", "m", "?"):
            page.keyboard.press(key)
            assert page.evaluate(CUT) == [], (size, key)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (size, key)
            if size in (WIDE, NARROW):
                assert violations(page) == [], (size, key)
            page.keyboard.press("Escape")
            page.keyboard.press("Escape")


@pytest.mark.parametrize("page", LANGUAGES, indirect=True)
def test_menu_of_a_phone_shows_its_words_and_keys(page: Page) -> None:
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    page.locator("button.more").click()
    entries = page.locator("#menu :is(button, .btn):visible").all()
    assert len(entries) > 6
    for entry in entries:
        assert entry.evaluate("each => each.scrollWidth <= each.clientWidth"), entry.inner_text()
        assert entry.evaluate("each => getComputedStyle(each, '::after').content") == "none"


@pytest.mark.parametrize("page", [CODE], indirect=True)
def test_screen_is_mirrored_but_for_the_picture_and_the_row_of_grades(page: Page) -> None:
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]

    def left_of(selector: str) -> float:
        box = page.locator(selector).first.bounding_box()
        assert box
        return box["x"]

    assert left_of(".bar .name") > left_of("#saved") > left_of(".bar .tail")
    assert left_of("#topic") > left_of("#stage")
    assert left_of("#undo-last") > left_of("#back")
    grades = page.locator("#grades button")
    boxes = [grades.nth(index).bounding_box() for index in range(grades.count())]
    lefts = [box["x"] for box in boxes if box]
    assert lefts == sorted(lefts)  # as the keys 0, 1, 2 on the keyboard
    name, definition = grades.first.locator("bdi").all()
    assert name.evaluate("each => getComputedStyle(each).direction") == "ltr"  # a text of the track
    assert definition.evaluate("each => getComputedStyle(each).direction") == "ltr"
    page.keyboard.press("e")
    stage = page.locator("#stage")
    expect(stage).to_have_class("stage zoom")
    before = stage.evaluate("each => each.scrollLeft")
    page.keyboard.press("ArrowRight")
    assert stage.evaluate("each => each.scrollLeft") > before
    assert before > 0


@pytest.mark.parametrize("page", LANGUAGES, indirect=True)
@pytest.mark.parametrize("address", ["/judging/", "/account/", "/account/language/", "items/", "training/"])
def test_pages_around_the_screen_fit_a_phone(page: Page, assignment: Assignment, address: str) -> None:
    task = assignment.pool.task
    address = {
        "items/": f"/judging/{assignment.pk}/items/",
        "training/": f"/tracks/{task.track.slug}/tasks/{task.slug}/training/",
    }.get(address, address)
    for size in (WIDE, NARROW):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.goto(address)
        assert page.evaluate(CUT) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert violations(page) == []
