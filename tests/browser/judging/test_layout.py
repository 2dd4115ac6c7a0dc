"""The judging screen on phones and on enlarged pages: the whole picture and all grades are in sight."""

import pytest
from django.core.files.storage import default_storage
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Assignment, ExtraQuestion, Judgment
from evaluation.models import Criteria, Topic
from tests.browser.axe import dark_violations, violations
from tests.browser.judging.sight import SIZES, unseen
from tests.browser.judging.surface import expect_item, make_picture, make_surface, open_place, saved
from tests.factories import GRADES, make_image

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SENTENCE = "A tarn forms when a small glacier hollows out the head of a valley and then melts. "


@pytest.fixture
def assignment() -> Assignment:
    """Items of 1200 x 800, 300 x 4000, 6000 x 300, 8 x 8 pixels, and one whose picture cannot be shown."""
    broken = make_image()
    default_storage.delete(broken.display.path)
    sizes = [(1200, 800), (300, 4000), (6000, 300), (8, 8)]
    assignment = make_surface([*(make_picture(*size) for size in sizes), broken, None])
    fields = [["page_title", "Tarn"], ["section_title", "Formation"], ["section_text", SENTENCE * 6]]
    Topic.objects.update(fields=fields)
    return assignment


@pytest.fixture
def page(assignment: Assignment, context: BrowserContext, live_server: LiveServer) -> Page:
    """The first item."""
    return open_place(context, live_server, assignment)


def test_picture_and_grades_are_in_sight_at_every_size(page: Page) -> None:
    assert unseen(page) == {}  # the topic is open
    for place in (2, 3, 4, 5, 6):
        if place == 6:
            page.keyboard.press("x")
        else:
            page.keyboard.press("1")
        expect(page.locator("#place")).to_contain_text(f"{place} of 6")
        assert unseen(page) == {}, place


@pytest.mark.whole
def test_four_grades_and_a_question_leave_the_picture_in_sight(
    assignment: Assignment, context: BrowserContext, live_server: LiveServer
) -> None:
    task = assignment.pool.task
    more = {"grade": 3, "name": "Perfectly relevant", "text": "The best there is."}
    Criteria.objects.create(task=task, version=2, grades=[*GRADES, more])
    ExtraQuestion.objects.create(task=task, name="sure", text="How sure?", choices="1\n2\n3")
    page = open_place(context, live_server, assignment)
    page.locator("#card > summary").evaluate("each => { each.parentElement.open = false; }")
    assert unseen(page) == {}


