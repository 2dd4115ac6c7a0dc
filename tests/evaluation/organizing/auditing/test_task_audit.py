"""The audit of a task: planted faults are found and shown, old results are named, others see nothing."""

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse
from PIL import Image as Picture
from PIL import ImageDraw

from evaluation.collections.storing import store_image
from evaluation.models import Image, Operation, Phase, QrelsKind, Task
from evaluation.organizing.auditing import actions, rows
from evaluation.organizing.auditing.actions import AUDIT, audit_state, request_audit
from evaluation.organizing.pages.needs import organizer_needs
from evaluation.organizing.setup.actions import unsafe
from evaluation.tracks.work.operations.actions import run_operation
from evaluation.tracks.work.queueing import ClaimLost, claim_work, release_claim, run_waiting
from tests.factories import (
    make_assessor,
    make_document,
    make_organizer,
    make_qrels,
    make_run,
    make_task,
    make_topic,
)
from trackside.errors import InputError

pytestmark = pytest.mark.django_db

WORDS = "a grey heron stands in shallow water beside the old stone bridge at dawn"


def address_of(task: Task) -> str:
    return reverse("task_audit", args=[task.track.slug, task.slug])


def audited(task: Task) -> Operation:
    request_audit(task=task, by=make_organizer(task.track))
    run_waiting(Operation, lambda row: run_operation(operation=row), worker="w1")
    return Operation.objects.filter(kind=AUDIT).latest("pk")


def found(operation: Operation) -> dict[str, int]:
    assert operation.findings is not None, operation.message
    return {fault["kind"]: fault["count"] for fault in operation.findings["faults"]}


def stored(paint: Callable[[ImageDraw.ImageDraw], object], size: tuple[int, int] = (400, 300)) -> Image:
    image = Picture.new("RGB", size, (200, 180, 40))
    paint(ImageDraw.Draw(image))
    with BytesIO() as file:
        image.save(file, "PNG")
        content = file.getvalue()
    return store_image(content=content)


def sound_task(**fields: Any) -> Task:
    task = make_task(**fields)
    make_topic(task, number="T1", fields=[["title", "birds near bridges in the morning light"]])
    make_document(task.collection, docno="D1", fields=[["text", WORDS]])
    make_document(task.collection, docno="D2", fields=[["text", "trains leave the station at noon each day"]])
    return task


def test_nothing_is_found_in_a_sound_task() -> None:
    task = sound_task()
    make_run(task)
    make_qrels(task, grades={("T1", "D1"): 2, ("T1", "D2"): 0})
    operation = audited(task)
    assert found(operation) == {}
    assert operation.findings is not None
    assert {name: operation.findings[name] for name in ("topic_count", "document_count", "run_count")} == {
        "topic_count": 1,
        "document_count": 2,
        "run_count": 1,
    }
    assert audit_state(task).is_stale is False


def test_planted_faults_are_found_worst_first() -> None:
    task = sound_task(phase=Phase.JUDGING)
    make_topic(task, number="T2", fields=[["title", "the picture D10 of a lighthouse"]])
    make_topic(task, number="T3", fields=[["title", WORDS]])  # the text of D1
    make_topic(task, number="T4", state="draft")
    make_document(task.collection, docno="D10", fields=[["text", f"{WORDS} again"]])  # nearly D1
    make_document(task.collection, docno="D11", fields=[["text", "caf\N{REPLACEMENT CHARACTER} terrace"]])
    absent = {("T2", "X1"): 1, ("T2", "X2"): 1}
    make_qrels(
        task,
        name="people",
        grades={("T1", "D1"): 2, ("T1", "D10"): 0, ("T4", "D1"): 1, ("T9", "D1"): 1} | absent,
    )
    make_qrels(task, name="second", kind=QrelsKind.SECOND, grades={("T1", "D2"): 0})
    make_run(task, tag="clip", results={"T1": ["D1", "X3"], "T4": ["D2"]})
    operation = audited(task)
    assert found(operation) == {
        "graded_document_absent": 2,
        "graded_topic_absent": 1,
        "found_document_absent": 1,
        "topic_without_relevant": 1,
        "lost_characters": 1,
        "doubles_graded_unlike": 1,
        "topic_is_document": 1,
        "topic_not_graded": 1,
        "text_nearly_twice": 1,
    }
    kinds = list(found(operation))
    assert kinds.index("graded_document_absent") == 0
    assert kinds[-1] == "text_nearly_twice"
    assert audit_state(task).wrong_count == 5


