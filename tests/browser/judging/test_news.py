"""A page reads what was stored since it was rendered before it takes keys, in judging and in adjudication."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Assignment, Judgment
from tests.assessment.factories import adjudicate, judge, remark
from tests.browser.judging.judged_item import assignment as assignment
from tests.browser.judging.judged_item import open_item as open_item
from tests.browser.judging.judged_item import ready
from tests.browser.judging.modes import make_desk, open_page, settled
from tests.browser.judging.surface import expect_item, expect_place, marks, saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def load_stale(page: Page, change: Callable[[], object]) -> None:
    """Load the page again as the server renders it before the change."""
    stale = page.request.get(page.url).text()
    change()
    page.route(page.url, lambda route: route.fulfill(body=stale, content_type="text/html"))
    page.reload()


def reload_stale(page: Page, change: Callable[[], object]) -> None:
    load_stale(page, change)
    expect_item(page)


def test_grade_and_comment_of_another_device_are_shown_before_keys_are_taken(
    assignment: Assignment, open_item: Callable[..., Page]
) -> None:
    page = ready(open_item(assignment))
    reload_stale(page, lambda: judge(assignment, "D1", 2, comment="a moraine", is_flagged=True))
    expect(page.locator("[name=grade][value='2']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#comment")).to_have_value("a moraine")
    expect(page.locator("#flag")).to_be_checked()
    page.keyboard.press("1")
    expect_place(page, 2)
    saved(page)
    [judgment] = Judgment.objects.current()
    assert (judgment.mark, judgment.comment, judgment.is_flagged) == (1, "a moraine", True)


def test_keys_are_taken_although_the_server_does_not_answer(
    assignment: Assignment, open_item: Callable[..., Page], context: BrowserContext
) -> None:
    held: list[Route] = []
    context.route("**/content**", lambda route: held.append(route))
    page = open_item(assignment)
    page.keyboard.press("2")  # for nothing: the page waits for what was stored
    expect(page.locator("#keys")).to_be_visible()
    page.wait_for_timeout(1_500)  # the page waits for a second
    page.keyboard.press("1")
    saved(page)
    assert held
    assert marks() == [("D1", 1)]


def test_grade_of_a_page_without_news_keeps_the_comment_of_another_device(
    assignment: Assignment, open_item: Callable[..., Page], context: BrowserContext
) -> None:
    page = ready(open_item(assignment))
    context.route("**/content**", lambda _: None)  # never answered
    load_stale(page, lambda: remark(assignment, "D1", "a moraine", is_flagged=True))
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("1")
    saved(page)
    [judgment] = Judgment.objects.current()
    assert (judgment.mark, judgment.comment, judgment.is_flagged) == (1, "a moraine", True)


def test_own_grade_of_another_tab_is_shown_in_adjudication(
    context: BrowserContext, live_server: LiveServer
) -> None:
    task, organizer = make_desk()
    page = open_page(context, live_server, organizer, "adjudication_next", task)
    expect(page.locator("#hint")).to_have_text("Next 2 ready")
    reload_stale(page, lambda: adjudicate(task, "D1", 2, by=organizer, comment="a ridge"))
    expect(page.locator("[name=grade][value='2']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#record")).to_contain_text("D1 2")
    page.keyboard.press("0")
    saved(page)
    assert [each[:3] for each in settled()] == [("D1", 0, "a ridge")]