@pytest.mark.whole
def test_topic_is_one_line_after_its_first_item(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    text = page.get_by_role("region", name="Text of the topic")
    expect(text).to_be_visible()
    page.keyboard.press("1")
    expect(text).to_be_hidden()
    saved(page)
    page.reload()
    expect_item(page)  # the script has closed the card
    expect(text).to_be_hidden()
    page.locator("#card > summary").click()
    expect(text).to_be_visible()
    page.set_viewport_size({"width": 1440, "height": 900})
    page.keyboard.press("1")
    expect(page.locator("#place")).to_contain_text("3 of 6")
    expect(text).to_be_visible()


@pytest.mark.whole
def test_picture_comes_before_the_topic_s_text_on_the_smallest_screen(page: Page) -> None:
    text = page.get_by_role("region", name="Text of the topic")
    page.set_viewport_size({"width": 320, "height": 256})
    expect(text).to_be_hidden()
    # Of 256 px the bar takes 30, the topic 28 and the grades about 60.
    page.wait_for_function("() => document.querySelector('#stage img').getBoundingClientRect().height > 80")
    page.set_viewport_size({"width": 360, "height": 640})
    expect(text).to_be_visible()


@pytest.mark.whole
@pytest.mark.parametrize("size", [(1440, 900), (360, 640), (740, 360), (320, 256)])
def test_every_part_that_opens_is_accessible(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for key in ("", "x", "c", "g", "?"):
        if key:
            page.keyboard.press(key)
        assert violations(page) == [], key
        assert dark_violations(page) == [], key
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")


@pytest.mark.whole
@pytest.mark.parametrize("size", [(1440, 900), (1024, 768)])
def test_popups_of_large_screens_cover_neither_picture_nor_grades(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.keyboard.press("1")
    expect(page.locator("#place")).to_contain_text("2 of 6")
    for key in "xcgm":
        page.keyboard.press(key)
        popup = page.locator(".pop[open] > div")
        expect(popup).to_be_visible()
        assert unseen(page, [size]) == {}, key
        box = popup.bounding_box()
        assert box
        assert box["x"] >= 0, key
        assert box["y"] + box["height"] <= size[1], key
        page.keyboard.press("Escape")


def test_chosen_grade_is_outlined_in_the_reader_s_own_colours(page: Page) -> None:
    page.keyboard.press("1")
    expect(page.locator("#place")).to_contain_text("2 of 6")
    page.keyboard.press("q")
    page.emulate_media(forced_colors="active")
    grades = page.locator("#grades button")
    styles = grades.evaluate_all("all => all.map((each) => getComputedStyle(each).outlineStyle)")
    assert styles == ["none", "solid", "none"]


@pytest.mark.whole
def test_actions_of_a_laptop_are_one_row_and_not_cut(page: Page) -> None:
    page.keyboard.press("1")
    expect(page.locator("#undo-last")).to_contain_text("Undo: 1")
    page.set_viewport_size({"width": 1440, "height": 900})
    shown = page.locator(".acts :is(button, .btn):visible")
    assert len({round(box["y"]) for each in shown.all() if (box := each.bounding_box())}) == 1
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator("#undo-last > span").evaluate("each => each.scrollWidth <= each.clientWidth + 1")


@pytest.mark.both_engines
def test_grade_is_announced_once(page: Page) -> None:
    said = page.locator("#announcement")
    page.keyboard.press("2")
    expect(said).to_have_text("Item 1 graded 2, Relevant. Item 2 of 6.")
    saved(page)
    expect(said).to_have_text("Item 1 graded 2, Relevant. Item 2 of 6.")
    page.keyboard.press("x")
    page.keyboard.press("2")
    expect(said).to_have_text("Item 2 cannot be judged. Item 3 of 6.")
    page.keyboard.press("z")
    expect(said).to_have_text("Undone: item 2 needs a judgment again. Item 2 of 6.")
    page.keyboard.press("q")
    expect(said).to_have_text("Item 1 of 6.")
    page.keyboard.press("v")
    expect(said).to_have_text("Flagged.")
    page.keyboard.press("v")
    expect(said).to_have_text("Flag removed.")
    assert page.locator("[role=status], [aria-live]").evaluate_all(
        "all => all.filter((each) => each.checkVisibility()).map((each) => each.id)"
    ) == ["announcement"]


@pytest.mark.whole
def test_undo_and_back_are_in_the_menu_of_the_smallest_screen(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 256})
    page.keyboard.press("1")
    expect(page.locator("#place")).to_contain_text("2 of 6")
    page.get_by_role("button", name="More").click()
    page.locator("#menu").get_by_role("link", name="Back").click()
    expect(page.locator("#place")).to_contain_text("1 of 6")
    page.get_by_role("button", name="More").click()
    page.locator("#menu").get_by_role("button", name="Undo").click()
    saved(page)
    assert not Judgment.objects.current().exists()


FIREFOX_SIZES = [(1440, 900), (720, 450), (740, 360), (500, 640), (360, 640), (320, 256)]
IN_SIGHT = """() => [...document.querySelectorAll("#stage img, #grades button")].every(each => {
    const box = each.getBoundingClientRect();
    const middle = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight
        && (middle === each || each.contains(middle));
})"""


@pytest.mark.whole
@pytest.mark.parametrize("browser", ["firefox"], indirect=True)
def test_picture_and_grades_are_in_sight_in_firefox(context: BrowserContext, live_server: LiveServer) -> None:
    pictures = [make_picture(1200, height) for height in (800, 801)]
    page = open_place(context, live_server, make_surface([*pictures, *[None] * 3]))
    page.keyboard.press("0")
    expect(page.locator("#place")).to_have_text("2 of 5")  # the topic's card is open on the first
    for width, height in FIREFOX_SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(IN_SIGHT)