def test_pictures_are_looked_at_as_models_get_them() -> None:
    task = make_task(topic_count=1)
    collection = task.collection
    heron = stored(lambda draw: draw.ellipse((40, 40, 300, 200), fill=(10, 60, 200)))
    paler = stored(lambda draw: draw.ellipse((40, 40, 300, 200), fill=(12, 62, 202)))
    black = stored(lambda draw: draw.rectangle((0, 0, 400, 300), fill=(0, 0, 0)))
    icon = stored(lambda draw: draw.line((0, 0, 20, 20), fill=(0, 0, 0)), (24, 20))
    gone = stored(lambda draw: draw.rectangle((100, 10, 200, 290), fill=(250, 250, 250)))
    for docno, image in (("D1", heron), ("D2", heron), ("D3", paler), ("D4", black), ("D5", icon)):
        make_document(collection, docno=docno, image=image)
    make_document(collection, docno="D6", image=gone)
    default_storage.delete(gone.small.path)
    operation = audited(task)
    assert found(operation) == {
        "picture_unreadable": 1,
        "picture_of_one_colour": 1,
        "picture_tiny": 1,
        "picture_twice": 1,
        "picture_nearly_twice": 1,
    }
    assert operation.findings
    (example,) = operation.findings["faults"][0]["examples"]
    assert example == "document D6: Its bytes are missing in the storage."


def test_page_links_rows_and_says_what_to_do(client: Client) -> None:
    task = sound_task()
    twice = make_document(task.collection, docno="D3", fields=[["text", WORDS]])
    client.force_login(make_organizer(task.track))
    empty = client.get(address_of(task)).content.decode()
    assert "Not audited" in empty
    assert client.post(address_of(task)).status_code == 302
    waiting = client.get(address_of(task), headers={"HX-Request": "true"})
    assert "The audit waits for a worker." in waiting.content.decode()
    run_waiting(Operation, lambda row: run_operation(operation=row), worker="w1")
    assert client.get(address_of(task), headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    page = client.get(address_of(task)).content.decode()
    assert "Records with the text of an earlier one" in page
    assert "people grade doubles unlike" in page
    assert reverse("document_detail", args=[task.track.slug, task.slug, twice.pk]) in page
    make_topic(task, number="T2")
    assert "Data changed after this audit" in client.get(address_of(task)).content.decode()


def test_only_organizers_see_the_audit(client: Client) -> None:
    task = sound_task(phase=Phase.RELEASED)
    audited(task)
    client.force_login(make_assessor(task.track))
    assert client.get(address_of(task)).status_code == 404
    assert client.post(address_of(task)).status_code == 404


def test_needs_and_release_name_a_missing_old_or_bad_audit() -> None:
    task = sound_task(phase=Phase.OPEN)

    def words() -> list[str]:
        return [need.text for need in organizer_needs(task) if "udit" in need.text]

    assert words() == ["Not audited"]
    assert "Not audited" in [action.text for action in unsafe(task)]
    audited(task)
    assert words() == []
    assert ("ok", "Audited: 0 kinds of fault to look at") in [
        (each.state, each.text) for each in unsafe(task)
    ]
    make_topic(task, number="T2")
    assert words() == ["Data changed after the audit"]
    make_document(task.collection, docno="D11", fields=[["text", "caf\N{REPLACEMENT CHARACTER}"]])
    audited(task)
    assert words() == ["Audited: values are wrong by 1 kind of fault"]
    other = make_task(task.track).collection
    Task.objects.filter(pk=task.pk).update(collection=other)
    assert audit_state(Task.objects.get(pk=task.pk)).is_stale


def test_empty_task_has_nothing_to_audit() -> None:
    task = make_task()
    with pytest.raises(InputError, match="Import some"):
        request_audit(task=task, by=make_organizer(task.track))
    assert not [need for need in organizer_needs(task) if "udit" in need.text]


def test_too_many_documents_are_refused_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MOST_DOCUMENTS", 1)
    operation = audited(sound_task())
    assert (operation.outcome, "trackside audit" in operation.message) == ("refused", True)


def test_progress_is_shown_and_a_lost_worker_stores_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "CHUNK", 1)
    monkeypatch.setattr(actions, "SHOWN_EVERY", 0.0)
    task = sound_task()
    started = request_audit(task=task, by=make_organizer(task.track))
    seen = []

    def rankings(_task: Task) -> Iterator[Any]:
        seen.append(Operation.objects.get(pk=started.pk).message)
        assert claimed
        release_claim(claimed, trouble="It was slow.")
        yield from ()

    monkeypatch.setattr(actions, "rankings", rankings)
    claimed = claim_work(Operation, worker="slow")
    assert claimed is not None
    with pytest.raises(ClaimLost):
        run_operation(operation=claimed)
    assert seen == ["3 of 3 topics and documents are read."]
    monkeypatch.undo()
    run_waiting(Operation, lambda row: run_operation(operation=row), worker="fast")
    ended = Operation.objects.get(pk=started.pk)
    assert (ended.outcome, ended.message) == ("done", "0 kinds of fault.")
