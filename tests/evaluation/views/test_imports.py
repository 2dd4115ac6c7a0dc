"""The pages of imports: a file is uploaded, followed, read about and confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from evaluation import tasks
from evaluation.models import Import, ImportState, Topic
from tests.factories import make_organizer, make_task, make_team, make_topic

if TYPE_CHECKING:
    from django.test import Client

    from evaluation.models import Task

pytestmark = pytest.mark.django_db


def _address(task: Task, page: str, *more: object) -> str:
    return reverse(page, args=[task.track.slug, task.slug, *more])


def test_a_file_is_uploaded_followed_and_confirmed(client: Client) -> None:
    task = make_task()
    client.force_login(make_organizer(task.track))
    fields = {"file": SimpleUploadedFile("topics.csv", b"id,title\nT1,Tarn\nT 2,x\n"), "state": "active"}
    answer = client.post(_address(task, "import_upload", "topics"), fields)
    made = Import.objects.get()
    page = _address(task, "import_detail", made.pk)
    assert answer.headers["Location"] == page
    assert "records so far" in client.get(page, headers={"HX-Request": "true"}).content.decode()
    tasks.import_file(made.pk)
    assert client.get(page, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    shown = client.get(page).content.decode()
    assert "Nothing is stored yet" in shown
    assert "line 3" in shown
    client.post(_address(task, "import_confirm", made.pk))
    tasks.import_file(made.pk)
    made.refresh_from_db()
    assert made.state == ImportState.DONE
    assert Topic.objects.filter(task=task).values_list("number", flat=True).get() == "T1"
    assert "topics.csv" in client.get(_address(task, "import_list")).content.decode()


def test_the_form_offers_baseline_teams_of_the_track_and_refuses_a_file_too_large(
    client: Client, settings: object
) -> None:
    task = make_task()
    baseline = make_team(task.track, is_baseline=True, name="Our baselines")
    make_team(task.track, name="Participants")
    make_team(is_baseline=True, name="Elsewhere")
    client.force_login(make_organizer(task.track))
    page = _address(task, "import_upload", "runs")
    assert list(client.get(page).context["form"].fields["team"].queryset) == [baseline]
    settings.MAX_IMPORT_BYTES = 3  # type: ignore[attr-defined]
    fields = {"file": SimpleUploadedFile("runs.zip", b"1234"), "team": baseline.pk}
    assert "Split it" in client.post(page, fields).content.decode()
    assert client.get(_address(task, "import_upload", "nonsense")).status_code == 404


def test_topics_file_is_what_an_import_reads(client: Client) -> None:
    task = make_task()
    make_topic(task, number="T1", fields=[["title", "Tarn, é"]], note="Mind the ice.")
    make_topic(task, number="T2", fields=[["title", "Fjord"]])
    make_topic(task, number="T3", state="draft")
    client.force_login(make_organizer(task.track))
    answer = client.get(_address(task, "topics_file"))
    assert answer.content.decode() == (
        '{"id": "T1", "title": "Tarn, é", "note": "Mind the ice."}\n{"id": "T2", "title": "Fjord"}\n'
    )
