from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.utils.datastructures import MultiValueDict
from PIL import Image as Picture

from evaluation.collections.forms import DocumentForm
from tests.factories import make_collection

pytestmark = pytest.mark.django_db


def _form(fields: str = "[]", picture: bytes | None = None) -> DocumentForm:
    files = MultiValueDict[str, UploadedFile[Any]]()
    if picture is not None:
        files["picture"] = SimpleUploadedFile("picture", picture)
    return DocumentForm({"collection": make_collection().pk, "docno": "D1", "fields": fields}, files)


def _jpeg() -> bytes:
    file = BytesIO()
    Picture.new("RGB", (40, 30), "green").save(file, "JPEG")
    return file.getvalue()


def test_item_form_stores_texts_in_their_order() -> None:
    document = _form('[["caption", "A tarn"], ["alt", "Water"]]').save()
    assert document.fields == [["caption", "A tarn"], ["alt", "Water"]]


def test_item_form_stores_a_picture() -> None:
    document = _form(picture=_jpeg()).save()
    document.refresh_from_db()
    assert (document.image.width, document.image.height) == (40, 30)


def test_item_form_reports_that_a_picture_cannot_be_read() -> None:
    form = _form('[["caption", "A tarn"]]', picture=b"no picture")
    assert list(form.errors) == ["picture"]


@pytest.mark.parametrize(
    "fields", ['{"caption": "A tarn"}', '["caption"]', '[["caption", 1]]', '[["a", "b", "c"]]']
)
def test_item_form_shows_an_example_of_texts(fields: str) -> None:
    assert "Write pairs of name and text" in str(_form(fields).errors["fields"])


def test_item_form_refuses_two_texts_of_one_name() -> None:
    assert "same name" in str(_form('[["a", "b"], ["a", "c"]]').errors["fields"])


def test_item_form_needs_a_text_or_a_picture() -> None:
    assert _form().non_field_errors() == ["Give a text or a picture."]
