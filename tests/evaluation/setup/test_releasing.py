"""The page of the release names what is unsafe, and releases a task in judging once its name is written."""

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Phase, Task
from evaluation.setup.releasing import made_public, release_now, unsafe
from tests.factories import make_family, make_organizer, make_qrels, make_run, make_task
from trackside.errors import InputError

pytestmark = pytest.mark.django_db


def test_release_is_confirmed_by_the_name_of_a_task_in_judging(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING, name="Image suggestion")
    client.force_login(make_organizer(task.track))
    address = reverse("setup_release", args=[task.track.slug, task.slug])
    client.post(address, {"words": "yes"})
    assert Task.objects.with_phase().get(pk=task.pk).phase == Phase.JUDGING
    answer = client.post(address, {"words": " image  suggestion "})
    assert answer.status_code == 302
    assert Task.objects.with_phase().get(pk=task.pk).phase == Phase.RELEASED
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("phase", [Phase.DRAFT, Phase.OPEN, Phase.CLOSED, Phase.RELEASED])
def test_release_needs_a_task_in_judging(phase: Phase) -> None:
    task = make_task(phase=phase)
    with pytest.raises(InputError, match="Set its dates first"):
        release_now(task=task, words=task.name)


def test_unsafe_names_runs_without_family_licence_and_qrels() -> None:
    task = make_task(phase=Phase.JUDGING)
    run = make_run(task)
    assert [action.text for action in unsafe(task)] == [
        "The test collection has no licence",
        "People's qrels are not published",
        "1 of 1 run without a family",
    ]
    type(task.track).objects.filter(pk=task.track_id).update(licence="CC BY 4.0")
    run.families.add(make_family(task))
    make_qrels(task, name="people", grades={("T1", "D1"): 1})
    assert unsafe(Task.objects.with_phase().get(pk=task.pk)) == []


def test_public_lists_run_files_only_if_the_track_publishes_them() -> None:
    task = make_task(phase=Phase.JUDGING)
    assert "their files and results stay with the teams" in " ".join(made_public(task))
    type(task.track).objects.filter(pk=task.track_id).update(has_public_runs=True)
    assert "with their files" in " ".join(made_public(Task.objects.get(pk=task.pk)))
