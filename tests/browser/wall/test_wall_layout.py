"""The wall at each size: what is in sight, taps, texts, colours and accessibility."""

import pytest
from django.core.files.storage import default_storage
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from assessment.assigning.actions import end_assignment
from assessment.models import JudgingPlan, Surface
from evaluation.models import TaskKind
from tests.assessment.factories import make_assignment, make_judging_pool
from tests.browser.axe import dark_violations, violations
from tests.browser.judging.surface import make_surface, marks, saved
from tests.browser.signing_in import sign_in
from tests.browser.wall.walls import expect_cursor, expect_done, grades, make_walled_surface, open_wall
from tests.factories import make_image

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SEEN = {(1440, 900): 24, (360, 640): 6, (1024, 768): 24, (740, 360): 6}  # cells in sight, by width and height
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
    expect(page.locator("#hint")).not_to_be_empty()  # the script handles clicks
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
