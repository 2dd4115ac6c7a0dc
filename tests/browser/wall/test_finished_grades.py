"""A grade that is finished stays: other tabs and devices, slow answers, keys too many, and conflicts."""

import json
import uuid
from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from assessment.assigning.actions import pause_assignment
from assessment.models import Assignment, Judgment
from tests.browser.judging.surface import expect_item, fail_on_script_errors, marks, saved
from tests.browser.signing_in import sign_in
from tests.browser.wall.walls import (
    expect_complete,
    expect_cursor,
    expect_done,
    expect_pictures,
    grades,
    make_walled_surface,
    open_wall,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIX = [(f"D{place}", 2) for place in range(1, 7)]


@pytest.fixture
def other_device(browser: Browser, live_server: LiveServer) -> Iterator[BrowserContext]:
    """A second device, which shares nothing with the first."""
    device = browser.new_context(base_url=live_server.url, service_workers="block")
    yield device
    device.close()


def grade(page: Page, *marks: str) -> None:
    for mark in marks:
        page.keyboard.press(mark)


def test_rest_keeps_grades_that_were_under_way_during_a_reload(
    context: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_walled_surface(7)
    page = open_wall(context, live_server, assignment)
    grade(page, *"222222")
    expect_done(page, "6 of 7")
    held: list[Route] = []
    page.route("**/events", lambda route: held.append(route))
    page.evaluate("dispatchEvent(new Event('online'))")  # sends what waits
    page.wait_for_timeout(300)
    stale = page.request.get(page.url).text()  # as the server renders it before it has the grades
    assert held
    held[0].fulfill(response=held[0].fetch())
    saved(page)
    page.unroute("**/events")
    page.route(page.url, lambda route: route.fulfill(body=stale, content_type="text/html"))
    page.reload()
    expect_cursor(page, 7)
    page.keyboard.press("r")
    saved(page)
    assert marks() == [*SIX, ("D7", 0)]


def test_rest_keeps_grades_of_another_device(
    context: BrowserContext, other_device: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_walled_surface(8)
    late = open_wall(other_device, live_server, assignment)
    page = open_wall(context, live_server, assignment)
    grade(page, *"222222")
    page.evaluate("dispatchEvent(new Event('online'))")
    saved(page)
    late.keyboard.press("r")
    expect(late.locator("#conflicts p")).to_have_count(6)
    expect(late.locator("#conflicts p").first).to_contain_text(
        "Item 1: you gave 0 here, and on another page 2. Which one counts?"
    )
    assert grades(late) == [*["2"] * 6, "0", "0"]
    assert marks() == [*SIX, ("D7", 0), ("D8", 0)]
    late.reload()
    expect_complete(late)
    expect(late.locator("#conflicts p")).to_have_count(6)
    late.locator("#conflicts button[data-place='1'][data-keeps=here]").click()
    late.locator("#conflicts button[data-place='2'][data-keeps=stored]").click()
    expect(late.locator("#conflicts p")).to_have_count(4)
    late.locator(".cell[data-place='3']").focus()
    expect_cursor(late, 3)
    late.keyboard.press("1")  # a grade decides, too
    expect(late.locator("#conflicts p")).to_have_count(3)
    saved(late)
    assert marks()[:3] == [("D1", 0), ("D2", 2), ("D3", 1)]


@pytest.mark.whole
def test_grades_of_another_device_are_known_after_the_next_answer(
    context: BrowserContext, other_device: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_walled_surface(8)
    late = open_wall(other_device, live_server, assignment)
    page = open_wall(context, live_server, assignment)
    grade(page, *"222222")
    page.evaluate("dispatchEvent(new Event('online'))")
    saved(page)
    late.locator(".cell[data-place='8']").click()
    late.keyboard.press("1")
    late.evaluate("dispatchEvent(new Event('online'))")
    expect_done(late, "7 of 8")
    expect(late.locator("#rest span")).to_have_text("Rest as 0, items: 1")


def test_two_tabs_know_each_other_s_grades_at_once(context: BrowserContext, live_server: LiveServer) -> None:
    assignment = make_walled_surface(8)
    page, other = (open_wall(context, live_server, assignment) for _ in range(2))
    grade(page, *"222222")
    expect_done(other, "6 of 8")
    expect_cursor(other, 7)
    other.keyboard.press("r")
    for each in (page, other):
        saved(each)
        assert grades(each) == [*["2"] * 6, "0", "0"]
    assert marks() == [*SIX, ("D7", 0), ("D8", 0)]


def test_item_judged_in_two_tabs_shows_in_both_what_is_stored_and_undo_takes_what_is_shown(
    context: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_walled_surface(3)
    page, other = (open_wall(context, live_server, assignment) for _ in range(2))
    page.keyboard.press("2")
    expect_done(other, "1 of 3")
    other.locator(".cell[data-place='1']").click()
    other.keyboard.press("0")
    expect(page.locator(".cell[data-place='1'] .mark")).to_have_attribute("data-mark", "0")
    page.locator(".cell[data-place='3']").click()
    page.keyboard.press("1")
    expect_done(other, "2 of 3")
    other.keyboard.press("z")
    expect(page.locator(".cell[data-place='3'] .mark")).to_have_attribute("data-mark", "")
    other.keyboard.press("z")
    for each in (page, other):
        expect(each.locator(".cell[data-place='1'] .mark")).to_have_attribute("data-mark", "2")
    page.evaluate("dispatchEvent(new Event('online'))")
    saved(page)
    assert marks() == [("D1", 2)]


def test_second_key_while_the_wall_comes_back_changes_no_grade(
    context: BrowserContext, live_server: LiveServer
) -> None:
    page = open_wall(context, live_server, make_walled_surface(1))
    page.keyboard.press("Enter")
    page.wait_for_url("**/items/1/#wall")
    expect_item(page)
    page.keyboard.press("2")
    for _ in range(5):
        page.keyboard.press("0")
        page.wait_for_timeout(50)
    expect_complete(page)
    page.evaluate("dispatchEvent(new Event('online'))")
    saved(page)
    assert marks() == [("D1", 2)]


def test_digit_more_than_cells_changes_no_grade(context: BrowserContext, live_server: LiveServer) -> None:
    page = open_wall(context, live_server, make_walled_surface(3))
    grade(page, *"2220")
    expect_complete(page)
    saved(page)
    assert grades(page) == ["2", "2", "2"]
    page.keyboard.press("ArrowRight")  # the cursor comes back where it was
    expect_cursor(page, 3)
    page.keyboard.press("1")
    saved(page)
    assert marks() == [("D1", 2), ("D2", 2), ("D3", 1)]


def test_digits_while_the_next_wall_cannot_be_loaded_are_for_nothing(
    context: BrowserContext, live_server: LiveServer
) -> None:
    context.route("**/walls/2/content**", lambda route: route.abort())
    page = open_wall(context, live_server, make_walled_surface(26))
    page.keyboard.press("2")
    page.keyboard.press("r")
    saved(page)
    page.keyboard.press("n")
    expect(page.locator("#hint")).to_contain_text("Wall 2 cannot be loaded now")
    grade(page, *"111z")  # nor is a grade undone
    expect(page.locator("#cells")).to_have_attribute("aria-busy", "true")
    context.unroute("**/walls/2/content**")
    expect_cursor(page, 25)
    assert grades(page) == ["", ""]
    page.keyboard.press("1")
    expect_done(page, "25 of 26")
    assert marks()[:2] == [("D1", 2), ("D10", 0)]
    assert not Judgment.objects.filter(undoes__isnull=False).exists()


def test_keys_are_taken_although_the_news_does_not_come(
    context: BrowserContext, live_server: LiveServer
) -> None:
    held: list[Route] = []
    context.route("**/content**", lambda route: held.append(route))
    page = open_wall(context, live_server, make_walled_surface(3))  # waits for the cursor
    page.keyboard.press("r")
    saved(page)
    assert held


def test_event_of_an_earlier_page_is_kept_as_a_conflict(
    context: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_walled_surface(3)
    page = open_wall(context, live_server, assignment)
    grade(page, *"222")
    saved(page)
    keep_old(page, assignment, 1, 2)
    keep_old(page, assignment, 2, 0)
    page.reload()
    expect(page.locator("#conflicts p")).to_have_text(
        "Item 2: you gave 0 here, and on another page 2. Which one counts? Keep 0 Keep 2"
    )
    assert marks() == [("D1", 2), ("D2", 2), ("D3", 2)]
    page.goto(reverse("judging_list"))
    page.locator("#refused button").click()  # decided on the wall alone
    page.goto(reverse("judging_wall", args=[assignment.pk, 1]))
    page.locator("#conflicts").get_by_role("button", name="Keep 0").click()
    page.wait_for_url("**/items/")  # nothing is left to decide
    assert marks() == [("D1", 2), ("D2", 0), ("D3", 2)]


def keep_old(page: Page, assignment: Assignment, place: int, grade: int) -> None:
    """Put a grade into the browser as pages of earlier releases do: it names no judgment that it replaces."""
    base = reverse("judging_resume", args=[assignment.pk])
    sha256 = Judgment.objects.get(docno=f"D{place}").image_sha256
    fields = {
        "client_uuid": str(uuid.uuid4()),
        "criteria_version": "1",
        "image_sha256": sha256,
        "shown_at": "2026-09-01T12:00:00Z",
        "grade": str(grade),
    }
    event = {"url": f"{base}items/{place}/judgment", "place": place, "topic": "T1", "fields": fields}
    event["batch"] = reverse("events_record", args=[assignment.pk])
    name = f"trackside-outbox-{assignment.assessor_id}-{place:05}-{fields['client_uuid']}"
    page.evaluate("([name, text]) => localStorage.setItem(name, text)", [name, json.dumps(event)])


def test_paused_is_said_until_the_topic_goes_on(context: BrowserContext, live_server: LiveServer) -> None:
    assignment = make_walled_surface(2)
    page = open_wall(context, live_server, assignment)
    pause_assignment(assignment=assignment, is_paused=True)
    page.keyboard.press("r")
    expect(page.locator("#hint")).to_contain_text("The organizers have paused this topic")
    pause_assignment(assignment=assignment, is_paused=False)
    saved(page)
    expect(page.locator("#hint")).to_be_empty()


def test_nothing_is_graded_before_its_picture_is_there(
    context: BrowserContext, live_server: LiveServer
) -> None:
    held: list[Route] = []
    context.route("**/images/**", lambda route: held.append(route))
    assignment = make_walled_surface(3)
    sign_in(context, assignment.assessor, live_server)
    page = context.new_page()
    fail_on_script_errors(page)
    page.goto(reverse("judging_wall", args=[assignment.pk, 1]), wait_until="commit")  # pictures never load
    expect(page.locator("#cells[aria-busy=false]")).to_be_visible()
    expect(page.locator("#rest")).to_be_disabled()
    page.keyboard.press("1")
    expect(page.locator("#hint")).to_have_text("The picture of item 1 has not loaded yet.")
    page.keyboard.press("r")
    assert grades(page) == ["", "", ""]
    page.keyboard.press("x")
    page.keyboard.press("1")  # a reason needs no picture
    expect_done(page, "1 of 3")
    for route in held:
        route.continue_()
    expect_pictures(page)
    page.keyboard.press("r")
    saved(page)
    assert marks() == [("D1", "image"), ("D2", 0), ("D3", 0)]
    assert Judgment.objects.get(docno="D1").image_sha256 == ""
