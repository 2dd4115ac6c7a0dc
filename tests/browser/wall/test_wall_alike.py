"""One key grades all items of a wall that look alike."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Assignment, Judgment
from evaluation.models import Document
from tests.assessment.factories import judge
from tests.browser.judging.surface import expect_item, marks, saved
from tests.browser.wall.walls import expect_cursor, expect_done, grades, make_walled_surface, open_wall

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def make_alike() -> Assignment:
    """A wall of six, the first three with one picture."""
    assignment = make_walled_surface(6)
    Document.objects.filter(docno__in=("D2", "D3")).update(image=Document.objects.get(docno="D1").image_id)
    return assignment


def copied() -> dict[str, str | None]:
    """The docno from which each current judgment was copied."""
    names = {row.client_uuid: row.docno for row in Judgment.objects.all()}
    return {
        row.docno: names[row.copied_from] if row.copied_from else None for row in Judgment.objects.current()
    }


@pytest.mark.both_engines
def test_key_grades_all_and_one_undo_takes_all_back(context: BrowserContext, live_server: LiveServer) -> None:
    page = open_wall(context, live_server, make_alike())
    page.keyboard.press("ArrowRight")
    page.keyboard.press("2")
    expect_cursor(page, 4)
    assert grades(page) == ["2", "2", "2", "", "", ""]
    expect(page.locator("#undo-last")).to_contain_text("Undo, items: 3")
    page.keyboard.press("z")
    expect_done(page, "0 of 6")
    page.keyboard.press("1")
    expect_done(page, "3 of 6")
    page.keyboard.press("r")
    saved(page)
    assert marks() == [("D1", 1), ("D2", 1), ("D3", 1), ("D4", 0), ("D5", 0), ("D6", 0)]
    assert copied() == {"D1": "D2", "D2": None, "D3": "D2", "D4": None, "D5": None, "D6": None}


def grade_opened(page: Page, place: int, grade: int) -> None:
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/items/{place}/#wall")
    expect_item(page)
    page.keyboard.press(str(grade))
    page.wait_for_url("**/walls/1/")
    expect_cursor(page, place + 1)


def test_grade_that_was_given_apart_stays_and_others_change_together(
    context: BrowserContext, live_server: LiveServer
) -> None:
    page = open_wall(context, live_server, make_alike())
    grade_opened(page, 1, 0)
    page.keyboard.press("2")
    expect_cursor(page, 4)
    assert grades(page)[:3] == ["0", "2", "2"]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("1")
    expect_cursor(page, 4)
    assert grades(page)[:3] == ["0", "1", "1"]
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+Digit2")
    page.keyboard.press("r")
    saved(page)
    assert marks()[:5] == [("D1", 0), ("D2", 1), ("D3", 1), ("D4", 2), ("D5", 2)]
    assert copied()["D2"] == "D3"
    assert copied()["D5"] is None


def test_one_of_them_in_conflict_leaves_the_others(context: BrowserContext, live_server: LiveServer) -> None:
    assignment = make_alike()
    page = open_wall(context, live_server, assignment)
    judge(assignment, "D3", 0)
    page.keyboard.press("2")
    page.keyboard.press("r")
    expect(page.locator("#conflicts")).to_contain_text("Item 3: you gave 2 here, and on another page 0.")
    assert marks()[:3] == [("D1", 2), ("D2", 2), ("D3", 0)]
    page.get_by_role("button", name="Keep 2").click()
    saved(page)
    assert marks()[2] == ("D3", 2)


def test_picture_that_does_not_show_is_not_graded_with_the_others(
    context: BrowserContext, live_server: LiveServer
) -> None:
    """A reason is for one item alone."""
    assignment = make_alike()
    image = Document.objects.get(docno="D4").image
    assert image is not None
    context.route(f"**/images/{image.sha256}/**", lambda route: route.fulfill(status=404))
    Document.objects.filter(docno="D4").update(fields=Document.objects.get(docno="D1").fields)
    page = open_wall(context, live_server, assignment)
    page.keyboard.press("x")
    page.keyboard.press("2")
    expect_cursor(page, 2)
    assert grades(page)[:3] == ["none", "", ""]
    page.keyboard.press("1")
    expect_cursor(page, 4)
    assert grades(page)[:4] == ["none", "1", "1", ""]


def test_items_out_of_sight_are_not_graded_with_the_others(
    context: BrowserContext, live_server: LiveServer
) -> None:
    """A phone shows half of twelve equal pictures."""
    assignment = make_walled_surface(12)
    Document.objects.update(image=Document.objects.get(docno="D1").image_id)
    page = open_wall(context, live_server, assignment)
    page.set_viewport_size({"width": 360, "height": 740})
    expect_cursor(page, 1)
    page.keyboard.press("2")
    expect(page.locator("#place")).not_to_have_text("0 of 12")
    shown = grades(page)
    count = shown.count("2")
    assert 4 <= count <= 8
    assert shown == ["2"] * count + [""] * (12 - count)
