"""A practice task in Chromium: made and opened by an organizer; a participant uploads and is ranked."""

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from evaluation.models import Phase, Task, Topic
from evaluation.results.values.actions import run_scoring
from evaluation.submissions.runs.checking import check_next
from evaluation.tracks.work.queueing import run_waiting
from evaluation.tracks.work.recomputing.models import Scoring
from tests.browser.signing_in import sign_in
from tests.factories import make_organizer, make_qrels, make_task, make_team, make_team_member, make_track

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.whole]

RUN_FILE = b"T1 Q0 D2 1 2.0 kestrel-1\nT1 Q0 D1 2 1.0 kestrel-1\n"


def test_a_practice_run_is_scored_at_once(context: BrowserContext, live_server: LiveServer) -> None:
    track = make_track(guidelines="Retrieve pictures.")
    last_year = make_task(track, phase=Phase.RELEASED, topic_count=1, document_count=2, name="Last year")
    Topic.objects.filter(task=last_year).update(stratum="easy")
    make_qrels(last_year, name="people", grades={("T1", "D1"): 2, ("T1", "D2"): 0})
    member = make_team_member(make_team(track, name="Kestrel"))
    sign_in(context, make_organizer(track), live_server)
    page = context.new_page()
    page.goto(reverse("task_begin", args=[track.slug]))
    page.get_by_label("Name of the task").fill("Warm up")
    page.get_by_label("A practice task").check()
    page.get_by_label("Copy the settings of").select_option(label=str(last_year))
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Dates")
    task = Task.objects.get(slug="warm-up")
    page.goto(reverse("setup_open", args=[track.slug, task.slug]))
    expect(page.get_by_text("The qrels people")).to_be_visible()
    page.get_by_role("button", name="Open it now").click()
    expect(page.get_by_text("Open without a deadline.", exact=False).first).to_be_visible()
    sign_in(context, member, live_server)
    page.goto(reverse("task_detail", args=[track.slug, task.slug]))
    page.get_by_role("link", name="Upload a run").first.click()
    page.get_by_label("Run file").set_input_files(
        {"name": "kestrel.run", "mimeType": "text/plain", "buffer": RUN_FILE}
    )
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Checking")
    assert check_next()
    run_waiting(Scoring, lambda row: run_scoring(scoring=row), worker="test")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Accepted")
    page.reload()
    expect(page.get_by_role("region", name="Table: values of measures")).to_contain_text("nDCG@10")
    page.goto(reverse("leaderboard", args=[track.slug, task.slug]))
    expect(page.get_by_text("For practice: the qrels are open")).to_be_visible()
    expect(page.get_by_role("link", name="kestrel-1")).to_be_visible()
