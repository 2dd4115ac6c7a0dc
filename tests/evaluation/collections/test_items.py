"""Storing bytes, pictures, documents and topics: each once, and all or none."""

from hashlib import sha256
from io import BytesIO
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.utils.datastructures import MultiValueDict
from PIL import Image as Picture

from evaluation.collections.actions import add_documents, add_topics, find_bare
from evaluation.collections.forms import DocumentForm
from evaluation.collections.storing import store_blob, store_image, store_images
from evaluation.models import Blob, Document, Image, Topic
from evaluation.organizing.audit.queries import changes_in
from tests.evaluation.organizing.setup.setup_pages import picture
from tests.factories import make_collection, make_document, make_image, make_task
from tests.refusals import refused
from trackside.image_errors import ImageUnreadable
from trackside.items import NewItem

pytestmark = pytest.mark.django_db


def _png(colour: str = "green") -> bytes:
    file = BytesIO()
    Picture.new("RGB", (40, 30), colour).save(file, "PNG")
    return file.getvalue()


def test_store_blob_keeps_equal_bytes_once() -> None:
    first, second = store_blob(file=ContentFile(b"bytes")), store_blob(file=ContentFile(b"bytes"))
    assert first == second
    assert (first.sha256, first.size, first.read()) == (sha256(b"bytes").hexdigest(), 5, b"bytes")


def test_store_blob_repairs_a_file_that_a_killed_process_left() -> None:
    whole = b"bytes of no other test, whole"  # tests share the storage
    blob = store_blob(file=ContentFile(whole))
    Blob.objects.filter(pk=blob.pk).delete()
    with default_storage.open(blob.path, "wb") as file:
        file.write(whole[:2])
    assert store_blob(file=ContentFile(whole)).read() == whole


def test_store_image_keeps_the_original_byte_for_byte_beside_its_copies() -> None:
    image = store_image(content=_png())
    assert image.sha256 == sha256(_png()).hexdigest()
    assert image.original.read() == _png()
    assert (image.width, image.height) == (40, 30)
    assert Picture.open(BytesIO(image.small.read())).format == "JPEG"
    assert {Picture.open(BytesIO(blob.read())).format for blob in (image.display, image.thumbnail)} == {
        "WEBP"
    }


def test_store_image_refuses_a_picture_that_takes_a_form_too_long_and_an_import_takes_it() -> None:
    file = BytesIO()
    Picture.new("L", (12_601, 1000)).save(file, "PNG")
    with pytest.raises(ImageUnreadable, match="12,601 x 1,000 pixels, more than 12,600,000 in all"):
        store_image(content=file.getvalue())
    assert store_images(contents=[file.getvalue()])[0].width == 12_601


def test_store_images_decodes_several_in_their_order() -> None:
    known = store_image(content=_png())
    colours = ("red", "green", "red", "blue")
    found = store_images(contents=[_png(colour) for colour in colours])
    assert [each.pk for each in found] == [sha256(_png(colour)).hexdigest() for colour in colours]
    assert found[1] == known
    assert Image.objects.count() == 3


def test_store_images_keeps_none_when_one_is_broken() -> None:
    with pytest.raises(ImageUnreadable):
        store_images(contents=[_png("red"), _png()[:60]])
    assert not Image.objects.exists()
    assert not Blob.objects.exists()


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


@pytest.fixture
def document() -> Document:
    return make_document(make_collection(), fields=[["caption", "A tarn"], ["alt", "Water"]])


def _form(document: Document, picture: bytes | None = None, **texts: str) -> DocumentForm:
    files = MultiValueDict[str, UploadedFile[Any]]()
    if picture is not None:
        files["picture"] = SimpleUploadedFile("picture", picture)
    return DocumentForm({"text_0": "A tarn", "text_1": "Water"} | texts, files, instance=document)


def test_item_form_stores_texts_under_their_names(document: Document) -> None:
    _form(document, text_1="Deep water").save()
    document.refresh_from_db()
    assert document.fields == [["caption", "A tarn"], ["alt", "Deep water"]]


def test_item_form_stores_a_picture(document: Document) -> None:
    _form(document, picture()).save()
    document.refresh_from_db()
    assert document.image
    assert (document.image.width, document.image.height) == (64, 48)


def test_item_form_reports_that_a_picture_cannot_be_read(document: Document) -> None:
    assert list(_form(document, b"no picture").errors) == ["picture"]


def test_item_form_needs_a_text_or_a_picture(document: Document) -> None:
    assert _form(document, text_0="", text_1=" ").non_field_errors() == ["Give a text or a picture."]
    assert not _form(document, picture(), text_0="", text_1="").errors


@pytest.mark.parametrize("docnos_per_query", [1, 10_000])
def test_what_a_pool_would_show_without_content_is_found(
    docnos_per_query: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.collections.actions.DOCNO_BATCH", docnos_per_query)
    task = make_task(kind="text-to-image")
    make_document(task.collection, docno="empty", fields=[])
    make_document(task.collection, docno="text")
    make_document(task.collection, docno="picture", fields=[], image=make_image())
    make_document(task.collection, docno="another", fields=[])
    make_document(make_collection(), docno="picture", fields=[])
    asked = ["text", "picture", "empty", "text", "absent"]
    assert find_bare(task=task, docnos=asked) == ({"empty"}, {"empty", "text"})
    task.kind = "text-to-text"
    assert find_bare(task=task, docnos=asked) == ({"empty"}, {"empty", "picture"})
