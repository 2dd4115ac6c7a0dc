"""Who makes and retires judges, and which of them a checklist counts."""

from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from evaluation.models import Task
from evaluation.tracks.facts import read_facts
from judges.catalogue.actions import retire_judge
from judges.jobs.budgets import check_maker, set_ceiling, set_endpoints
from judges.models import Budget, Judge, Trial
from judges.trials.actions import ask_trial
from judges.trials.models import FRESH
from judges.trials.pages import judges_facts, judges_status
from tests.factories import make_organizer, make_staff, make_task
from tests.judges.factories import make_image_pool, make_judge
from tests.judges.pages.setting import address
from tests.refusals import refused
from trackside.judging.settings import Settings

pytestmark = pytest.mark.django_db


@pytest.fixture
def task() -> Task:
    return make_image_pool().task


CHAT = {"name": "mine", "model": "m-2026-01-31", "preset": "own-words-json (version 1)"}


def _allow(task: Task, endpoints: str) -> Client:
    """Name the endpoints as staff; return the signed-in organizer."""
    staff, organizer = Client(), Client()
    staff.force_login(make_staff())
    page = address("judge_endpoints", task)
    staff.post(page, {"endpoints": endpoints})
    organizer.force_login(make_organizer(task.track))
    return organizer


def test_organizers_make_judges_of_their_track_at_the_endpoints_that_staff_named(task: Task) -> None:
    organizer = _allow(task, "https://host/v1/ http://127.0.0.1:8000")
    page = address("setup_judges", task)
    form = organizer.get(page).content.decode()
    assert "New judge from a preset" in form
    assert "clipscore-2021" not in form
    for sent in ({"endpoint": "https://other/v1"}, {"endpoint": ""}, {"preset": "clip: clipscore-2021"}):
        answer = organizer.post(page, CHAT | {"endpoint": "https://host/v1"} | sent)
        assert "Select a valid choice" in answer.content.decode() or "is required" in answer.content.decode()
    assert not Judge.objects.exists()
    organizer.post(page, CHAT | {"endpoint": "https://host/v1"})
    judge = Judge.objects.get()
    assert (judge.track, judge.endpoint, judge.backend) == (task.track, "https://host/v1", "openai_chat")
    assert Trial.objects.get().judge == judge
    assert not Judge.objects.of_track(make_task().track).exists()


def test_only_staff_name_endpoints_and_raise_the_ceiling(task: Task) -> None:
    organizer = _allow(task, "https://host/v1")
    page = address("judge_endpoints", task)
    organizer.post(page, {"endpoints": "https://evil/v1"})
    budget = Budget.objects.get(track=task.track)
    assert budget.endpoints == "https://host/v1"
    person = make_organizer(task.track)
    with refused("endpoints-are-the-staffs"):
        set_endpoints(track=task.track, endpoints="", by=person)
    with refused("ceiling-is-the-staffs"):
        set_ceiling(budget=budget, ceiling_micros=1, by=person)
    for wrong in ("ftp://host", "https://name:secret@host/v1", "https://host/v1 https://host/v1/"):
        with refused("endpoint-settings-refused"):
            set_endpoints(track=task.track, endpoints=wrong, by=make_staff())


@pytest.mark.parametrize(
    "changes",
    [
        {"backend": "clip", "endpoint": ""},
        {"endpoint": "https://host/v1 https://other/v1"},
        {"backend": "llava"},
    ],
)
def test_organizers_make_no_judge_beyond_the_endpoints(task: Task, changes: dict[str, Any]) -> None:
    _allow(task, "https://host/v1")
    given: dict[str, Any] = {"backend": "openai_chat", "endpoint": "https://host/v1"}
    own, other = make_organizer(task.track), make_organizer(make_task().track)
    for chosen, by in ((given | changes, own), (given, other)):
        settings = Settings(revision=0, model="m", model_revision="", **chosen)
        with refused("staff-only"):
            check_maker(track=task.track, settings=settings, by=by)


def test_judges_are_retired_by_their_owners(counting: list[bytes], task: Task) -> None:
    organizer = _allow(task, "https://host/v1")
    organizer.post(address("setup_judges", task), CHAT | {"endpoint": "https://host/v1"})
    own, sites = Judge.objects.get(), make_judge()

    def retire(client: Client, judge: Judge) -> int:
        return client.post(reverse("judge_retire", args=[task.track.slug, task.slug, judge.pk])).status_code

    assert (retire(organizer, own), retire(organizer, sites)) == (302, 404)
    assert set(Judge.objects.in_use()) == {sites}
    staff = Client()
    staff.force_login(make_staff())
    assert retire(staff, sites) == 302
    assert not Judge.objects.in_use().exists()


def test_checklist_counts_judges_in_use_and_forgets_failed_trials(counting: list[bytes], task: Task) -> None:
    worked, failed, retired = make_judge(), make_judge(), make_judge()
    for judge, ending in ((worked, {"result": "x"}), (failed, {"error": "x"}), (retired, {"error": "x"})):
        ask_trial(judge=judge, task=task, by=make_organizer(task.track))
        Trial.objects.filter(judge=judge).update(ended_at=Now(), **ending)
    retire_judge(judge=retired, by=make_staff())
    status = judges_status(task, *read_facts(task, [judges_facts]))
    assert (status.words, [need.text for need in status.needs]) == (
        "2 judges, 1 tried",
        [f"No answer from {failed} in the last trial."],
    )
    Trial.objects.update(asked_at=Now() - FRESH)
    assert judges_status(task, *read_facts(task, [judges_facts])).needs == ()
