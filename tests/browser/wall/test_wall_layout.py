"""The wall at each size: what is in sight, taps, texts, colours and accessibility."""

from io import BytesIO

import pytest
from django.core.files.storage import default_storage
from PIL import Image as Picture
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from assessment.assigning.actions import end_assignment
from assessment.models import Assignment, JudgingPlan, Surface
from evaluation.models import Image, Phase, TaskKind
from tests.assessment.factories import make_assignment, make_judging_pool
from tests.browser.axe import dark_violations, violations
from tests.browser.judging.surface import expect_item, make_picture, make_surface, marks, saved
from tests.browser.signing_in import sign_in
from tests.browser.wall.walls import expect_cursor, expect_done, grades, make_walled_surface, open_wall
from tests.factories import make_blob, make_document, make_image, make_pool, make_task, make_topic

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SEEN = {(1440, 900): 24, (360, 640): 6, (1024, 768): 24, (740, 360): 6}  # cells in sight, by width and height
CLOSE_CARD = "width => { if (width < 960) document.getElementById('card').open = false; }"
IN_SIGHT = """() => {
    const inner = document.querySelector("#cells").getBoundingClientRect();
    return [...document.querySelectorAll(".cell")].filter((cell) => {
        const box = cell.getBoundingClientRect();
        return box.top >= inner.top && box.bottom <= inner.bottom && box.left >= 0 && box.right <= innerWidth;
    }).length;
}"""


@pytest.mark.whole
@pytest.mark.parametrize("size", list(SEEN))
def test_wall_fits_and_is_accessible(
    context: BrowserContext, live_server: LiveServer, size: tuple[int, int]
) -> None:
    page = open_wall(context, live_server, make_walled_surface(24))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(CLOSE_CARD, size[0])
    assert page.evaluate(IN_SIGHT) >= SEEN[size]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for keys in ((), ("1", "0", "Shift+ArrowRight"), ("x",), ("Escape", "?")):
        for key in keys:
            page.keyboard.press(key)
        assert violations(page) == [], keys
        assert dark_violations(page) == [], keys


def test_rest_on_a_phone_is_what_is_in_sight(context: BrowserContext, live_server: LiveServer) -> None:
    page = open_wall(context, live_server, make_walled_surface(24))
    page.set_viewport_size({"width": 360, "height": 640})
    page.locator("#card summary").click()
    expect(page.locator("#rest span")).to_have_text("Rest as 0, items: 6")
    page.locator("#rest").click()
    expect_done(page, "6 of 24")
    expect_cursor(page, 7)
    assert grades(page) == [*["0"] * 6, *[""] * 18]


@pytest.mark.whole
def test_first_tap_moves_the_cursor_and_a_second_opens_the_item(
    context: BrowserContext, live_server: LiveServer
) -> None:
    page = open_wall(context, live_server, make_walled_surface(8))
    page.locator(".cell[data-place='4']").click()
    expect_cursor(page, 4)
    page.locator(".cell[data-place='6']").click(modifiers=["Shift"])
    page.locator("[name=grade][value='1']").click(modifiers=["Shift"])
    assert grades(page) == ["", "", "", "1", "1", "1", "", ""]
    page.locator(".cell[data-place='4']").click()
    page.locator(".cell[data-place='4']").click()
    page.wait_for_url("**/items/4/#wall")
    expect_item(page)  # the script handles clicks
    page.locator("#back").click()
    page.wait_for_url("**/walls/1/")
    expect_cursor(page, 4)


@pytest.mark.whole
def test_texts_are_a_list_of_snippets(context: BrowserContext, live_server: LiveServer) -> None:
    assignment = make_assignment(make_judging_pool(kind=TaskKind.IMAGE_TO_TEXT))  # D2, D1, D3
    JudgingPlan.objects.create(task=assignment.pool.task, surface=Surface.BOTH)
    page = open_wall(context, live_server, assignment)
    expect(page.locator("#cells.texts .face")).to_have_text(
        ["Caption of D2", "Caption of D1", "Caption of D3"]
    )
    page.set_viewport_size({"width": 360, "height": 640})
    page.keyboard.press("ArrowDown")
    expect_cursor(page, 2)
    page.keyboard.press("2")
    page.keyboard.press("r")
    saved(page)
    assert marks() == [("D1", 2), ("D2", 0), ("D3", 0)]
    assert violations(page) == []


HEIGHTS = "all => all.map((each) => each.getBoundingClientRect().height)"


