"""The checklist names what is missing; the release names what is unsafe, and its task's name confirms it."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evaluation.models import Collection, Phase, RunState, Task, TopicState
from evaluation.organizing.pages.needs import organizer_needs
from evaluation.organizing.setup.actions import confirm_release, made_public, open_now, unsafe
from evaluation.organizing.setup.steps import Stage, checklist
from evaluation.organizing.track_files.track_file import create_track, export_track
from evaluation.tracks.forms import TaskDatesForm
from evaluation.tracks.mail.actions import mail_dates
from tests.evaluation.organizing.setup.setup_pages import address, needs
from tests.factories import (
    make_document,
    make_family,
    make_image,
    make_organizer,
    make_qrels,
    make_run,
    make_staff,
    make_task,
    make_topic,
    make_user,
)
from tests.refusals import refused
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
        confirm_release(task=task, words=task.name)


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


def test_public_counts_what_everybody_sees_and_nothing_else() -> None:
    task = make_task(phase=Phase.JUDGING, topic_count=2, document_count=1)
    assert "no qrels: none are published" in made_public(task)
    make_topic(task, state=TopicState.DRAFT)
    for state in (RunState.ACCEPTED, RunState.WITHDRAWN, RunState.REPLACED, RunState.REJECTED):
        make_run(task, state=state)
    for name, version in (("people", 1), ("people", 2), ("clip", 1)):
        make_qrels(task, name=name, version=version)
    topics, _, runs, qrels, _ = made_public(task)
    assert (topics.split(",")[0], qrels) == ("2 topics", "the qrels clip, people")
    assert runs.startswith("1 accepted run ")
    without_family = [action.text for action in unsafe(task) if "family" in action.text]
    assert without_family == ["1 of 1 run without a family"]


def test_task_that_is_open_keeps_its_opening() -> None:
    task = make_task(phase=Phase.OPEN)
    open_now(task=task, missing=[])
    assert Task.objects.get().opens_at == task.opens_at


def test_public_says_what_can_be_downloaded_of_the_documents() -> None:
    task = make_task(phase=Phase.JUDGING, document_count=2)
    assert "2 documents, of which only the docnos can be downloaded" in " ".join(made_public(task))
    Collection.objects.update(is_shared=True)
    words = " ".join(made_public(Task.objects.get(pk=task.pk)))
    assert "2 documents, whose texts and pictures can be downloaded" in words


def test_public_lists_run_files_only_if_the_track_publishes_them() -> None:
    task = make_task(phase=Phase.JUDGING)
    assert "their files and results stay with the teams" in " ".join(made_public(task))
    type(task.track).objects.filter(pk=task.track_id).update(has_public_runs=True)
    assert "with their files" in " ".join(made_public(Task.objects.get(pk=task.pk)))


def test_date_alone_releases_nothing(client: Client) -> None:
    now = timezone.now()
    dates: dict[str, Any] = {"judging_at": now - timedelta(days=2), "releases_at": now - timedelta(days=1)}
    task = make_task(**_opened(now), **dates, release_confirmed_for=None)
    assert task.phase == Phase.JUDGING
    mail_dates()
    assert not Task.objects.released().exists()
    assert Task.objects.in_judging().contains(task)
    assert not Task.objects.released_to(make_user()).exists()
    assert Task.objects.get().release_noted_at is None
    topic = make_topic(task)
    topic.fields = [["title", "changed"]]
    topic.save()  # the triggers that freeze released texts let it pass
    assert "Confirm the release" in [action.text for action in organizer_needs(task)]
    confirm_release(task=task, words=task.name)
    assert Task.objects.released().contains(task)


def _opened(now: datetime) -> dict[str, Any]:
    return {"opens_at": now - timedelta(days=4), "closes_at": now - timedelta(days=3)}


def test_release_is_confirmed_for_its_date_and_again_if_the_date_moves_forward(client: Client) -> None:
    now = timezone.now()
    ahead = now + timedelta(days=5)
    dates: dict[str, Any] = {"judging_at": now - timedelta(days=2), "releases_at": ahead}
    task = make_task(**_opened(now), **dates, release_confirmed_for=None)
    client.force_login(make_organizer(task.track))
    address = reverse("setup_release", args=[task.track.slug, task.slug])
    assert "Without your confirmation nothing is released." in client.get(address).content.decode()
    client.post(address, {"words": task.name, "when": "date"})
    confirmed = Task.objects.with_phase().get()
    assert (confirmed.phase, confirmed.is_release_confirmed) == (Phase.JUDGING, True)
    assert confirmed.releases_at == ahead
    assert "It is confirmed, and released automatically on" in client.get(address).content.decode()
    Task.objects.update(releases_at=now - timedelta(hours=1))
    moved = Task.objects.with_phase().get()
    assert (moved.phase, moved.is_release_confirmed) == (Phase.JUDGING, False)
    Task.objects.update(releases_at=ahead + timedelta(days=1))
    assert Task.objects.get().is_release_confirmed


def test_release_at_a_date_that_was_taken_away_releases_nothing() -> None:
    """Somebody else removed the date after the page with the button was opened."""
    task = make_task(phase=Phase.JUDGING)
    Task.objects.update(releases_at=None, release_confirmed_for=None)
    with refused("no-release-date"):
        confirm_release(task=task, words=task.name, is_at_its_date=True)
    assert Task.objects.with_phase().get().phase == Phase.JUDGING
    confirm_release(task=task, words=task.name)
    assert Task.objects.with_phase().get().phase == Phase.RELEASED


def test_date_of_form_and_track_file_releases_nothing(client: Client) -> None:
    now = timezone.now()
    dates: dict[str, Any] = {"judging_at": now - timedelta(days=2), "releases_at": None}
    task = make_task(**_opened(now), **dates, release_confirmed_for=None, time_zone="UTC")
    client.force_login(make_organizer(task.track))
    form = TaskDatesForm(instance=task)
    sent = {name: form[name].value() for name in form.fields} | {"releases_at": now - timedelta(hours=1)}
    client.post(
        reverse("setup_dates", args=[task.track.slug, task.slug]),
        {name: str(value or "") for name, value in sent.items()},
    )
    assert Task.objects.get().releases_at is not None
    assert Task.objects.with_phase().get().phase == Phase.JUDGING
    text = (
        export_track(task.track)
        .replace(task.track.slug, "other", 1)
        .replace(f'"{task.track.name}"', '"Other"', 1)
    )
    text = re.sub("releases_at = .*", "releases_at = 2020-01-01T00:00:00", text)
    text = re.sub("(opens|closes|judging)_at = .*", r"\1_at = 2019-01-01T00:00:00", text)
    for name, day in (("closes", 2), ("judging", 3)):
        text = text.replace(f"{name}_at = 2019-01-01", f"{name}_at = 2019-01-0{day}")
    assert create_track(text=text, by=make_staff()).faults == []
    released = Task.objects.with_phase().get(track__slug="other")
    assert (released.phase, released.releases_at) == (Phase.JUDGING, datetime(2020, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize("stage", Stage)
def test_checklist_of_one_stage_is_that_part_of_the_whole(task: Task, stage: Stage) -> None:
    """A page may compute the checks of one stage only."""
    whole = checklist(task)
    assert {need.stage for need in whole} == set(Stage)
    assert checklist(task, [stage]) == [need for need in whole if need.stage == stage]


def test_checklist_names_what_is_missing_and_the_task_opens_without_it(organizer: Client, task: Task) -> None:
    assert needs(task, Stage.OPEN) == [
        "No date for the opening, the close, the start of judging, the release.",
        "The collection is empty.",
        "There are no guidelines.",
    ]
    refused = organizer.post(address(task, "open"), follow=True)
    assert "The task cannot open yet." in refused.content.decode()
    make_document(task.collection, image=make_image())
    make_document(task.collection)
    Task.objects.update(guidelines="Read.", opens_at="2090-01-01T00:00Z", closes_at="2090-02-01T00:00Z")
    assert needs(task, Stage.OPEN) == []
    assert "Documents without a picture, which nobody can judge: 1 of 2." in needs(task, Stage.POOL)
    organizer.post(address(task, "open"))
    assert Task.objects.with_phase().get().phase == Phase.OPEN
