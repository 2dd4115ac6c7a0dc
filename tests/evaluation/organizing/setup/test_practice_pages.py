"""Practice tasks on pages and by the API: made, set up, imported into, exported, archived."""

import tomllib

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.collections.models import TopicState
from evaluation.models import (
    ImportKind,
    ImportState,
    Membership,
    Phase,
    Qrels,
    Role,
    Task,
    TaskKind,
    Track,
)
from evaluation.organizing.setup.steps import Stage, steps_of
from evaluation.organizing.track_files.track_file import create_track, export_track
from evaluation.tracks.archiving import obstacle_of
from tests.evaluation.organizing.imports.importing import add_import, try_import
from tests.evaluation.organizing.setup.setup_pages import address, client_of, needs
from tests.factories import (
    dates_of,
    make_organizer,
    make_qrels,
    make_run,
    make_staff,
    make_task,
    make_team,
    make_team_member,
    make_topic,
    make_track,
)

pytestmark = pytest.mark.django_db

QRELS = {"name": "own", "kind": "human", "source": ""}


@pytest.fixture
def track() -> Track:
    return make_track(guidelines="Read.")


def _text(client: Client, url: str) -> str:
    return " ".join(client.get(url).content.decode().split())


def test_an_organizer_makes_a_practice_task_and_opens_it(track: Track) -> None:
    source = make_task(track, phase=Phase.JUDGING, topic_count=2, document_count=2)
    client = client_of(make_organizer(track))
    form = {"task_name": "Try it", "kind": "text-to-image", "is_practice": "on", "source": source.pk}
    assert client.post(reverse("task_begin", args=[track.slug]), form).status_code == 302
    task = Task.objects.with_phase().get(slug="try-it")
    assert (task.is_practice, task.phase, task.collection) == (True, Phase.DRAFT, source.collection)
    slugs = [shown.step.slug for shown in steps_of(task)]
    assert slugs == ["dates", "collection", "topics", "criteria", "guidelines", "runs", "teams", "open"]
    assert 'name="closes_at"' not in _text(client, address(task, "dates"))
    assert 'name="pool_depth"' not in _text(client, address(task, "runs"))
    assert needs(task, Stage.OPEN) == ["There are no qrels, so runs cannot be scored. Import them."]
    assert needs(task, Stage.POOL) == needs(task, Stage.RELEASE) == []
    refused = client.post(address(task, "open"), follow=True).content.decode()
    assert "The task cannot open yet." in refused
    tried = try_import(task, ImportKind.QRELS, b"T1 0 D1 2\nT1 0 D2 0\n", None, **QRELS)
    page = _text(client, reverse("import_detail", args=[track.slug, task.slug, tried.pk]))
    assert (
        f"leave the scores and pools of the other task for good. Both tasks have 2 topics of {source.name}"
        in page
    )
    assert not source.topics.filter(state=TopicState.LEFT).exists()
    add_import(tried)
    assert list(source.topics.gone().values_list("number", flat=True)) == ["T1"]
    assert "the qrels own" in _text(client, address(task, "open")).lower()
    assert client.post(address(task, "open")).status_code == 302
    assert Task.objects.with_phase().get(pk=task.pk).phase == Phase.OPEN
    assert needs(task, Stage.OPEN) == []


def test_a_practice_task_has_the_kind_of_its_topics(track: Track) -> None:
    source = make_task(track, topic_count=2, document_count=2, kind=TaskKind.IMAGE_TO_TEXT)
    client = client_of(make_organizer(track))
    form = {"task_name": "Try it", "kind": "text-to-image", "is_practice": "on", "source": source.pk}
    page = client.post(reverse("task_begin", args=[track.slug]), form).content.decode()
    assert f"A practice task has the kind of {source.name}: image topic" in page
    assert not Task.objects.filter(slug="try-it").exists()
    right = form | {"kind": source.kind}
    assert client.post(reverse("task_begin", args=[track.slug]), right).status_code == 302
    assert Task.objects.get(slug="try-it").topics.count() == 2


