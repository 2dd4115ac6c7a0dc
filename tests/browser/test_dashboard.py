"""The organizers' page of a task in Chromium: a phone's first screens suffice, and long lists are cut."""

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.axe import violations
from tests.browser.signing_in import sign_in
from tests.factories import make_run, make_team
from tests.filled_track import FilledTrack, Size, fill_track

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.whole]

HEADINGS = "[...document.querySelectorAll('main h2')].map(each => each.getBoundingClientRect().top)"


def make_track() -> FilledTrack:
    """Forty topics, thirteen assessors and fifteen teams."""
    track = fill_track(Size(topics=40, runs=8, people=13, documents=2000, results=50, depth=1, seats=2))
    for number in range(12):
        make_run(track.task, make_team(track.task.track, name=f"Team {number:02}"))
    return track


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def test_dashboard_answers_on_a_phone_s_first_screens(page: Page, live_server: LiveServer) -> None:
    track = make_track()
    sign_in(page.context, track.organizer, live_server)
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(reverse("task_detail", args=[track.task.track.slug, track.task.slug]))
    needs, judged, due = page.evaluate(HEADINGS)[:3]
    assert (needs < 400, judged < 900, due < 1200) == (True, True, True)
    # Forty tiles, and cards of 10 assessors and 15 teams took more than 8,000 px.
    assert page.evaluate("document.documentElement.scrollHeight") < 4500
    teams = page.get_by_role("region", name="Table: submissions by team").get_by_role("row")
    expect(teams.locator("visible=true")).to_have_count(4 + 1)  # with the hidden head
    page.get_by_label("Show all").last.check()
    expect(teams.locator("visible=true")).to_have_count(15 + 1)
    assert violations(page) == []
