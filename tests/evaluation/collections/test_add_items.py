"""Adding documents and topics: all or none."""

import pytest

from evaluation.audit.queries import changes_in
from evaluation.collections.actions import add_documents, add_topics
from evaluation.models import Document, Image, Topic
from tests.evaluation.setup.setup_pages import picture
from tests.factories import make_collection, make_task
from tests.refusals import refused
from trackside.image_errors import ImageUnreadable
from trackside.items import NewItem

pytestmark = pytest.mark.django_db


def test_add_documents_keeps_texts_in_order_and_pictures_once() -> None:
    collection = make_collection()
    items = [
        NewItem("a", [("caption", "A tarn"), ("alt", "Water")], picture()),
        NewItem("b", [], picture()),
        NewItem("c", [("caption", "Text alone")]),
    ]
    assert add_documents(collection=collection, items=items) == 3
    first, second, third = Document.objects.filter(collection=collection).order_by("docno")
    assert first.fields == [["caption", "A tarn"], ["alt", "Water"]]
    assert first.image == second.image != third.image
    assert Image.objects.count() == 1


def test_each_document_that_a_statement_inserts_is_recorded() -> None:
    collection = make_collection()
    Document.objects.bulk_create([Document(collection=collection, docno=docno) for docno in ("a", "b")])
    changes = changes_in(collection.track, model="evaluation.document")
    assert sorted((change.pgh_label, change.pgh_data["docno"]) for change in changes) == [
        ("insert", "a"),
        ("insert", "b"),
    ]


def test_add_topics_puts_them_into_the_task() -> None:
    task = make_task()
    assert add_topics(task=task, items=[NewItem("q#1", [("title", "T")]), NewItem("q2", [], picture())]) == 2
    assert list(Topic.objects.filter(task=task).values_list("number", flat=True)) == ["q#1", "q2"]


def test_add_items_stores_none_when_one_is_there_already() -> None:
    task = make_task(topic_count=1, document_count=1)
    new = NewItem("new", [("a", "b")])
    with refused("item-name-taken", match="'D1': stored already"):
        add_documents(collection=task.collection, items=[new, NewItem("D1", [("a", "b")])])
    with refused("item-name-taken", match="'T1': stored already"):
        add_topics(task=task, items=[new, NewItem("T1", [("a", "b")])])
    assert not Document.objects.filter(docno="new").exists()
    assert not Topic.objects.filter(number="new").exists()


def test_add_documents_stores_none_when_one_picture_is_broken() -> None:
    collection = make_collection()
    with pytest.raises(ImageUnreadable):
        add_documents(
            collection=collection, items=[NewItem("a", [], picture()), NewItem("b", [], b"no picture")]
        )
    assert not Document.objects.exists()
    assert not Image.objects.exists()
