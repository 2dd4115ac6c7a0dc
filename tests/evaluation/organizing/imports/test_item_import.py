"""Imports of topics and documents: checked without storing anything, stored after confirmation; a fault
stops no other row.
"""

import hashlib
import io
import json
from collections.abc import Iterable, Iterator

import polars as pl
import pytest
from django.db.models.functions import Now
from PIL import Image as Picture

from evaluation.models import (
    Document,
    Image,
    ImportKind,
    ImportState,
    TaskKind,
    Topic,
)
from evaluation.organizing.imports.actions import choose_fields
from tests.evaluation.organizing.imports.importing import add_import, codes_of, run_queued, try_import, zip_of
from tests.factories import make_document, make_task, make_topic
from trackside.imports.fields import FieldChoice

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sandbox_threads")]


def _picture(shade: int, form: str = "PNG") -> bytes:
    with io.BytesIO() as file:
        Picture.new("RGBA" if form == "PNG" else "RGB", (40, 30), (shade, 0, 0)).save(file, form)
        return file.getvalue()


def test_topics_are_tried_without_being_stored_and_added_once_confirmed() -> None:
    task = make_task()
    make_topic(task, number="T1", fields=[["title", "Old"]])
    make_topic(task, number="T2", fields=[["title", "Same"]])
    content = b"id,title,note\nT1,New,\nT2,Same,\nT3,Fresh,Mind the ice.\nT 4,x,\n"
    tried = try_import(task, ImportKind.TOPICS, content, state="draft")
    assert tried.counts == {"added": 1, "changed": 1, "same": 1, "refused": 1}
    assert codes_of(tried) == {"name_not_one_word": 1}
    assert task.topics.get(number="T1").fields == [["title", "Old"]]
    done = add_import(tried)
    assert (done.state, done.counts) == (ImportState.DONE, tried.counts)
    stored = {
        topic.number: (topic.fields, topic.note, topic.state) for topic in Topic.objects.filter(task=task)
    }
    assert stored == {
        "T1": ([["title", "New"]], "", "active"),
        "T2": ([["title", "Same"]], "", "active"),
        "T3": ([["title", "Fresh"]], "Mind the ice.", "draft"),
    }


def test_a_folder_becomes_documents_with_images_and_a_bad_image_is_not_fatal() -> None:
    task = make_task()
    captions = "".join(json.dumps({"docno": name, "caption": f"{name} é"}) + "\n" for name in ("a", "b", "c"))
    tried = try_import(
        task,
        ImportKind.COLLECTION,
        zip_of({"c.jsonl": captions.encode(), "i/a.png": _picture(1), "i/b.png": b"no picture"}),
    )
    assert (tried.counts, codes_of(tried)) == (
        {"added": 3, "changed": 0, "same": 0, "refused": 0},
        {"image_unreadable": 1},
    )
    assert not Image.objects.exists()
    add_import(tried)
    stored = {each.docno: each for each in Document.objects.filter(collection=task.collection)}
    assert stored["b"].fields == [["caption", "b é"]]
    assert [docno for docno, each in stored.items() if each.image] == ["a"]
    image = stored["a"].image
    assert image is not None
    assert {image.display.pk, image.small.pk, image.thumbnail.pk} & {image.original.pk} == set()


def test_a_second_import_changes_what_differs_and_keeps_images_it_leaves_out() -> None:
    task = make_task()
    add_import(
        try_import(
            task, ImportKind.COLLECTION, zip_of({"a.png": _picture(1), "b.webp": _picture(20, "WEBP")})
        )
    )
    again = try_import(
        task, ImportKind.COLLECTION, zip_of({"a.png": _picture(1), "b.webp": _picture(200, "WEBP")})
    )
    assert again.counts == {"added": 0, "changed": 1, "same": 1, "refused": 0}
    add_import(try_import(task, ImportKind.COLLECTION, b'{"id": "a", "caption": "A"}\n'))
    document = Document.objects.get(collection=task.collection, docno="a")
    assert document.fields == [["caption", "A"]]
    assert document.image is not None


