"""One item in ten of a wall is shown alone, after the others and in their requests."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Judgment
from tests.browser.judging.surface import expect_item, saved
from tests.browser.wall.walls import (
    expect_cursor,
    expect_done,
    make_walled_surface,
    open_wall,
    wait_for_walls,
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.parametrize("context", [{"service_workers": "allow"}], indirect=True),
]


@pytest.fixture(autouse=True)
def no_singles(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last of each ten neighbours is shown alone."""
    monkeypatch.setattr(
        "assessment.assigning.singles.is_single", lambda place, *, every, seed: place % every == 0
    )


def shown(page: Page) -> list[int]:
    """The places of the cells on the screen."""
    places: list[int] = page.locator(".cell >> visible=true").evaluate_all(
        "all => all.map(each => Number(each.dataset.place))"
    )
    return places


def test_singles_come_last_and_need_no_request(context: BrowserContext, live_server: LiveServer) -> None:
    assignment = make_walled_surface(48)
    page = open_wall(context, live_server, assignment)
    wait_for_walls(page, assignment, {1, 2})
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    for wall, grid, alone in ((1, range(1, 25), (10, 20)), (2, range(25, 49), (30, 40))):
        assert shown(page) == [place for place in grid if place not in alone]
        page.keyboard.press("r")
        for place in alone:
            expect_cursor(page, place)
            assert shown(page) == [place]
            expect(page.locator("#rest")).to_be_disabled()
            page.keyboard.press("r")
            page.keyboard.press("Shift+2" if place == 10 else "2")
        if wall == 1:
            page.keyboard.press("n")
    saved(page)
    expect_done(page, "48 of 48")
    sent = [url for url in requests if "/judging/" in url]
    assert len(sent) <= 4, sent  # 0.09 an item: 48 items
    grades = dict(Judgment.objects.current().values_list("docno", "grade"))
    assert grades == {f"D{place}": 2 if place % 10 == 0 else 0 for place in range(1, 49)}
    walls = dict(Judgment.objects.current().values_list("docno", "wall"))
    assert {docno for docno, wall in walls.items() if wall is None} == {"D10", "D20", "D30", "D40"}
    assert not Judgment.objects.filter(wall__isnull=True, is_by_rest=True).exists()


@pytest.mark.whole
def test_a_range_ends_before_a_single_which_arrows_reach_and_leave(
    context: BrowserContext, live_server: LiveServer
) -> None:
    page = open_wall(context, live_server, make_walled_surface(24))
    for _ in range(22):
        page.keyboard.press("ArrowRight")
    expect_cursor(page, 10)
    page.keyboard.press("ArrowLeft")
    expect_cursor(page, 24)
    page.keyboard.press("Shift+ArrowRight")
    expect_cursor(page, 10)
    expect(page.locator(".cell.marked")).to_have_count(0)
    page.keyboard.press("Enter")
    page.wait_for_url("**/items/10/#wall")
    expect_item(page)
    page.keyboard.press("1")
    page.wait_for_url("**/walls/1/")
    expect_cursor(page, 20)
    saved(page)
    judgment = Judgment.objects.get()
    assert (judgment.docno, judgment.wall, judgment.cell, judgment.is_opened) == ("D10", None, None, False)
