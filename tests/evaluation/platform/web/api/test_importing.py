"""Imports by API: the form and the action of the page, its verdict, and no second import of one request."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from evaluation import tasks
from evaluation.models import Document, Import, ImportState, Scope, Task, Topic, User
from evaluation.organizing.imports.actions import remove_import
from tests.evaluation.platform.web.api.conftest import address_of, program_of
from tests.factories import make_organizer, make_task

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = pytest.mark.django_db

TOPICS = b'{"id": "T1", "title": "Tarn"}\n{"id": "T2", "title": "Fjord"}\n'
FAULTY = b"id,title\nT1,Tarn\nT 2,x\n"


@pytest.fixture
def task() -> Task:
    return make_task()


@pytest.fixture
def organizer(task: Task) -> User:
    return make_organizer(task.track)


@pytest.fixture
def program(organizer: User) -> Client:
    return program_of(organizer, Scope.ORGANIZE)


def send(
    program: Client,
    task: Task,
    kind: str = "topics",
    content: bytes = TOPICS,
    *,
    name: str = "topics.jsonl",
    key: str = "",
    **fields: str,
) -> Answer:
    headers = {"Idempotency-Key": key} if key else {}
    body = {"file": ContentFile(content, name), **fields}
    return program.post(address_of(task, f"/imports/{kind}"), body, headers=headers)


def test_topics_are_uploaded_tried_and_confirmed(
    program: Client, task: Task, organizer: User, sent: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        answer = send(program, task, state="draft")
    made = Import.objects.get()
    assert (answer.status_code, answer["Location"]) == (201, address_of(task, f"/imports/{made.pk}"))
    assert sent == [("evaluation.run_imports", ())]
    assert (made.upload.read(), made.received_by, made.file_name) == (TOPICS, organizer, "topics.jsonl")
    told = answer.json()
    named = {"id": made.pk, "kind": "topics", "state": "received", "is_parked": False}
    assert {name: told[name] for name in named} == named
    assert told["page"] == reverse("import_detail", args=[task.track.slug, task.slug, made.pk])
    assert (told["counts"], told["size"], told["sha256"]) == (None, len(TOPICS), made.upload_id)
    tasks.run_imports()
    tried = program.get(answer["Location"]).json()
    counts = {"added": 2, "changed": 0, "same": 0, "refused": 0}
    assert (tried["state"], tried["counts"], tried["faults"]) == ("tried", counts, [])
    assert not Topic.objects.filter(task=task).exists()
    confirmed = program.post(f"{answer['Location']}/confirm")
    assert (confirmed.status_code, confirmed.json()["state"]) == (200, "confirmed")
    tasks.run_imports()
    assert program.get(answer["Location"]).json()["state"] == "done"
    added = Topic.objects.filter(task=task).values_list("number", "state")
    assert set(added) == {("T1", "draft"), ("T2", "draft")}


def test_verdict_is_that_of_the_page(program: Client, task: Task, organizer: User, client: Client) -> None:
    told = send(program, task, content=FAULTY, name="topics.csv").json()
    tasks.run_imports()
    tried = program.get(address_of(task, f"/imports/{told['id']}")).json()
    assert tried["counts"] == {"added": 1, "changed": 0, "same": 0, "refused": 1}
    (fault,) = tried["faults"]
    assert (fault["code"], fault["count"], fault["is_refused"]) == ("name_not_one_word", 1, True)
    assert fault["examples"] == [{"place": "line 3", "value": "T 2"}]
    assert tried["faults"] == Import.objects.get().faults
    client.force_login(organizer)
    shown = client.get(tried["page"]).content.decode()
    assert fault["title"] in shown
    assert fault["cure"] in shown


@pytest.mark.parametrize(
    ("kind", "stored", "name", "content"),
    [
        ("documents", "collection", "documents.jsonl", b'{"id": "D1", "caption": "Tarn"}\n'),
        ("documents", "collection", "documents.csv", b"D1,Tarn\n"),
        ("docnos", "docnos", "documents.jsonl", b"D1\n"),
    ],
)
def test_documents_are_imported_also_without_a_header(
    program: Client, task: Task, kind: str, stored: str, name: str, content: bytes
) -> None:
    columns = {"columns": "id title"} if name.endswith(".csv") else {}
    told = send(program, task, kind, content, name=name, **columns).json()
    assert (told["kind"], Import.objects.get().kind) == (kind, stored)
    tasks.run_imports()
    program.post(address_of(task, f"/imports/{told['id']}/confirm"))
    tasks.run_imports()
    assert Document.objects.get(collection=task.collection).docno == "D1"


def test_file_that_cannot_be_read_fails_with_its_reason_and_is_tried_again(
    program: Client, task: Task
) -> None:
    told = send(program, task, content=b"no header", name="bad.csv").json()
    retry = address_of(task, f"/imports/{told['id']}/retry")
    assert program.post(retry).json()["type"] == "urn:trackside:import-not-failed"
    tasks.run_imports()
    failed = program.get(address_of(task, f"/imports/{told['id']}")).json()
    assert (failed["state"], failed["error"]) == ("failed", Import.objects.get().error)
    assert failed["error"]
    again = program.post(address_of(task, f"/imports/{told['id']}/confirm"))
    assert (again.status_code, again.json()["type"]) == (409, "urn:trackside:import-not-tried")
    retried = program.post(retry).json()
    assert (retried["state"], retried["error"]) == ("received", "")


def test_parked_import_tells_why_it_stopped(program: Client, task: Task) -> None:
    told = send(program, task).json()
    Import.objects.update(parked_at="2026-01-01T00:00Z", attempt_count=3, trouble="Its worker died.")
    found = program.get(address_of(task, f"/imports/{told['id']}")).json()
    assert (found["is_parked"], found["state"]) == (True, "received")
    assert found["error"] == "Stopped after 3 attempts. Its worker died."


def test_confirming_again_changes_nothing(program: Client, task: Task) -> None:
    """The first answer may have been lost."""
    address = address_of(task, f"/imports/{send(program, task).json()['id']}")
    early = program.post(f"{address}/confirm")
    assert (early.status_code, "Only a tried import" in early.json()["detail"]) == (409, True)
    tasks.run_imports()
    first = program.post(f"{address}/confirm").json()
    assert program.post(f"{address}/confirm").json() == first
    tasks.run_imports()
    again = program.post(f"{address}/confirm")
    assert (again.status_code, again.json()["state"]) == (200, "done")
    assert again.json()["confirmed_at"] == first["confirmed_at"]


def test_request_sent_again_is_answered_with_the_same_import(program: Client, task: Task) -> None:
    key = str(uuid.uuid4())
    first, again = (send(program, task, key=key) for _ in range(2))
    assert (first.status_code, again.status_code, first.json()) == (201, 201, again.json())
    assert Import.objects.count() == 1
    for other in (
        send(program, task, key=key, content=TOPICS[:-1]),
        send(program, task, key=key, state="draft"),
        send(program, task, "documents", key=key),
        send(program, make_task(task.track), key=key),
    ):
        assert (other.status_code, other.json()["type"]) == (409, "urn:trackside:key-used-twice")
    mate = program_of(make_organizer(task.track), Scope.ORGANIZE)
    assert send(mate, task, key=key).status_code == 201
    assert [send(program, task).status_code for _ in range(2)] == [201, 201]  # without a key
    assert Import.objects.count() == 4


def test_imports_are_listed_without_removed_ones(program: Client, task: Task, organizer: User) -> None:
    other = program_of(organizer, Scope.READ, Scope.SUBMIT)  # without the scope
    assert (send(other, task).status_code, other.get(address_of(task, "/imports")).status_code) == (403, 403)
    ids = [send(program, task).json()["id"] for _ in range(3)]
    send(program, make_task(task.track))
    tasks.run_imports()
    remove_import(task_import=Import.objects.get(pk=ids[1], state=ImportState.TRIED), by=organizer)
    with CaptureQueriesContext(connection) as few:
        listed = program.get(address_of(task, "/imports")).json()
    assert [each["id"] for each in listed["items"]] == [ids[2], ids[0]]
    assert program.get(address_of(task, f"/imports/{ids[1]}")).status_code == 404
    for _ in range(5):
        send(program, task)
    with CaptureQueriesContext(connection) as more:
        program.get(address_of(task, "/imports"))
    assert len(more) == len(few)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"state": "late"}, "state"),
        ({"columns": "a" * 401}, "columns"),
        ({"columns": "a\0b"}, "columns"),
        ({"fields": "{"}, "fields is not JSON"),
        ({"fields": '{"texts": ["a", "a"]}'}, "a: chosen twice"),
        ({"content": b""}, "file: The submitted file is empty."),
        ({"key": "no uuid"}, "idempotency"),
    ],
)
def test_form_that_does_not_fit_is_refused_with_its_field(
    program: Client, task: Task, changes: dict[str, Any], told: str
) -> None:
    answer = send(program, task, **changes)
    assert answer.status_code == 422
    assert told in answer.json()["detail"].lower() or told in answer.json()["detail"]
    answer = program.post(address_of(task, "/imports/topics"), {"state": "active"})
    assert (answer.status_code, answer.json()["errors"][0]["where"]) == (422, "file file")
    assert not Import.objects.exists()


def test_file_that_is_too_large_is_refused(program: Client, task: Task, settings: Any) -> None:
    settings.MAX_IMPORT_BYTES = 10
    answer = send(program, task)
    assert (answer.status_code, answer.json()["type"]) == (413, "urn:trackside:import-too-large")
    unread = send(program, task, content=bytes(2**20 + 100))
    assert (unread.status_code, unread.json()["type"]) == (413, "urn:trackside:upload-too-large")
    assert "may have 10" in unread.json()["detail"]
    assert program.get(address_of(task)).json()["max_import_bytes"] == 10