def test_topics_of_an_unreleased_task_of_another_track_are_refused(track: Track) -> None:
    source = make_task(phase=Phase.JUDGING, topic_count=1, document_count=1)
    person = make_organizer(track)
    Membership.objects.create(user=person, track=source.track, role=Role.ORGANIZER)
    form = {"task_name": "Try it", "kind": source.kind, "is_practice": "on", "source": source.pk}
    page = client_of(person).post(reverse("task_begin", args=[track.slug]), form).content.decode()
    assert f"{source.name} of {source.track} is not released" in page
    assert not Task.objects.filter(slug="try-it").exists()
    Task.objects.filter(pk=source.pk).update(**dates_of(Phase.RELEASED))
    assert client_of(person).post(reverse("task_begin", args=[track.slug]), form).status_code == 302


def test_a_tried_import_refuses_grades_that_are_not_released(track: Track) -> None:
    hidden = make_task(track, phase=Phase.JUDGING, topic_count=1, document_count=2)
    make_qrels(hidden, name="people", grades={("T1", "D1"): 2, ("T1", "D2"): 0})
    practice = make_task(track, topic_count=1, is_practice=True)
    tried = try_import(practice, ImportKind.QRELS, b"T1 0 D1 2\n", None, **QRELS)
    assert tried.state == ImportState.FAILED
    assert f"agree with those of {hidden.name}, people (version 1)" in tried.error
    assert not Qrels.objects.filter(task=practice).exists()


def test_a_participant_sees_no_deadline(track: Track) -> None:
    practice = make_task(track, topic_count=1, document_count=2, is_practice=True)
    team = make_team(track)
    run = make_run(practice, team, tag="mine")
    client = client_of(make_team_member(team))
    names = [track.slug, practice.slug]
    page = _text(client, reverse("task_detail", args=names))
    assert "practice</span>, open without a deadline" in page
    assert "Nothing here counts in an official result." in page
    assert "No qrels yet." in _text(client, reverse("leaderboard", args=names))
    upload = _text(client, reverse("run_upload", args=names))
    assert "A practice task has no deadline." in upload
    assert "closes" not in upload
    assert "It practises: its scores are on the" in _text(
        client, reverse("run_detail", args=[*names, run.pk])
    )
    assert "Practice</span>" in _text(client, reverse("track_detail", args=[track.slug]))


def test_a_topic_that_left_stays_away(track: Track) -> None:
    task = make_task(track)
    topic = make_topic(task, number="T1", state=TopicState.LEFT)
    client = client_of(make_organizer(track))
    url = reverse("row_edit", args=[track.slug, "topic", topic.pk])
    page = client.get(url).content.decode()
    assert "A practice task has this topic" in page
    client.post(url, {"state": "active", "text_0": "Page of T1", "text_1": "Section of T1"})
    topic.refresh_from_db()
    assert topic.state == TopicState.LEFT
    other = make_topic(task, number="T2")
    url = reverse("row_edit", args=[track.slug, "topic", other.pk])
    assert 'value="left"' not in client.get(url).content.decode()


def test_a_track_file_keeps_that_a_task_is_for_practice(track: Track) -> None:
    make_task(track, is_practice=True, slug="try")
    make_task(track, phase=Phase.DRAFT, slug="real")
    content = export_track(track)
    tasks = {task["slug"]: task.get("is_practice") for task in tomllib.loads(content)["tasks"]}
    assert tasks == {"real": None, "try": True}
    copied = content.replace(track.slug, "copied").replace(track.name, "Copied")
    created = create_track(text=copied, by=make_staff())
    assert created.faults == []
    assert Task.objects.get(track=created.track, slug="try").is_practice


def test_a_track_with_a_practice_task_can_be_archived(track: Track) -> None:
    make_task(track, is_practice=True)
    assert obstacle_of(track) == ""
    late = make_task(track, phase=Phase.OPEN)
    assert obstacle_of(track).endswith(f"Not yet: {late.name}.")
