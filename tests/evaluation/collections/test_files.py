"""Downloads of docnos, texts and pictures: who gets them, byte for byte, and how little is in memory."""

import io
import json
import tracemalloc
import zipfile
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image as Picture

from evaluation.collections import files as collection_files
from evaluation.collections.files import pictures_zip
from evaluation.models import Collection, Document, ImportKind, Phase, Task, Topic, User
from tests.evaluation.organizing.imports.importing import add_import, codes_of, try_import, zip_of
from tests.factories import (
    make_assessor,
    make_blob,
    make_document,
    make_image,
    make_organizer,
    make_task,
    make_team,
    make_team_member,
    make_topic,
)

pytestmark = pytest.mark.django_db

DOCNO = "a/büc"


def picture(form: str, red: int) -> bytes:
    """A picture with a comment of its camera, which derivatives lose."""
    with io.BytesIO() as file:
        exif = Picture.Exif()
        exif[0x010E] = "made by hand"
        Picture.new("RGB", (48, 40), (red, 7, 9)).save(file, form, exif=exif)
        return file.getvalue()


PICTURES = {"one.jpg": picture("JPEG", 1), "two.png": picture("PNG", 90), "three.webp": picture("WEBP", 200)}
RECORDS = [
    {"id": "D1", "caption": "A cat", "image": "one.jpg"},
    {"id": DOCNO, "caption": "Ein Hund", "image": "two.png"},
    {"id": "D3", "image": "three.webp"},
    {"id": "D4", "caption": "No picture"},
    {"id": "a/2", "image": ["three.webp", "one.jpg", "two.png"]},
]
CAPTIONS = "".join(json.dumps(record) + "\n" for record in RECORDS).encode()


def body(answer: Any) -> bytes:
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)


def address(task: Task, name: str, *more: int) -> str:
    return reverse(name, args=[task.track.slug, task.slug, *more])


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def items(task: Task, model: type[Topic] | type[Document]) -> list[tuple[Any, ...]]:
    rows = model.objects.filter(**{"task" if model is Topic else "collection__tasks": task})
    names = ("number" if model is Topic else "docno", "fields", "image", "more_images")
    return list(rows.order_by("pk").values_list(*names))


