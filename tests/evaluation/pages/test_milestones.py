"""Dates of tasks as one list: shared ones once, past ones by the task's phase."""

import pytest

from evaluation.models import Phase
from evaluation.pages.task_facts import dates_of
from tests.factories import make_task, make_track

pytestmark = pytest.mark.django_db


def test_dates_that_tasks_share_are_listed_once() -> None:
    track = make_track()
    first = make_task(track, phase=Phase.JUDGING, name="Suggestion")
    dates = {name: getattr(first, name) for name in ("opens_at", "closes_at", "judging_at")}
    second = make_task(track, **dates, releases_at=None, name="Promotion")
    second.phase = Phase.JUDGING
    found = dates_of([first, second], zone="Europe/Berlin")
    assert [(each.words, each.tasks, each.is_past) for each in found.milestones] == [
        ("Open for runs", (), True),
        ("Runs close", (), True),
        ("Judging opens", (), True),
        ("Results released", ("Suggestion",), False),
    ]
    assert found.zone_title == "Europe/Berlin"


def test_a_track_without_tasks_has_no_dates() -> None:
    assert dates_of([], zone="UTC").milestones == ()
