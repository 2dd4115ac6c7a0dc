"""The answer beside the grades, on walls and on the screen of single items."""

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Assignment, Judgment
from evaluation.models import Criteria
from tests.assessment.factories import judge
from tests.browser.judging.surface import expect_item, marks, open_place, saved
from tests.browser.wall.walls import (
    expect_complete,
    expect_cursor,
    expect_done,
    grades,
    make_walled_surface,
    open_wall,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DARK, SMALL = "nominal: too dark", "nominal: too small"


def offer(assignment: Assignment, *reasons: str) -> None:
    task = assignment.pool.task
    Criteria.objects.filter(task=task).update(nominal_name="Unsure", nominal_reasons="\n".join(reasons))


@pytest.mark.both_engines
def test_key_gives_it_on_a_wall_to_one_or_several_and_rest_leaves_it(
    context: BrowserContext, live_server: LiveServer
) -> None:
    """Undone and graded, it is a grade; the rest's undo leaves it, too."""
    assignment = make_walled_surface(6)
    offer(assignment)
    page = open_wall(context, live_server, assignment)
    page.keyboard.press("h")
    expect_cursor(page, 2)
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+H")
    expect_cursor(page, 4)
    assert grades(page) == ["nominal"] * 3 + [""] * 3
    expect(page.locator(".cell .mark.nm")).to_have_count(3)
    page.keyboard.press("r")
    expect_complete(page)
    saved(page)
    assert marks() == [(f"D{place}", "nominal") for place in (1, 2, 3)] + [
        (f"D{place}", 0) for place in (4, 5, 6)
    ]
    page.keyboard.press("z")
    expect_done(page, "3 of 6")
    page.keyboard.press("z")
    expect_done(page, "1 of 6")
    page.keyboard.press("2")
    page.keyboard.press("r")
    expect_complete(page)
    saved(page)
    assert marks()[:3] == [("D1", "nominal"), ("D2", 2), ("D3", 0)]
    expect(page.locator(".own li", has_text="Unsure")).to_contain_text("1")


def test_its_reasons_have_digits_and_the_single_screen_has_the_same(
    context: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_walled_surface(4)
    offer(assignment, "too dark", "too small")
    page = open_wall(context, live_server, assignment)
    page.keyboard.press("h")
    page.keyboard.press("2")
    expect_cursor(page, 2)
    page.keyboard.press("Enter")
    page.wait_for_url("**/items/2/#wall")
    expect_item(page)
    page.keyboard.press("h")
    page.keyboard.press("1")
    page.wait_for_url("**/walls/1/")
    expect_cursor(page, 3)
    page.keyboard.press("r")
    expect_complete(page)
    saved(page)
    assert marks() == [("D1", SMALL), ("D2", DARK), ("D3", 0), ("D4", 0)]
    assert all(Judgment.objects.values_list("image_sha256", flat=True))
    page.goto(reverse("judging_items", args=[assignment.pk]) + "?show=nominal")
    expect(page.locator(".shelf")).to_contain_text("Unsure: too small")
    expect(page.locator(".shelf > li")).to_have_count(2)


def test_grade_of_another_device_and_the_answer_here_are_a_conflict_with_both_named(
    context: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_walled_surface(4)
    offer(assignment)
    page = open_wall(context, live_server, assignment)
    judge(assignment, "D1", 2)
    page.keyboard.press("h")
    page.keyboard.press("r")
    expect(page.locator("#conflicts")).to_contain_text("you gave Unsure here, and on another page 2")
    assert marks()[0] == ("D1", 2)
    page.get_by_role("button", name="Keep Unsure").click()
    saved(page)
    expect(page.locator("#conflicts")).to_be_hidden()
    assert marks()[0] == ("D1", "nominal")


def test_nobody_is_unsure_of_a_picture_that_does_not_show(
    context: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_walled_surface(2)
    offer(assignment)
    context.route("**/images/**", lambda route: route.fulfill(status=404))
    page = open_place(context, live_server, assignment)
    expect(page.locator("#stage .broken")).to_be_visible()
    page.keyboard.press("h")
    page.wait_for_timeout(300)  # ms
    assert marks() == []


def test_screen_without_it_has_no_key_for_it(context: BrowserContext, live_server: LiveServer) -> None:
    page = open_place(context, live_server, make_walled_surface(2))
    expect(page.locator("#nominal")).to_have_count(0)
    page.keyboard.press("h")
    page.keyboard.press("1")
    saved(page)
    assert marks() == [("D1", 1)]
