from hashlib import sha256
from io import BytesIO

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import Image as Picture

from evaluation.collections.storing import store_blob, store_image, store_images
from evaluation.models import Blob, Image
from trackside.image_errors import ImageUnreadable

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


def test_store_image_keeps_equal_files_once() -> None:
    assert store_image(content=_png()) == store_image(content=_png()) != store_image(content=_png("red"))
    assert Image.objects.count() == 2


def test_store_image_keeps_nothing_of_a_broken_file() -> None:
    with pytest.raises(ImageUnreadable):
        store_image(content=_png()[:60])
    assert not Blob.objects.exists()


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