@pytest.mark.whole
def test_downloaded_documents_are_those_of_the_import(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are read back from several zips into a second task: the same texts, and pictures byte for byte."""
    monkeypatch.setattr(collection_files, "PART", 2)
    monkeypatch.setattr("evaluation.collections.pages.PART", 2)
    task, second = make_task(phase=Phase.OPEN), make_task()
    add_import(try_import(task, ImportKind.COLLECTION, zip_of({"c.jsonl": CAPTIONS, **PICTURES})))
    Collection.objects.update(is_shared=True)
    member = signed_in(make_team_member(make_team(task.track)))
    assert body(member.get(address(task, "docnos_file"))).decode().split() == sorted(
        ["D1", DOCNO, "D3", "D4", "a/2"], key=str.encode
    )
    add_import(try_import(second, ImportKind.COLLECTION, body(member.get(address(task, "documents_file")))))
    got: dict[str, bytes] = {}
    for number in (1, 2, 3):
        packed = body(member.get(address(task, "documents_zip", number)))
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            got |= {name: archive.read(name) for name in archive.namelist() if name != "documents.jsonl"}
        tried = try_import(second, ImportKind.COLLECTION, packed)
        assert codes_of(tried) == {}
        add_import(tried)
    assert got == {
        "D1.jpg": PICTURES["one.jpg"],
        "a%2Fb%C3%BCc.png": PICTURES["two.png"],
        "D3.webp": PICTURES["three.webp"],
        "a%2F2.webp": PICTURES["three.webp"],
        "a%2F2+2.jpg": PICTURES["one.jpg"],
        "a%2F2+3.png": PICTURES["two.png"],
    }
    assert sorted(items(second, Document)) == sorted(items(task, Document))
    assert member.get(address(task, "documents_zip", 9)).status_code == 404
    assert member.get(address(task, "documents_zip", 0)).status_code == 404


def test_topics_with_pictures_are_downloaded_as_imported() -> None:
    task, second = make_task(phase=Phase.OPEN), make_task()
    texts = b"""{"id": "T1", "title": "Like this", "image": ["one.jpg", "two.png"]}
{"id": "T2", "title": "Words"}"""
    sent = zip_of({"topics.jsonl": texts, "one.jpg": PICTURES["one.jpg"], "two.png": PICTURES["two.png"]})
    add_import(try_import(task, ImportKind.TOPICS, sent))
    make_topic(task, number="T9", image=make_image(), state="draft")
    packed = body(signed_in(make_assessor(task.track)).get(address(task, "topics_zip")))
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.namelist() == ["T1.jpg", "T1+2.png", "topics.jsonl"]
        assert archive.read("T1.jpg") == PICTURES["one.jpg"]
    add_import(try_import(second, ImportKind.TOPICS, packed))
    assert items(second, Topic) == items(task, Topic)[:1]
    Topic.objects.filter(number="T1").delete()
    assert Client().get(address(task, "topics_zip")).status_code == 404


def test_documents_that_are_not_shared_are_absent_even_after_the_release() -> None:
    """Who gets shared ones, and the docnos, is in the table of permissions."""
    task = make_task(phase=Phase.RELEASED)
    make_document(task.collection, image=make_image())
    for client in (signed_in(make_organizer(task.track)), Client()):
        assert client.get(address(task, "docnos_file")).status_code == 200
        assert client.get(address(task, "documents_file")).status_code == 404
        assert client.get(address(task, "documents_zip", 1)).status_code == 404


def test_pages_link_to_what_is_shared(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    make_document(task.collection, image=make_image())
    make_topic(task, image=make_image())
    client.force_login(make_team_member(make_team(task.track)))
    pages = [address(task, "task_detail"), address(task, "topic_list")]
    links = [address(task, "documents_file"), address(task, "documents_zip", 1), "https://example.org/photos"]
    for page in pages:
        shown = client.get(page).content.decode()
        assert address(task, "docnos_file") in shown
        assert not any(link in shown for link in links)
    Collection.objects.update(is_shared=True, address="https://example.org/photos")
    assert all(link in client.get(page).content.decode() for page in pages for link in links)
    assert address(task, "topics_zip") in client.get(pages[1]).content.decode()
    assert address(task, "docnos_file") not in Client().get(pages[0]).content.decode()


def test_documents_are_asked_about_and_told_where_the_licence_is_asked(client: Client) -> None:
    task = make_task(phase=Phase.OPEN, document_count=2)
    client.force_login(make_organizer(task.track))
    page = address(task, "setup_guidelines")
    asked = client.get(page).content.decode()
    assert 'name="licence"' in asked
    assert 'name="documents-is_shared"' in asked
    assert "2 documents, of which only the docnos can be downloaded" in asked
    sent = {"licence": "CC BY 4.0", "documents-opened": "", "documents-is_shared": "on"}
    refused = client.post(page, sent | {"documents-address": "javascript:alert(1)"}).content.decode()
    assert "Enter a valid URL" in refused
    assert 'value="CC BY 4.0"' in refused
    assert "2 documents, of which only the docnos can be downloaded" in refused
    saved = client.post(page, sent | {"documents-address": "https://example.org/photos"}, follow=True)
    assert "2 documents, whose texts and pictures can be downloaded" in saved.content.decode()
    assert f'href="{page}#sharing"' in client.get(address(task, "setup_release")).content.decode()
    task.collection.refresh_from_db()
    assert (task.collection.is_shared, task.collection.address) == (True, "https://example.org/photos")
    task.track.refresh_from_db()
    assert task.track.licence == "CC BY 4.0"
    client.post(page, {"licence": "CC0"})  # without the question nothing changes in its answer
    task.collection.refresh_from_db()
    assert task.collection.is_shared


def test_zip_is_streamed_without_keeping_its_pictures_in_memory() -> None:
    """60 pictures of 1 MB: less than 8 MB at a time."""
    content = bytes(1_000_000)
    blob = make_blob(b"\xff\xd8" + content)
    tracemalloc.start()
    size = sum(map(len, pictures_zip((({"id": f"D{n}"}, [blob.pk]) for n in range(60)), "documents.jsonl")))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size > 60_000_000
    assert peak < 8_000_000


def test_missing_picture_breaks_the_download_off() -> None:
    with pytest.raises(FileNotFoundError):
        list(pictures_zip([({"id": "D1"}, ["0" * 64])], "documents.jsonl"))