def test_open_topic_on_a_phone_leaves_the_pictures_large_enough(
    context: BrowserContext, live_server: LiveServer
) -> None:
    page = open_wall(context, live_server, make_walled_surface(24))
    page.set_viewport_size({"width": 360, "height": 640})
    expect(page.locator("#card")).to_have_attribute("open", "")
    assert page.locator("#cells").evaluate("each => each.clientHeight") >= 140
    assert min(page.locator(".cell .face").evaluate_all(HEIGHTS)) >= 140
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_strips_and_faint_pictures_are_opened_before_they_are_graded(
    context: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_surface([None, make_picture(4000, 200), make_one_colour(), make_picture(24, 20), None])
    JudgingPlan.objects.create(task=assignment.pool.task, surface=Surface.WALL)
    page = open_wall_at(context, live_server, assignment)
    marked = page.locator(".cell:has(i:text('open it'))")
    assert marked.evaluate_all("all => all.map((each) => each.dataset.place)") == ["2", "3", "4"]
    expect(page.locator("#rest span")).to_have_text("Rest as 0, items: 2")
    page.keyboard.press("r")
    expect(page.locator(".cell[aria-current=true]")).to_have_attribute("data-place", "2")
    page.keyboard.press("1")
    expect(page.locator("#hint")).to_have_text("Item 2 is too small to see here. Open it to grade it.")
    page.keyboard.press("Enter")
    page.wait_for_url("**/items/2/#wall")
    expect_item(page)
    page.keyboard.press("1")
    page.wait_for_url("**/walls/1/")
    expect_cursor(page, 3)
    page.keyboard.press("2")  # faint, but large enough: the assessor sees what is marked
    page.keyboard.press("0")
    saved(page)
    assert marks() == [("D1", 0), ("D2", 1), ("D3", 2), ("D4", 0), ("D5", 0)]


def make_one_colour() -> Image:
    """A picture on which nothing can be seen, as a white drawing on a transparent ground becomes one."""
    with BytesIO() as file:
        Picture.new("RGB", (300, 200), (250, 250, 250)).save(file, "PNG")
        blob = make_blob(file.getvalue())
    copies = dict.fromkeys(("original", "display", "small", "thumbnail"), blob)
    return Image.objects.create(sha256=blob.sha256, width=300, height=200, **copies)


def open_wall_at(context: BrowserContext, live_server: LiveServer, assignment: Assignment) -> Page:
    """Open the first wall although a picture of it is not gradeable."""
    sign_in(context, assignment.assessor, live_server)
    page = context.new_page()
    page.goto(f"/judging/{assignment.pk}/walls/1/")
    expect(page.locator("#cells[aria-busy=false]")).to_be_visible()
    expect(page.locator(".cell.unseen")).to_have_count(1)  # the strip
    return page


@pytest.mark.whole
@pytest.mark.parametrize(("width", "height", "count"), [(1440, 900, 24), (1024, 768, 12), (768, 1024, 12)])
def test_snippets_of_texts_are_in_sight_with_the_topic_s_words(
    context: BrowserContext, live_server: LiveServer, width: int, height: int, count: int
) -> None:
    docnos = [f"D{number}" for number in range(1, 25)]
    task = make_task(phase=Phase.JUDGING, kind=TaskKind.IMAGE_TO_TEXT)
    make_topic(task, number="T1", fields=[["title", "Glacier lakes"]])
    filler = "word " * 60
    for docno in docnos:
        make_document(task.collection, docno=docno, fields=[["caption", f"{filler} a glacier {filler}"]])
    assignment = make_assignment(make_pool(task, pairs=[("T1", docno) for docno in docnos]))
    JudgingPlan.objects.create(task=task, surface=Surface.WALL)
    page = open_wall(context, live_server, assignment)
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(CLOSE_CARD, width)
    assert page.evaluate(IN_SIGHT) >= count
    expect(page.locator(".cell mark")).to_have_text(["glacier"] * 24)
    inside = """all => all.every((each) => {
        const [mark, face] = [each, each.closest(".face")].map((part) => part.getBoundingClientRect());
        return mark.top >= face.top && mark.bottom <= face.bottom + 1;
    })"""
    assert page.locator(".cell mark").evaluate_all(inside)
    assert violations(page) == []
    page.keyboard.press("r")
    saved(page)


@pytest.mark.whole
def test_broken_picture_gets_a_reason_and_no_grade(context: BrowserContext, live_server: LiveServer) -> None:
    broken = make_image()
    default_storage.delete(broken.small.path)
    assignment = make_surface([None, broken, None])
    JudgingPlan.objects.create(task=assignment.pool.task, surface=Surface.WALL)
    page = open_wall(context, live_server, assignment)
    expect(page.locator(".cell .broken")).to_have_text("The picture cannot be shown.")
    expect(page.locator("#rest span")).to_have_text("Rest as 0, items: 2")
    page.keyboard.press("r")
    expect_cursor(page, 2)
    page.keyboard.press("1")
    expect(page.locator("#next")).to_be_disabled()
    page.keyboard.press("x")
    page.keyboard.press("1")
    expect(page.locator("#next")).to_be_enabled()
    saved(page)
    assert marks() == [("D1", 0), ("D2", "image"), ("D3", 0)]


@pytest.mark.whole
def test_withdrawn_topic_ends_the_wall(context: BrowserContext, live_server: LiveServer) -> None:
    assignment = make_walled_surface(3)
    page = open_wall(context, live_server, assignment)
    end_assignment(assignment=assignment, by=assignment.pool.created_by)
    page.keyboard.press("r")
    expect(page.locator("#cells")).to_contain_text("You no longer judge this topic")
    expect(page.locator("#refused")).to_contain_text("Not counted")


@pytest.mark.whole
def test_cursor_is_an_outline_in_colours_of_the_reader(
    context: BrowserContext, live_server: LiveServer
) -> None:
    page = open_wall(context, live_server, make_walled_surface(3))
    page.emulate_media(forced_colors="active")
    width = "each => parseFloat(getComputedStyle(each).outlineWidth)"
    assert page.locator(".cell[data-place='1']").evaluate(width) >= 3
    assert (
        page.locator(".cell[data-place='2']").evaluate("each => getComputedStyle(each).outlineStyle")
        == "none"
    )


@pytest.mark.whole
@pytest.mark.parametrize("context", [{"java_script_enabled": False}], indirect=True)
def test_cells_are_links_without_scripts(context: BrowserContext, live_server: LiveServer) -> None:
    assignment = make_walled_surface(3)
    sign_in(context, assignment.assessor, live_server)
    page = context.new_page()
    page.goto(f"/judging/{assignment.pk}/walls/1/")
    expect(page.locator("[name=grade]").first).to_be_disabled()
    page.locator(".cell[data-place='2']").click()
    page.locator("[name=grade][value='2']").click()
    expect(page.locator("#place")).to_have_text("3 of 3")
    assert marks() == [("D2", 2)]