def test_image_topics_come_in_a_zip_with_or_without_texts() -> None:
    """Topics of image promotion are pictures, for which sections are retrieved."""
    task = make_task(kind=TaskKind.IMAGE_TO_TEXT)
    texts = b'{"id": "T1", "title": "Tarn", "image": "a.png"}\n{"id": "T2", "title": "Fjord"}\n'
    tried = try_import(task, ImportKind.TOPICS, zip_of({"topics.jsonl": texts, "a.png": _picture(1)}))
    assert (tried.counts, codes_of(tried)) == ({"added": 2, "changed": 0, "same": 0, "refused": 0}, {})
    assert not Image.objects.exists()
    add_import(tried)
    add_import(try_import(task, ImportKind.TOPICS, zip_of({"T3.webp": _picture(9, "WEBP")}), state="draft"))
    stored = {each.number: (each.fields, bool(each.image), each.state) for each in task.topics.all()}
    assert stored == {
        "T1": ([["title", "Tarn"]], True, "active"),
        "T2": ([["title", "Fjord"]], False, "active"),
        "T3": ([], True, "draft"),
    }


JSON_LINES = b"""{"id": "a", "image": ["i/1.png", "2.webp", "i/1.png"]}
{"id": "b", "image": ["2.webp", "lost.png"], "caption": "B"}
{"id": "c", "image": ["2.webp", "3.png"], "caption": "C"}
{"id": "d", "image": ["lost.png", "gone.png"], "caption": "D"}
"""
TABLE = b"""id,image,caption
a,"[""i/1.png"", ""2.webp"", ""i/1.png""]",
b,"[""2.webp"", ""lost.png""]",B
c,"[""2.webp"", ""3.png""]",C
d,"[""lost.png"", ""gone.png""]",D
"""


def _parquet() -> bytes:
    def part(content: bytes | None, path: str) -> dict[str, object]:
        return {"bytes": content, "path": path}

    red, blue = part(_picture(1), "i/1.png"), part(_picture(20, "WEBP"), "2.webp")
    lost, gone = part(None, "lost.png"), part(None, "gone.png")
    images = [[red, blue, red], [blue, lost], [blue, part(b"no picture", "3.png")], [lost, gone]]
    with io.BytesIO() as file:
        table = {"id": list("abcd"), "images": images, "caption": [None, "B", "C", "D"]}
        pl.DataFrame(table).write_parquet(file)
        return file.getvalue()


@pytest.mark.parametrize("kind", [ImportKind.TOPICS, ImportKind.COLLECTION])
@pytest.mark.parametrize("form", ["items.jsonl", "items.csv", "items.parquet"])
def test_items_have_several_images_in_order_and_a_record_without_all_of_them_is_refused(
    form: str, kind: ImportKind
) -> None:
    """An item with some of its pictures would be judged as if it were whole."""
    task = make_task()
    pictures = {"i/1.png": _picture(1), "2.webp": _picture(20, "WEBP"), "3.png": b"no picture"}
    lists = {"items.jsonl": JSON_LINES, "items.csv": TABLE}
    files = {form: lists[form], **pictures} if form in lists else {form: _parquet()}
    tried = try_import(task, kind, zip_of(files))
    assert tried.counts == {"added": 2, "changed": 0, "same": 0, "refused": 2}
    assert codes_of(tried) == {"images_incomplete": 2, "image_missing": 2}
    told = {each["value"] for fault in tried.faults for each in fault["examples"]}
    assert {"lost.png", "gone.png"} < told
    assert any(value.startswith("image 2: ") for value in told)
    add_import(tried)
    items = task.topics if kind == ImportKind.TOPICS else Document.objects.filter(collection=task.collection)
    one, other = items.order_by("pk")
    red, blue = (hashlib.sha256(pictures[name]).hexdigest() for name in ("i/1.png", "2.webp"))
    assert [image.sha256 for image in one.images] == [red, blue, red]
    assert (other.images, other.fields) == ([], [["caption", "D"]])


