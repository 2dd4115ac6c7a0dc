"""A report in Firefox, where the machine has it."""

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext

from tests.browser.report_shapes import FIGURES, MOST_HEIGHT, OUTSIDE, SEES_CURRENT, WIDE_TABLES
from tests.browser.reported_task import JUDGES, make_reported_task

pytestmark = [pytest.mark.browser, pytest.mark.whole, pytest.mark.django_db(transaction=True)]

# The name of each row of the table, as far as the page shows it.
NAMED = """() => [...document.querySelectorAll("#judges tbody th")]
  .filter(named => named.checkVisibility()).map(named => named.textContent.trim())"""
HEIGHT = "document.documentElement.scrollHeight"
IS_SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.mark.parametrize("browser", ["firefox"], indirect=True)
def test_first_page_of_a_report_is_whole_at_any_width(context: BrowserContext) -> None:
    task = make_reported_task(4)
    page = context.new_page()
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(reverse("report_detail", args=[task.track.slug, task.slug]))
    assert page.evaluate(HEIGHT) <= MOST_HEIGHT
    assert len({tuple(each) for each in page.evaluate(FIGURES)}) == 1, "one top, one height"
    names = sorted(["People", *JUDGES[:4]])
    for width in (1280, 720, 360):
        page.set_viewport_size({"width": width, "height": 900})
        rows = page.evaluate(NAMED)
        assert all(map(str.startswith, sorted(rows), names)), width
        assert len(page.evaluate(FIGURES)) == 4, width
        assert page.evaluate(OUTSIDE) == page.evaluate(WIDE_TABLES) == [], width
        assert not page.evaluate(IS_SIDEWAYS), width
    page.goto(reverse("report_section", args=[task.track.slug, task.slug, "methods"]))
    assert page.evaluate(SEES_CURRENT), "the last section in the list of a phone"
