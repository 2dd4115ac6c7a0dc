"""A whole track by clicks only, from an empty site to the release: organizer, team, assessor and a reader."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from evaluation.models import Phase, Task, Team
from tests.evaluation.conftest import wait_for
from tests.factories import make_staff
from tests.journeys import test_main_job as main_job
from tests.journeys import test_setting_up as setting_up
from tests.journeys.human_pace import HumanPace
from tests.journeys.patience import WORKERS_PATIENCE
from tests.journeys.small_track import FAMILY
from tests.judges.tiny_clip import save_tiny_clip

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.whole]

BERLIN = ZoneInfo("Europe/Berlin")
SOON = timedelta(seconds=8)  # from the form to the end of the phase
MOST_MINUTES = 30


@pytest.mark.both_engines
def test_a_track_from_an_empty_site_to_its_release(
    workers: Path, open_browser: Callable[[], Page], tmp_path: Path
) -> None:
    visited: list[str] = []
    people = {name: open_browser() for name in ("organizer", "team", "assessor", "reader")}
    for page in people.values():
        page.on("framenavigated", lambda frame: visited.append(frame.url))
    paces = {name: HumanPace(page) for name, page in people.items()}
    organizer, team, assessor, reader = people.values()

    set_up(organizer, tmp_path)
    task = Task.objects.get()
    setting_up.accept(assessor, workers, "assessor@example.org", "Attentive Reader")
    setting_up.accept(team, workers, f"owner-{setting_up.TEAMS[0].lower()}@example.org", "R. Okafor")
    main_job.upload_runs(team, task)
    main_job.name_families(organizer, task)
    close(organizer, task)
    main_job.freeze_pool(organizer, task)
    main_job.assign_topics(organizer, task)
    main_job.grade(assessor)
    main_job.publish_grades(organizer, task)
    main_job.score_and_publish(organizer, task)
    main_job.open_report(organizer, task, "clip-tiny")
    release(organizer, task)
    read(reader, task)

    for name, pace in paces.items():
        print(name, pace)  # pytest -s
    assert paces["organizer"].worked < MOST_MINUTES
    assert [url for url in visited if "/admin/" in url] == []


def set_up(page: Page, folder: Path) -> None:
    """An open task with six pictures, three topics, a family, an assessor, three teams and a model."""
    model = save_tiny_clip(folder / "clip")
    collection = setting_up.write_pictures(folder / "pictures.zip", 6)
    topics = setting_up.write_topics(folder / "topics.jsonl", 3)
    setting_up.sign_in(page, make_staff())
    setting_up.begin(page)
    setting_up.set_dates(page)
    setting_up.upload(page, "Collection", "Upload documents", collection)
    setting_up.upload(page, "Topics", "Upload topics", topics)
    setting_up.choose_criteria(page)
    setting_up.write_guidelines(page)
    setting_up.step(page, "Families and questions")
    page.get_by_label("Name of the family").fill(FAMILY)
    page.get_by_role("button", name="Add the family").click()
    expect(page.get_by_role("button", name=f"Remove {FAMILY}")).to_be_visible()
    setting_up.step(page, "Plan")
    page.get_by_role("button", name="Save", exact=True).click()
    setting_up.step(page, "Assessors and organizers")
    page.get_by_label("E-mail addresses").fill("assessor@example.org")
    page.get_by_role("button", name="Send the invitations").click()
    expect(page.get_by_role("status")).to_contain_text("assessor@example.org")
    setting_up.make_teams(page)
    setting_up.make_judge(page, model)
    setting_up.open_task(page)


def close(page: Page, task: Task, soon: timedelta = SOON) -> None:
    """Close the task for runs, and begin judging a second later."""
    main_job.open_task(page, task)
    page.get_by_role("link", name="Set up").first.click()
    setting_up.step(page, "Dates")
    end = datetime.now(BERLIN) + soon
    for name, moment in (("closes_at", end), ("judging_at", end + timedelta(seconds=1))):
        page.locator(f"#id_{name}").fill(f"{moment:%Y-%m-%dT%H:%M:%S}")
    page.get_by_role("button", name="Save", exact=True).click()
    wait_for(lambda: Task.objects.with_phase().get(pk=task.pk).phase == Phase.JUDGING, "the phase of judging")


def release(page: Page, task: Task) -> None:
    main_job.open_task(page, task)
    page.get_by_role("link", name="Release", exact=True).click()
    expect(page.get_by_role("heading", name="What makes the release unsafe")).to_be_visible()
    page.get_by_label(f"Write “{task.name}” to confirm").fill(task.name)
    page.get_by_role("button", name="Release now").click()
    expect(page.get_by_role("status")).to_contain_text("is released")


def read(page: Page, task: Task) -> None:
    """Somebody without an account opens the report and the page of the test collection."""
    main_job.open_task(page, task)
    page.get_by_role("link", name="Report", exact=True).first.click()
    expect(page.get_by_role("main")).to_contain_text("clip-tiny", timeout=WORKERS_PATIENCE)
    main_job.open_task(page, task)
    page.get_by_role("link", name="Test collection").first.click()
    expect(page.get_by_role("main")).to_contain_text("by people")
    assert Team.objects.count() == len(setting_up.TEAMS)