def test_an_import_replaces_all_images_of_an_item_or_keeps_all() -> None:
    task, kind = make_task(), ImportKind.COLLECTION
    pictures = {f"{shade}.png": _picture(shade) for shade in (1, 2, 3)}

    def add(names: list[str], **more: str) -> tuple[dict[str, int], list[str]]:
        record = {"id": "a", **({"image": names} if names else {}), **more}
        done = add_import(
            try_import(task, kind, zip_of({"a.jsonl": json.dumps(record).encode(), **pictures}))
        )
        document = Document.objects.get(collection=task.collection, docno="a")
        by_key = {hashlib.sha256(content).hexdigest(): name for name, content in pictures.items()}
        counts = {name: count for name, count in (done.counts or {}).items() if count}
        return counts, [by_key[image.sha256] for image in document.images]

    assert add(["1.png", "2.png", "3.png"]) == ({"added": 1}, ["1.png", "2.png", "3.png"])
    assert add(["1.png", "3.png", "2.png"]) == ({"changed": 1}, ["1.png", "3.png", "2.png"])
    assert add(["1.png", "3.png", "2.png"]) == ({"same": 1}, ["1.png", "3.png", "2.png"])
    assert add([], caption="A") == ({"changed": 1}, ["1.png", "3.png", "2.png"])
    assert add(["2.png"]) == ({"changed": 1}, ["2.png"])
    Document.objects.update(frozen_at=Now())
    tried = try_import(
        task, kind, zip_of({"a.jsonl": b'{"id": "a", "image": ["2.png", "1.png"]}', **pictures})
    )
    assert codes_of(tried) == {"frozen": 1, "image_unused": 1}


def test_a_record_of_more_images_than_a_page_can_show_is_refused() -> None:
    names = json.dumps({"id": "a", "image": ["1.png"] * 101}).encode()
    tried = try_import(make_task(), ImportKind.COLLECTION, zip_of({"a.jsonl": names, "1.png": _picture(1)}))
    assert codes_of(tried) == {"many_images": 1}


@pytest.mark.parametrize("kind", [ImportKind.TOPICS, ImportKind.COLLECTION])
def test_record_of_an_unreadable_image_alone_is_refused(kind: ImportKind) -> None:
    """The database refuses a topic without content; a document without content would be graded."""
    tried = try_import(make_task(), kind, zip_of({"a.png": b"no picture", "b.png": _picture(3)}))
    assert tried.counts == {"added": 1, "changed": 0, "same": 0, "refused": 1}
    assert codes_of(tried) == {"image_unreadable": 1, "empty": 1}
    add_import(tried)


def test_names_that_come_twice_are_refused_with_their_lines_and_the_first_is_kept() -> None:
    task = make_task(topic_count=1)
    lines = [{"id": f"d{number % 9}", "text": f"line {number + 1}"} for number in range(16)]
    tried = try_import(
        task, ImportKind.COLLECTION, "".join(json.dumps(each) + "\n" for each in lines).encode()
    )
    assert tried.counts == {"added": 9, "changed": 0, "same": 0, "refused": 7}
    (fault,) = tried.faults
    assert (fault["code"], fault["count"]) == ("name_twice", 7)
    # Lines 10 to 16 repeat the names of lines 1 to 7; the first five are shown.
    shown = [(each["place"], each["value"]) for each in fault["examples"]]
    assert shown == [(f"line {number + 10}", f"id: d{number}") for number in range(5)]
    add_import(tried)
    stored = Document.objects.filter(collection=task.collection).order_by("docno")
    assert [each.text_of() for each in stored] == [f"line {number + 1}" for number in range(9)]


ODD = 'back\\slash "quoted" \\N \\. \ttab \nnext line \r\u2028 \x01 \x7f ä 東京 \U0001f600'


