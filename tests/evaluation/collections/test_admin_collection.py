from unittest.mock import patch

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from evaluation.audit.queries import changes_in
from evaluation.models import Collection, Document, Operation, Phase, Topic, TopicState
from evaluation.web.admin.deletions import MOST_DELETED, MOST_NAMED
from tests.factories import (
    make_collection,
    make_document,
    make_organizer,
    make_pool,
    make_qrels,
    make_task,
    make_topic,
)

pytestmark = pytest.mark.django_db


def test_topics_and_documents_stay_once_a_pool_names_them(client: Client) -> None:
    task = make_task(topic_count=2, document_count=2)
    client.force_login(make_organizer(task.track))
    make_pool(task, pairs=[("T1", "D1")])
    for name, rows in (("topic", Topic.objects.order_by("number")), ("document", Document.objects.all())):
        pooled, free = rows
        one = reverse(f"admin:evaluation_{name}_delete", args=[pooled.pk])
        assert client.post(one, {"post": "yes"}).status_code == 403
        form = {"action": "delete_selected", "_selected_action": [pooled.pk, free.pk], "post": "yes"}
        client.post(reverse(f"admin:evaluation_{name}_changelist"), form)
        assert rows.count() == 2
        client.post(reverse(f"admin:evaluation_{name}_delete", args=[free.pk]), {"post": "yes"})
        assert list(rows.all()) == [pooled]


def _fill(collection: Collection, count: int) -> None:
    Document.objects.bulk_create(Document(collection=collection, docno=f"N{each}") for each in range(count))


def test_large_collection_is_deleted_without_naming_its_documents(client: Client) -> None:
    collection = make_collection()
    _fill(collection, 3 * MOST_DELETED)
    client.force_login(make_organizer(collection.track))
    address = reverse("admin:evaluation_collection_delete", args=[collection.pk])
    page = client.get(address)
    assert f"documents: {3 * MOST_DELETED:,}" in page.content.decode()
    assert "N1<" not in page.content.decode()
    assert len(page.context["deleted_objects"]) == 2
    assert client.post(address, {"post": "yes"}).status_code == 302
    assert not Document.objects.exists()
    assert not Collection.objects.exists()
    # The deletion of the collection is recorded, not that of each document.
    assert len(changes_in(collection.track, model="evaluation.collection")) == 2


def test_collection_of_a_task_is_not_deleted(client: Client) -> None:
    task = make_task(document_count=3)
    client.force_login(make_organizer(task.track))
    address = reverse("admin:evaluation_collection_delete", args=[task.collection.pk])
    for page in (client.get(address), client.post(address, {"post": "yes"}, follow=True)):
        assert f"task: {task}" in page.content.decode()
    assert Document.objects.count() == 3


def test_many_rows_are_not_deleted_at_once(client: Client) -> None:
    task = make_task()
    _fill(task.collection, MOST_DELETED + 1)
    client.force_login(make_organizer(task.track))
    form = {"action": "delete_selected", "select_across": 1, "index": 0, "_selected_action": [0]}
    page = client.post(reverse("admin:evaluation_document_changelist"), form | {"_selected_action": [1]})
    assert "more than 2,000 rows at once" in page.content.decode()
    client.post(reverse("admin:evaluation_document_changelist"), form | {"post": "yes"})
    assert Document.objects.count() == MOST_DELETED + 1


def test_task_with_many_topics_is_not_deleted_and_their_number_is_shown(client: Client) -> None:
    task = make_task()
    Topic.objects.bulk_create(
        Topic(task=task, number=f"T{each}", fields=[["a", "b"]]) for each in range(MOST_DELETED + 1)
    )
    client.force_login(make_organizer(task.track))
    address = reverse("admin:evaluation_task_delete", args=[task.pk])
    assert "topics: 2,001" in client.get(address).content.decode()
    client.post(address, {"post": "yes"})
    assert task.topics.count() == MOST_DELETED + 1


def test_task_with_many_records_is_refused_without_reading_them(client: Client) -> None:
    task, count = make_task(), 3 * MOST_NAMED
    organizer = make_organizer(task.track)
    Operation.objects.bulk_create(
        Operation(task=task, kind="k", requested_by=organizer, outcome="done", ended_at=Now())
        for _ in range(count)
    )
    client.force_login(organizer)
    with patch.object(Operation, "from_db", side_effect=AssertionError):
        page = client.get(reverse("admin:evaluation_task_delete", args=[task.pk])).content.decode()
    assert f"operations: {count}" in page


def _content(row: Topic | Document, text: str) -> dict[str, object]:
    state = {"state": row.state, "note": "why"} if isinstance(row, Topic) else {}
    return {"fields": f'[["caption", "{text}"]]', **state}


def _change(client: Client, row: Topic | Document, text: str) -> str:
    name = type(row).__name__.lower()
    page = client.post(reverse(f"admin:evaluation_{name}_change", args=[row.pk]), _content(row, text))
    row.refresh_from_db()
    return str(page.context["adminform"].form.errors) if page.status_code == 200 else ""


def test_items_are_changed_until_they_are_judged_and_the_form_shows_how_to_continue(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING, topic_count=1, document_count=1)
    client.force_login(make_organizer(task.track))
    topic, document = Topic.objects.get(), Document.objects.get()
    for row in (topic, document):
        assert _change(client, row, "mended") == ""
        assert (row.fields, row.version) == ([["caption", "mended"]], 2)
        change = changes_in(task.track)[0]
        assert change.pgh_label == "update"
        assert change.pgh_diff["version"] == [1, 2]
    make_qrels(task, grades={("T1", "D1"): 1})
    assert "Add the new content as a new topic" in _change(client, topic, "bent")
    assert "under a new docno" in _change(client, document, "bent")
    assert topic.fields == document.fields == [["caption", "mended"]]
    assert _change(client, topic, "mended") == ""
    assert topic.note == "why"


def test_released_items_are_frozen_though_nobody_judged_them(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    client.force_login(make_organizer(task.track))
    for row in (make_topic(task), make_document(task.collection)):
        assert "judged or released" in _change(client, row, "bent")
        assert row.version == 1
        if isinstance(row, Topic):
            address = reverse("admin:evaluation_topic_change", args=[row.pk])
            page = client.post(address, _content(row, "Caption") | {"state": TopicState.DRAFT})
            assert "its active topics stay active" in page.content.decode()
            row.refresh_from_db()
            assert row.state == TopicState.ACTIVE
        delete = reverse(f"admin:evaluation_{type(row).__name__.lower()}_delete", args=[row.pk])
        assert client.post(delete, {"post": "yes"}).status_code == 403
