"""Items judged elsewhere meanwhile: both judgments are shown one by one too, and the person chooses."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.assessment.factories import adjudicate, judge
from tests.browser.judging.judged_item import ready
from tests.browser.judging.modes import make_desk, open_page, settled
from tests.browser.judging.surface import expect_place, make_surface, marks, open_place, saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def keep(page: Page, place: int, side: str) -> None:
    """Choose the judgment from here, or the stored one."""
    page.locator(f"#conflicts button[data-place='{place}'][data-keeps={side}]").click()


def test_item_judged_elsewhere_is_decided_by_a_button_or_a_grade(
    context: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_surface([None] * 4)
    page = ready(open_place(context, live_server, assignment))
    for docno in ("D1", "D2", "D3"):
        judge(assignment, docno, 2)
    for place in (1, 2, 3):
        expect_place(page, place, 4)
        page.keyboard.press("0")
    lines = page.locator("#conflicts p")
    expect(lines).to_have_count(3)
    expect(lines.first).to_contain_text("Item 1: you gave 0 here, and on another page 2.")
    assert marks() == [("D1", 2), ("D2", 2), ("D3", 2)]
    keep(page, 1, "here")
    keep(page, 2, "stored")
    expect(lines).to_have_count(1)
    expect_place(page, 4, 4)
    page.keyboard.press("q")
    expect_place(page, 3, 4)
    page.keyboard.press("1")
    expect(lines).to_have_count(0)
    saved(page)
    assert marks() == [("D1", 0), ("D2", 2), ("D3", 1)]


@pytest.mark.parametrize(("side", "grade"), [("stored", 2), ("here", 1)])
def test_blind_adjudicator_chooses_without_seeing_the_stored_grade(
    context: BrowserContext, live_server: LiveServer, side: str, grade: int
) -> None:
    task, organizer = make_desk()
    page = ready(open_page(context, live_server, organizer, "adjudication_next", task), 2)
    adjudicate(task, "D1", 2, by=organizer)
    page.keyboard.press("1")
    line = page.locator("#conflicts p")
    expect(line).to_contain_text("Item 1: you gave 1 here, and have settled it meanwhile on another page.")
    expect(line).not_to_contain_text("2")
    assert [each[:2] for each in settled()] == [("D1", 2)]
    keep(page, 1, side)
    expect(line).to_have_count(0)
    saved(page)
    assert [each[:2] for each in settled()] == [("D1", grade)]