def test_odd_characters_are_stored_as_they_are() -> None:
    r"""COPY gives a meaning to \, tab, line ends, \N and \.; none may reach a text."""
    task = make_task(kind=TaskKind.TEXT_TO_IMAGE)
    names = ["\\N", "\\.", "a\\tb", 'q"q', "ä"]
    lines = [{"id": name, ODD: ODD, "note": ODD} for name in names]
    content = "".join(json.dumps(each) + "\n" for each in lines).encode()
    tried = try_import(task, ImportKind.TOPICS, content)
    choose_fields(task_import=tried, choice=FieldChoice(texts=(ODD,)), by=tried.received_by)
    add_import(run_queued(tried))
    stored = {topic.number: (topic.fields, topic.note) for topic in task.topics.all()}
    assert stored == {name: ([[ODD, ODD]], ODD) for name in names}


@pytest.mark.parametrize("block_count", [1, 8192])
def test_statements_of_any_size_store_every_row_once(
    block_count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.organizing.imports.adding_items.BLOCKS", block_count)
    task = make_task(topic_count=1)
    known = make_document(task.collection, docno="d0000007", fields=[["text", "known"]])
    lines = "".join(f"d{number:07d}\t{number} {'x' * 300}\n" for number in range(200))  # some 9 blocks
    done = add_import(try_import(task, ImportKind.COLLECTION, f"docno\ttext\n{lines}".encode()))
    assert done.counts == {"added": 199, "changed": 1, "same": 0, "refused": 0}
    stored = dict(task.collection.documents.values_list("docno", "fields"))
    assert stored == {f"d{each:07d}": [["text", f"{each} {'x' * 300}"]] for each in range(200)}
    known.refresh_from_db()
    assert known.version == 2


def test_frozen_records_are_refused_with_their_lines() -> None:
    task = make_task(topic_count=1)
    make_document(task.collection, docno="b", fields=[["text", "old"]])
    Document.objects.update(frozen_at=Now())
    tried = try_import(task, ImportKind.COLLECTION, b"docno,text\na,new\nb,new\n")
    assert tried.counts == {"added": 1, "changed": 0, "same": 0, "refused": 1}
    assert [(each["code"], each["examples"]) for each in tried.faults] == [
        ("frozen", [{"place": "line 3", "value": "b"}])
    ]
    add_import(tried)
    assert Document.objects.get(docno="b").fields == [["text", "old"]]


def test_topics_of_a_table_without_a_header_are_all_imported_or_none() -> None:
    task = make_task()
    content = b"101\twhat is tarn\n102\tfjord\n"
    refused = try_import(task, ImportKind.TOPICS, content)
    assert refused.state == ImportState.FAILED
    assert "not a header" in refused.error
    add_import(try_import(task, ImportKind.TOPICS, content, columns="id title"))
    assert sorted(task.topics.values_list("number", flat=True)) == ["101", "102"]


def test_docnos_alone_are_documents_that_runs_are_checked_against() -> None:
    task = make_task(topic_count=1)
    make_document(task.collection, docno="d1")
    done = add_import(try_import(task, ImportKind.DOCNOS, b"d2\nd3\n"))
    assert done.counts == {"added": 2, "changed": 0, "same": 0, "refused": 0}
    assert sorted(task.collection.documents.values_list("docno", flat=True)) == ["d1", "d2", "d3"]


def test_pictures_are_counted_while_they_are_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Captions are short: 5,000 pictures take minutes and would be one batch by their text."""
    task = make_task()
    pictures = {f"D{shade}.png": _picture(shade) for shade in range(120)}
    batches: list[int] = []

    def noted(things: Iterable[tuple[int, bytes]], **_options: object) -> Iterator[tuple[int, bytes]]:
        for thing in things:
            batches.append(thing[0])
            yield thing

    monkeypatch.setattr("evaluation.organizing.imports.adding_items.note_progress", noted)
    tried = try_import(task, ImportKind.COLLECTION, zip_of(pictures))
    assert tried.counts == {"added": 120, "changed": 0, "same": 0, "refused": 0}
    assert batches == [50, 50, 20]
