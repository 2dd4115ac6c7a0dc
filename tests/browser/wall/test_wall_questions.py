"""Questions beside the grade on walls: asked once a wall, or beside the opened item."""

from collections import Counter
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Assignment, ExtraQuestion, Judgment
from tests.browser.judging.surface import expect_item, saved
from tests.browser.judging.test_offline import set_offline
from tests.browser.wall.walls import (
    expect_cursor,
    expect_done,
    expect_pictures,
    grades,
    make_walled_surface,
    open_wall,
    wait_for_walls,
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.parametrize("context", [{"service_workers": "allow"}], indirect=True),
]


def ask(assignment: Assignment, name: str = "sure", **fields: Any) -> None:
    values = {"text": "How sure are you?", "choices": "1\n2\n3", "is_once_a_wall": True}
    ExtraQuestion.objects.create(task=assignment.pool.task, name=name, **values | fields)


def reply(page: Page, option: str) -> None:
    page.keyboard.press("y")
    page.keyboard.press(option)


def stored() -> dict[str, tuple[int | str, dict[str, str]]]:
    """The current mark and the replies of each docno."""
    return {row.docno: (row.mark, row.replies) for row in Judgment.objects.current()}


@pytest.mark.both_engines
def test_one_reply_holds_for_the_wall_and_no_grade_comes_before_it(
    context: BrowserContext, live_server: LiveServer
) -> None:
    """On the second wall it is asked again; a reason needs no reply."""
    assignment = make_walled_surface(26)
    ask(assignment)
    page = open_wall(context, live_server, assignment)
    page.keyboard.press("2")
    expect(page.locator("#hint")).to_have_text("Reply to the question first")
    assert grades(page) == [""] * 24
    page.keyboard.press("3")  # the question has the focus
    page.keyboard.press("2")
    page.keyboard.press("r")
    expect_done(page, "24 of 26")
    saved(page)
    assert stored() == {"D1": (2, {"sure": "3"})} | {
        f"D{place}": (0, {"sure": "3"}) for place in range(2, 25)
    }
    page.keyboard.press("n")
    expect_cursor(page, 25)
    expect(page.locator("#questions :checked")).to_have_count(0)
    page.keyboard.press("r")
    expect(page.locator("#hint")).to_have_text("Reply to the question first")
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    page.keyboard.press("2")
    reply(page, "1")
    page.keyboard.press("1")
    page.keyboard.press("n")
    page.wait_for_url("**/items/")
    assert stored()["D25"] == ("topic", {"sure": "1"})
    assert stored()["D26"] == (1, {"sure": "1"})


