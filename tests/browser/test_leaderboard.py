"""The leaderboard in Chromium: its table fits a laptop, also zoomed, and a phone."""

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext

from tests.browser.sample_task import make_sample

pytestmark = [pytest.mark.browser, pytest.mark.whole, pytest.mark.django_db(transaction=True)]

SIDEWAYS = (
    """() => [...document.querySelectorAll(".scroll")].map((each) => each.scrollWidth - each.clientWidth)"""
)


def test_all_measures_fit_without_scrolling(context: BrowserContext) -> None:
    task = make_sample().task
    page = context.new_page()
    page.goto(reverse("leaderboard", args=[task.track.slug, task.slug]))
    assert (
        page.locator("thead th").count() == 15
    )  # rank, run, measure, figure, interval, better than, 9 others
    for width in (360, 720, 1024, 1200, 1280, 1366, 1440, 2000):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(SIDEWAYS) == [0], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.both_engines
def test_downloads_open_by_keyboard(context: BrowserContext) -> None:
    task = make_sample().task
    page = context.new_page()
    page.goto(reverse("leaderboard", args=[task.track.slug, task.slug]))
    menu = page.locator("details.menu")
    assert menu.get_by_role("link", name="CSV").is_hidden()
    menu.locator("summary").focus()
    page.keyboard.press("Enter")
    for width in (360, 720, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        for name in ("CSV", "JSON", "LaTeX", "people"):
            link = menu.get_by_role("link", name=name)
            box = link.bounding_box()
            assert box, name
            assert box["x"] >= 0, name
            assert box["x"] + box["width"] <= width, name
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "CSV"
