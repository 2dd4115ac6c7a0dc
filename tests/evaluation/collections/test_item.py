from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.utils.datastructures import MultiValueDict

from evaluation.collections.forms import DocumentForm
from evaluation.models import Document
from tests.evaluation.setup.setup_pages import picture
from tests.factories import make_collection, make_document

pytestmark = pytest.mark.django_db


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