def test_changed_reply_holds_for_the_grades_before_it_and_one_undo_takes_it_back(
    context: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_walled_surface(6)
    ask(assignment)
    page = open_wall(context, live_server, assignment)
    reply(page, "1")
    page.keyboard.press("2")
    expect_cursor(page, 2)
    page.keyboard.press("1")
    expect_cursor(page, 3)
    page.keyboard.press("x")
    page.keyboard.press("2")
    reply(page, "3")
    expect(page.locator("#undo-last")).to_contain_text("Undo, items: 3")
    page.keyboard.press("r")
    saved(page)
    assert {row[1].get("sure") for row in stored().values()} == {"3"}
    assert [stored()[docno][0] for docno in ("D1", "D2", "D3", "D6")] == [2, 1, "topic", 0]
    assert Judgment.objects.get(docno="D6").is_by_rest
    page.keyboard.press("z")
    page.keyboard.press("z")
    expect(page.locator("#questions :checked")).to_have_value("1")
    page.wait_for_function("document.querySelector('#saved').textContent.includes('with the wall')")
    page.reload()
    expect_done(page, "3 of 6")
    expect(page.locator("#questions :checked")).to_have_value("1")


def test_wall_s_reply_comes_along_to_an_opened_item(context: BrowserContext, live_server: LiveServer) -> None:
    """A question without a reply that is needed is asked there, and its reply stays with a changed one."""
    assignment = make_walled_surface(4)
    ask(assignment)
    ask(assignment, "why", text="Why?", choices="", is_required=False, is_once_a_wall=False, place=2)
    page = open_wall(context, live_server, assignment)
    expect(page.locator("#questions input[type=text], #questions input:not([type])")).to_have_count(0)
    reply(page, "2")
    page.keyboard.press("Enter")
    page.wait_for_url("**/items/1/#wall")
    expect_item(page)
    expect(page.locator("#questions :checked")).to_have_value("2")
    expect(page.locator("#questions [name=reply_sure]").first).to_be_disabled()
    page.fill("[name=reply_why]", "two bridges")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    page.wait_for_url("**/walls/1/")
    expect_cursor(page, 2)
    expect(page.locator("#questions :checked")).to_have_value("2")
    reply(page, "3")
    page.keyboard.press("r")
    saved(page)
    assert stored()["D1"] == (1, {"sure": "3", "why": "two bridges"})
    assert Judgment.objects.filter(docno="D1").last().is_opened  # type: ignore[union-attr]
    assert stored()["D4"] == (0, {"sure": "3"})


def test_question_of_each_item_is_asked_where_the_item_is_opened(
    context: BrowserContext, live_server: LiveServer
) -> None:
    """On the wall itself no key grades; a reason needs no reply."""
    assignment = make_walled_surface(3)
    ask(assignment, is_once_a_wall=False)
    page = open_wall(context, live_server, assignment)
    expect(page.locator("#questions")).to_have_count(0)
    expect(page.locator("#rest")).to_be_disabled()
    page.keyboard.press("2")
    expect(page.locator("#hint")).to_have_text("Open item 1 to reply to its question and grade it.")
    for place, option in ((1, "3"), (2, "1")):
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/items/{place}/#wall")
        expect_item(page)
        page.keyboard.press("2")
        expect(page.locator("#hint")).to_have_text("Reply to the question first")
        page.keyboard.press(option)
        page.keyboard.press("2")
        page.wait_for_url("**/walls/1/")
        expect_cursor(page, place + 1)
    page.keyboard.press("x")
    page.keyboard.press("2")
    saved(page)
    assert stored() == {"D1": (2, {"sure": "3"}), "D2": (2, {"sure": "1"}), "D3": ("topic", {})}


def test_reply_without_a_connection_is_sent_with_each_grade(
    context: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_walled_surface(24)
    ask(assignment)
    page = open_wall(context, live_server, assignment)
    wait_for_walls(page, assignment, {1})
    set_offline(context, live_server, is_offline=True)
    reply(page, "1")
    page.keyboard.press("2")
    expect_cursor(page, 2)
    reply(page, "2")
    page.keyboard.press("r")
    expect_done(page, "24 of 24")
    set_offline(context, live_server, is_offline=False)
    expect(page.locator("#saved")).to_contain_text("Saved", timeout=60_000)
    assert Counter(row[1]["sure"] for row in stored().values()) == {"2": 24}


def test_wall_that_was_open_before_its_question_stores_no_grade_without_the_reply(
    context: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_walled_surface(3)
    page = open_wall(context, live_server, assignment)
    ask(assignment)
    page.keyboard.press("r")
    expect(page.locator("#refused")).to_contain_text("Reply to this first: How sure are you?")
    expect_done(page, "0 of 3")
    assert stored() == {}
    page.goto(reverse("judging_wall", args=[assignment.pk, 1]))
    expect_cursor(page, 1)
    reply(page, "2")
    page.keyboard.press("r")
    saved(page)
    expect_done(page, "3 of 3")
    assert {row[1]["sure"] for row in stored().values()} == {"2"}


def test_walls_with_a_question_take_no_more_requests(
    context: BrowserContext, live_server: LiveServer, requests: Counter[str]
) -> None:
    """Two walls, a reply each: at most 0.09 requests an item without the two that load a page."""
    assignment = make_walled_surface(72)
    ask(assignment)
    page = open_wall(context, live_server, assignment)
    wait_for_walls(page, assignment, {1, 2, 3})
    requests.clear()
    for wall in (1, 2, 3):
        expect_pictures(page)
        reply(page, str(wall))
        page.keyboard.press("r")
        saved(page)
        if wall < 3:
            page.keyboard.press("n")
            expect_cursor(page, 24 * wall + 1)
    assert Counter(row[1]["sure"] for row in stored().values()) == {"1": 24, "2": 24, "3": 24}
    assert requests.total() <= 0.09 * 72, requests
