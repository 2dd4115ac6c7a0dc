"""Forms of a task that has nothing yet: no list of choices is empty; the page names the next step."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_organizer, make_task

pytestmark = pytest.mark.django_db

NEXT_STEPS = {
    "late_exceptions": "setup_teams",
    "topics_assign": "pool_build",
    "job_start": "",
    "scores_import": "pool_build",
    "prompt_preview": "pool_build",
    "run_upload": "team_create",
    "setup_gold": "setup_topics",
    "judging_progress": "topics_assign",
    "disagreement_list": "",
    "pool_build": "",
}
"""Pages with a form, and the page on which its first choice is made."""


@pytest.mark.parametrize("page", NEXT_STEPS)
def test_no_list_of_choices_is_empty(page: str) -> None:
    task = make_task()
    client = Client()
    client.force_login(make_organizer(task.track))
    shown = client.get(reverse(page, args=[task.track.slug, task.slug])).content.decode()
    assert not re.findall(r"<select[^>]*>\s*</select>", shown)
    if step := NEXT_STEPS[page]:
        of_track = [task.track.slug] if step == "team_create" else [task.track.slug, task.slug]
        assert f'href="{reverse(step, args=of_track)}"' in shown.split("<main", 1)[1]


def test_qrels_are_offered_once_something_is_judged() -> None:
    task = make_task()
    client = Client()
    client.force_login(make_organizer(task.track))
    shown = client.get(reverse("judging_progress", args=[task.track.slug, task.slug])).content.decode()
    assert "Publish people's qrels</button>" not in shown
    assert "No item is judged yet" in shown
