from contextlib import closing
from io import BytesIO

import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.test import Client
from PIL import Image as Picture

from evaluation.models import Document, Image, Phase
from tests.factories import make_document, make_image, make_task, make_team, make_team_member

pytestmark = pytest.mark.django_db


@pytest.fixture
def image() -> Image:
    image = make_image()
    make_document(make_task(phase=Phase.RELEASED).collection, image=image)
    return image


def test_image_is_sent_with_a_fixed_type_and_in_a_sandbox(client: Client, image: Image) -> None:
    answer = client.get(f"/images/{image.sha256}/display")
    body = answer.getvalue()
    answer.close()
    assert body == image.display.read()
    assert Picture.open(BytesIO(body)).format == "WEBP"
    assert answer.headers["Content-Type"] == "image/webp"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"


def test_image_whose_bytes_are_missing_is_absent_and_logged(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    lost = make_image()
    make_document(make_task(phase=Phase.RELEASED).collection, image=lost)
    default_storage.delete(lost.display.path)
    assert client.get(f"/images/{lost.sha256}/display").status_code == 404
    assert f"The bytes of image {lost.sha256} (display) are missing." in caplog.text


def test_image_in_its_original_bytes_is_never_sent(client: Client, image: Image) -> None:
    assert client.get(f"/images/{image.sha256}/original").status_code == 404


def test_image_of_a_running_task_is_for_members_only(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    image = make_image()
    make_document(task.collection, image=make_image(), more_images=[make_image().pk, image.pk])
    assert client.get(f"/images/{image.sha256}/thumbnail").status_code == 404
    client.force_login(make_team_member(make_team(task.track)))
    with closing(client.get(f"/images/{image.sha256}/thumbnail")) as answer:
        assert answer.status_code == 200


def test_image_after_the_first_one_of_an_item_is_found_by_the_index() -> None:
    """Each picture of a page asks who may see it, among millions of documents."""
    task = make_task(phase=Phase.OPEN)
    rows = [Document(collection=task.collection, docno=f"E{number}", fields=[]) for number in range(3000)]
    Document.objects.bulk_create(rows)
    image = make_image()
    make_document(task.collection, image=make_image(), more_images=[image.pk])
    member = make_team_member(make_team(task.track))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    shown = Image.objects.visible_to(member).filter(sha256=image.pk)
    assert shown.exists()
    plan = shown.explain()
    assert "document_with_images" in plan
    assert "Seq Scan on evaluation_document" not in plan
