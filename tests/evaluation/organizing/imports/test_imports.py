"""The pages of imports: a file is uploaded, checked, reviewed and confirmed."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evaluation import tasks
from evaluation.models import Import, ImportState, Phase, ReportProgress, Scoring, Task, Topic
from evaluation.tracks.work.recomputing.actions import ask_results
from tests.factories import (
    dates_of,
    make_assessor,
    make_blob,
    make_organizer,
    make_task,
    make_team,
    make_topic,
)

pytestmark = pytest.mark.django_db


def _address(task: Task, page: str, *more: object) -> str:
    return reverse(page, args=[task.track.slug, task.slug, *more])


def test_a_file_is_uploaded_followed_and_confirmed(client: Client) -> None:
    task = make_task()
    client.force_login(make_organizer(task.track))
    fields = {
        "file": SimpleUploadedFile("topics.csv", b"id,title\nT1,Tarn\nT 2,x\nT 3,y\n"),
        "state": "active",
    }
    answer = client.post(_address(task, "import_upload", "topics"), fields)
    made = Import.objects.get()
    page = _address(task, "import_detail", made.pk)
    assert answer.headers["Location"] == page
    waiting = client.get(page, headers={"HX-Request": "true"}).content.decode()
    assert "Waiting</span> for a worker" in " ".join(waiting.split())
    Import.objects.update(state=ImportState.TRYING)
    assert "records so far" in client.get(page, headers={"HX-Request": "true"}).content.decode()
    Import.objects.update(state=ImportState.RECEIVED)
    tasks.run_imports()
    assert client.get(page, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    shown = client.get(page).content.decode()
    assert "Nothing is stored yet" in shown
    assert "line 3" in shown
    client.post(_address(task, "import_confirm", made.pk))
    Import.objects.update(state=ImportState.ADDING)
    adding = client.get(page, headers={"HX-Request": "true"}).content.decode()
    assert "of 1 record" in " ".join(adding.split()), "the refused two are not added"
    Import.objects.update(state=ImportState.CONFIRMED)
    tasks.run_imports()
    client.post(_address(task, "import_remove", made.pk))
    made.refresh_from_db()
    assert (made.state, made.removed_at) == (ImportState.DONE, None), "what was added cannot be removed"
    assert Topic.objects.filter(task=task).values_list("number", flat=True).get() == "T1"
    assert "topics.csv" in client.get(_address(task, "import_list")).content.decode()


COUNTS = {"added": 1, "changed": 0, "same": 0, "refused": 0}


@pytest.mark.parametrize("is_parked", [False, True])
@pytest.mark.parametrize("state", ImportState)
def test_every_page_of_imports_answers_in_every_state(
    client: Client, state: ImportState, is_parked: bool
) -> None:
    task = make_task()
    organizer = make_organizer(task.track)
    client.force_login(organizer)
    is_ended = state in (ImportState.TRIED, ImportState.DONE, ImportState.FAILED)
    now = timezone.now()
    made = Import.objects.create(
        task=task,
        kind="topics",
        upload=make_blob(b"id"),
        file_name="topics.csv",
        received_by=organizer,
        state=state,
        queued_at=None if is_ended else now,
        parked_at=now if is_parked and not is_ended else None,
        attempt_count=3 if is_parked else 0,
        counts=COUNTS if state in (ImportState.TRIED, ImportState.DONE) else None,
        error="The file is empty." if state == ImportState.FAILED else "",
        confirmed_by=organizer,
        confirmed_at=now,
        ended_at=now if state in (ImportState.DONE, ImportState.FAILED) else None,
    )
    for page in (_address(task, "import_list"), _address(task, "import_detail", made.pk)):
        shown = client.get(page)
        assert shown.status_code == 200
        assert "topics.csv" in shown.content.decode()
        assert ("parked" in shown.content.decode()) == made.is_parked
    assert client.get(_address(task, "work_list")).status_code == 200
    polled = client.get(_address(task, "import_detail", made.pk), headers={"HX-Request": "true"})
    assert polled.status_code == 200


def test_failed_import_is_removed_from_the_list_and_stays_as_a_record(client: Client) -> None:
    task = make_task()
    organizer = make_organizer(task.track)
    client.force_login(organizer)
    client.post(
        _address(task, "import_upload", "topics"),
        {"file": SimpleUploadedFile("bad.csv", b"no header"), "state": "active"},
    )
    made = Import.objects.get()
    answer = client.post(_address(task, "import_remove", made.pk), follow=True)
    assert "Only an import that failed" in answer.content.decode()
    tasks.run_imports()
    page = client.get(_address(task, "import_detail", made.pk)).content.decode()
    assert "Remove from the list" in page
    answer = client.post(_address(task, "import_remove", made.pk), follow=True)
    assert "is removed from the list" in answer.content.decode()
    assert "No file has been imported yet. Start with the documents" in answer.content.decode()
    make_topic(task)  # by a command
    assert "Start with" not in client.get(_address(task, "import_list")).content.decode()
    made.refresh_from_db()
    assert (made.removed_by, made.state) == (organizer, ImportState.FAILED)
    assert client.get(_address(task, "import_detail", made.pk)).status_code == 404


def test_parked_work_gives_the_reason_and_is_tried_again(client: Client) -> None:
    task = make_task()
    client.force_login(make_organizer(task.track))
    fields = {"file": SimpleUploadedFile("topics.csv", b"id,title\nT1,Tarn\n"), "state": "active"}
    client.post(_address(task, "import_upload", "topics"), fields)
    ask_results(task_id=task.pk)
    parked = {"parked_at": timezone.now(), "attempt_count": 3, "trouble": "Its worker died."}
    for model in (Import, Scoring, ReportProgress):
        model.objects.update(**parked)
    page = client.get(_address(task, "work_list")).content.decode()
    assert page.count("Its worker died.") == 3
    dashboard = client.get(_address(task, "task_detail")).content.decode()
    assert "3 imports, scores, reports or operations are parked" in dashboard
    assert _address(task, "work_list") in dashboard
    assert "stopped after 3 attempts" in client.get(_address(task, "report_detail")).content.decode()
    for kind, model in (("import", Import), ("scores", Scoring), ("report", ReportProgress)):
        number = model.objects.get().pk
        retry = _address(task, "work_retry", kind, number)
        assert retry in page
        client.post(retry)
        assert model.objects.get().is_waiting
    assert client.post(_address(task, "work_retry", "nonsense", 1)).status_code == 404


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
    make_topic(task, number="T2", fields=[["title", "Fjord"]], stratum="easy")
    make_topic(task, number="T3", state="draft")
    first = '{"id": "T1", "title": "Tarn, é", "note": "Mind the ice."}\n'
    second = {"organizer": '{"id": "T2", "title": "Fjord", "stratum": "easy"}\n'}
    second["assessor"] = second["organizer"].replace(', "stratum": "easy"', "")
    for role, make in (("organizer", make_organizer), ("assessor", make_assessor)):
        client.force_login(make(task.track))
        answer = client.get(_address(task, "topics_file"))
        assert b"".join(answer).decode() == first + second[role]
    Task.objects.update(**dates_of(Phase.RELEASED))
    released = b"".join(client.get(_address(task, "topics_file"))).decode()
    assert released == first + second["organizer"]
