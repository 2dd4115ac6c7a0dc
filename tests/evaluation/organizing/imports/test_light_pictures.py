"""Light pictures without a background: people and models see them on mid grey, and hashes name that file."""

import hashlib
import io

import pytest
from PIL import Image as Picture

from evaluation.collections.storing import store_images
from evaluation.models import Document, Image, ImportKind
from tests.evaluation.organizing.imports.importing import add_import, try_import, zip_of
from tests.factories import make_blob, make_task

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sandbox_threads")]


def white_logo() -> bytes:
    with io.BytesIO() as file:
        picture = Picture.new("RGBA", (40, 30), (255, 255, 255, 0))
        picture.paste((255, 255, 255, 255), (10, 10, 30, 20))
        picture.save(file, "PNG")
        return file.getvalue()


def test_a_light_picture_is_stored_on_grey_once() -> None:
    task, logo = make_task(), white_logo()
    content = zip_of({"logo.png": logo})
    add_import(try_import(task, ImportKind.COLLECTION, content))
    (document,) = Document.objects.filter(collection=task.collection)
    assert document.image is not None
    with document.image.original.open() as stored:
        assert Picture.open(stored).getpixel((0, 0)) == (128, 128, 128)
    assert document.image_id == hashlib.sha256(document.image.original.read()).hexdigest()
    again = try_import(task, ImportKind.COLLECTION, content)
    assert again.counts == {"added": 0, "changed": 0, "same": 1, "refused": 0}
    assert store_images(contents=[logo]) == [document.image]


def test_a_picture_that_was_stored_before_stays_as_it_was() -> None:
    task, logo = make_task(), white_logo()
    blob = make_blob(logo)
    copies = dict.fromkeys(("original", "display", "small", "thumbnail"), blob)
    Image.objects.create(sha256=blob.pk, width=40, height=30, **copies)
    assert [image.pk for image in store_images(contents=[logo])] == [blob.pk]
    add_import(try_import(task, ImportKind.COLLECTION, zip_of({"logo.png": logo})))
    assert Document.objects.get(collection=task.collection).image_id == blob.pk
