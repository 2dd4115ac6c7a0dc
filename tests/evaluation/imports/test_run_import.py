"""Imports: checked without storing anything, stored after confirmation; a fault stops no other row."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.base import ContentFile
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models.functions import Now
from PIL import Image as Picture

from evaluation.imports.actions import ImportNotTried, confirm_import, receive_import, run_import
from evaluation.models import (
    Archiving,
    Document,
    Image,
    Import,
    ImportKind,
    ImportState,
    Qrels,
    Run,
    TaskKind,
    Topic,
)
from evaluation.work.queueing import work_off
from tests.factories import make_document, make_organizer, make_task, make_team, make_topic

if TYPE_CHECKING:
    from evaluation.models import Task, Team

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sandbox_threads")]


def _import(
    task: Task,
    holds: ImportKind,
    content: bytes,
    team: Team | None = None,
    **options: str,
) -> Import:
    made = receive_import(
        task=task,
        kind=holds,
        file=ContentFile(content, "brought.file"),
        by=make_organizer(task.track),
        team=team,
        options=options,
    )
    return _run(made)


def _run(queued: Import) -> Import:
    assert work_off(Import, lambda row: run_import(task_import=row), worker="test") == 1
    queued.refresh_from_db()
    return queued


def _add(tried: Import) -> Import:
    assert tried.state == ImportState.TRIED, tried.error
    confirm_import(task_import=tried, by=tried.received_by)
    return _run(tried)


def _picture(shade: int, form: str = "PNG") -> bytes:
    with io.BytesIO() as file:
        Picture.new("RGBA" if form == "PNG" else "RGB", (40, 30), (shade, 0, 0)).save(file, form)
        return file.getvalue()


def _zip(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def _codes(found: Import) -> dict[str, int]:
    return {fault["code"]: fault["count"] for fault in found.faults}


def test_topics_are_tried_without_being_stored_and_added_once_confirmed() -> None:
    task = make_task()
    make_topic(task, number="T1", fields=[["title", "Old"]])
    make_topic(task, number="T2", fields=[["title", "Same"]])
    content = b"id,title,note\nT1,New,\nT2,Same,\nT3,Fresh,Mind the ice.\nT 4,x,\n"
    tried = _import(task, ImportKind.TOPICS, content, state="draft")
    assert tried.counts == {"added": 1, "changed": 1, "same": 1, "refused": 1}
    assert _codes(tried) == {"name_not_one_word": 1}
    assert task.topics.get(number="T1").fields == [["title", "Old"]]
    done = _add(tried)
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
    tried = _import(
        task,
        ImportKind.COLLECTION,
        _zip({"c.jsonl": captions.encode(), "i/a.png": _picture(1), "i/b.png": b"no picture"}),
    )
    assert (tried.counts, _codes(tried)) == (
        {"added": 3, "changed": 0, "same": 0, "refused": 0},
        {"image_unreadable": 1},
    )
    assert not Image.objects.exists()
    _add(tried)
    stored = {each.docno: each for each in Document.objects.filter(collection=task.collection)}
    assert stored["b"].fields == [["caption", "b é"]]
    assert [docno for docno, each in stored.items() if each.image] == ["a"]
    image = stored["a"].image
    assert image is not None
    assert {image.display.pk, image.small.pk, image.thumbnail.pk} & {image.original.pk} == set()


def test_a_second_import_changes_what_differs_and_keeps_images_it_leaves_out() -> None:
    task = make_task()
    _add(_import(task, ImportKind.COLLECTION, _zip({"a.png": _picture(1), "b.webp": _picture(20, "WEBP")})))
    again = _import(
        task, ImportKind.COLLECTION, _zip({"a.png": _picture(1), "b.webp": _picture(200, "WEBP")})
    )
    assert again.counts == {"added": 0, "changed": 1, "same": 1, "refused": 0}
    _add(_import(task, ImportKind.COLLECTION, b'{"id": "a", "caption": "A"}\n'))
    document = Document.objects.get(collection=task.collection, docno="a")
    assert document.fields == [["caption", "A"]]
    assert document.image is not None


def test_image_topics_come_in_a_zip_with_or_without_texts() -> None:
    """Topics of image promotion are pictures, for which sections are retrieved."""
    task = make_task(kind=TaskKind.IMAGE_TO_TEXT)
    texts = b'{"id": "T1", "title": "Tarn", "image": "a.png"}\n{"id": "T2", "title": "Fjord"}\n'
    tried = _import(task, ImportKind.TOPICS, _zip({"topics.jsonl": texts, "a.png": _picture(1)}))
    assert (tried.counts, _codes(tried)) == ({"added": 2, "changed": 0, "same": 0, "refused": 0}, {})
    assert not Image.objects.exists()
    _add(tried)
    _add(_import(task, ImportKind.TOPICS, _zip({"T3.webp": _picture(9, "WEBP")}), state="draft"))
    stored = {each.number: (each.fields, bool(each.image), each.state) for each in task.topics.all()}
    assert stored == {
        "T1": ([["title", "Tarn"]], True, "active"),
        "T2": ([["title", "Fjord"]], False, "active"),
        "T3": ([], True, "draft"),
    }


@pytest.mark.parametrize("kind", [ImportKind.TOPICS, ImportKind.COLLECTION])
def test_record_of_an_unreadable_image_alone_is_refused(kind: ImportKind) -> None:
    """The database refuses a topic without content; a document without content would be graded."""
    tried = _import(make_task(), kind, _zip({"a.png": b"no picture", "b.png": _picture(3)}))
    assert tried.counts == {"added": 1, "changed": 0, "same": 0, "refused": 1}
    assert _codes(tried) == {"image_unreadable": 1, "empty": 1}
    _add(tried)


def test_names_that_come_twice_are_refused_with_their_lines_and_the_first_is_kept() -> None:
    task = make_task(topic_count=1)
    lines = [{"id": f"d{number % 9}", "text": f"line {number + 1}"} for number in range(16)]
    tried = _import(task, ImportKind.COLLECTION, "".join(json.dumps(each) + "\n" for each in lines).encode())
    assert tried.counts == {"added": 9, "changed": 0, "same": 0, "refused": 7}
    (fault,) = tried.faults
    assert (fault["code"], fault["count"]) == ("name_twice", 7)
    # Lines 10 to 16 repeat the names of lines 1 to 7; the first five are shown.
    shown = [(each["place"], each["value"]) for each in fault["examples"]]
    assert shown == [(f"line {number + 10}", f"d{number}") for number in range(5)]
    _add(tried)
    stored = Document.objects.filter(collection=task.collection).order_by("docno")
    assert [each.text_of() for each in stored] == [f"line {number + 1}" for number in range(9)]


ODD = 'back\\slash "quoted" \\N \\. \ttab \nnext line \r\u2028 \x01 \x7f ä 東京 \U0001f600'


def test_odd_characters_are_stored_as_they_are() -> None:
    r"""COPY gives a meaning to \, tab, line ends, \N and \.; none may reach a text."""
    task = make_task(kind=TaskKind.TEXT_TO_IMAGE)
    names = ["\\N", "\\.", "a\\tb", 'q"q', "ä"]
    lines = [{"id": name, ODD: ODD, "note": ODD} for name in names]
    content = "".join(json.dumps(each) + "\n" for each in lines).encode()
    _add(_import(task, ImportKind.TOPICS, content))
    stored = {topic.number: (topic.fields, topic.note) for topic in task.topics.all()}
    assert stored == {name: ([[ODD, ODD]], ODD) for name in names}


@pytest.mark.parametrize("block_count", [1, 8192])
def test_statements_of_any_size_store_every_row_once(
    block_count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.imports.adding_items.BLOCKS", block_count)
    task = make_task(topic_count=1)
    known = make_document(task.collection, docno="d0000007", fields=[["text", "known"]])
    lines = "".join(f"d{number:07d}\t{number} {'x' * 300}\n" for number in range(200))  # some 9 blocks
    done = _add(_import(task, ImportKind.COLLECTION, f"docno\ttext\n{lines}".encode()))
    assert done.counts == {"added": 199, "changed": 1, "same": 0, "refused": 0}
    stored = dict(task.collection.documents.values_list("docno", "fields"))
    assert stored == {f"d{each:07d}": [["text", f"{each} {'x' * 300}"]] for each in range(200)}
    known.refresh_from_db()
    assert known.version == 2


def test_frozen_records_are_refused_with_their_lines() -> None:
    task = make_task(topic_count=1)
    make_document(task.collection, docno="b", fields=[["text", "old"]])
    Document.objects.update(frozen_at=Now())
    tried = _import(task, ImportKind.COLLECTION, b"docno,text\na,new\nb,new\n")
    assert tried.counts == {"added": 1, "changed": 0, "same": 0, "refused": 1}
    assert [(each["code"], each["examples"]) for each in tried.faults] == [
        ("frozen", [{"place": "line 3", "value": "b"}])
    ]
    _add(tried)
    assert Document.objects.get(docno="b").fields == [["text", "old"]]


def test_topics_of_a_table_without_a_header_are_all_imported_or_none() -> None:
    task = make_task()
    content = b"101\twhat is tarn\n102\tfjord\n"
    refused = _import(task, ImportKind.TOPICS, content)
    assert refused.state == ImportState.FAILED
    assert "not a header" in refused.error
    _add(_import(task, ImportKind.TOPICS, content, columns="id title"))
    assert sorted(task.topics.values_list("number", flat=True)) == ["101", "102"]


def test_docnos_alone_are_documents_that_runs_are_checked_against() -> None:
    task = make_task(topic_count=1)
    make_document(task.collection, docno="d1")
    done = _add(_import(task, ImportKind.DOCNOS, b"d2\nd3\n"))
    assert done.counts == {"added": 2, "changed": 0, "same": 0, "refused": 0}
    assert sorted(task.collection.documents.values_list("docno", flat=True)) == ["d1", "d2", "d3"]


@pytest.mark.whole
def test_baselines_are_uploads_of_their_team_each_with_a_verdict() -> None:
    task = make_task(topic_count=1, document_count=2)
    team = make_team(task.track, is_baseline=True)
    files = {
        "bm25.run": b"T1 Q0 D1 1 2 bm25\n",
        "twin.run": b"T1 Q0 D2 1 2 bm25\n",
        "bad.run": b"T1 Q0 D9 1 2 bad\n",
    }
    tried = _import(task, ImportKind.RUNS, _zip(files), team)
    assert (tried.counts, Run.objects.count()) == ({"added": 1, "changed": 0, "same": 0, "refused": 2}, 0)
    assert _codes(tried) == {"tag_twice": 1, "run_rejected": 1}
    done = _add(_import(task, ImportKind.RUNS, _zip({**files, "twin.run": b"T1 Q0 D2 1 2 dense\n"}), team))
    assert done.counts == {"added": 2, "changed": 0, "same": 0, "refused": 1}
    assert _codes(done) == {"run_rejected": 1}
    assert sorted(Run.objects.accepted().values_list("tag", "team")) == [
        ("bm25", team.pk),
        ("dense", team.pk),
    ]
    again = _import(task, ImportKind.RUNS, _zip({"bm25.run": files["bm25.run"]}), team)
    assert again.counts == {"added": 0, "changed": 0, "same": 1, "refused": 0}


def test_qrels_are_published_with_their_file_as_provenance() -> None:
    task = make_task(topic_count=1, document_count=2)
    content = b"T1 0 D1 2\nT1 0 D2 -1\nT1 0 D7 0\nT9 0 D1 1\n"
    tried = _import(task, ImportKind.QRELS, content, name="nist", kind="human", source="TREC 2024")
    assert (tried.counts, Qrels.objects.count()) == ({"added": 3, "changed": 0, "same": 0, "refused": 1}, 0)
    assert _codes(tried) == {"topic_unknown": 1, "docno_unknown": 1}
    _add(tried)
    qrels = Qrels.objects.get()
    assert (qrels.name, qrels.kind, qrels.graded_count, qrels.pair_count) == ("nist", "human", 2, 3)
    assert qrels.provenance["file_sha256"] == tried.upload_id
    assert qrels.provenance["source"] == "TREC 2024"
    assert qrels.created_by == tried.received_by


@pytest.mark.parametrize(
    ("kind", "content", "words"),
    [
        (ImportKind.TOPICS, b"", "empty"),
        (ImportKind.COLLECTION, b"PK\3\4rubbish", "not a zip archive"),
        (ImportKind.QRELS, b"T1 0 D1\n", "line 1"),
        (ImportKind.QRELS, b"T9 0 D1 1\n", "Import its topics first"),
        (ImportKind.DOCNOS, "d1\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_a_file_that_cannot_be_read_fails_with_the_reason(
    kind: ImportKind, content: bytes, words: str
) -> None:
    found = _import(make_task(topic_count=1), kind, content, name="q")
    assert found.state == ImportState.FAILED
    assert words in found.error
    with pytest.raises(ImportNotTried):
        confirm_import(task_import=found, by=found.received_by)


def test_what_the_database_refuses_fails_and_is_logged(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    def refuse(**_: Any) -> dict[str, int]:
        raise DatabaseError("no room")

    monkeypatch.setitem(run_import.__globals__["IMPORTERS"], ImportKind.TOPICS, refuse)
    found = _import(make_task(), ImportKind.TOPICS, b"id,t\nT1,x\n")
    assert (found.state, found.error) == (
        ImportState.FAILED,
        "The database rejected it; see the site's log.",
    )
    assert "no room" in caplog.text


def test_imports_stay_as_records() -> None:
    made = _import(make_task(), ImportKind.DOCNOS, b"d\n")
    for change in (lambda: Import.objects.update(file_name="other"), lambda: made.delete()):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
    with pytest.raises(IntegrityError), transaction.atomic():
        Import.objects.update(state=ImportState.DONE)  # nobody confirmed it


@pytest.mark.parametrize("is_confirmed", [False, True])
@pytest.mark.parametrize(("is_archived", "words"), [(False, "no longer organizes"), (True, "is archived")])
def test_import_fails_if_its_person_may_not_change_the_task_any_more(
    is_confirmed: bool, is_archived: bool, words: str
) -> None:
    task = make_task()
    file = ContentFile(b"id,title\nT1,New\n", "topics.csv")
    by = make_organizer(task.track)
    found = receive_import(task=task, kind=ImportKind.TOPICS, file=file, by=by, options={"state": "draft"})
    if is_confirmed:
        by = make_organizer(task.track)
        confirm_import(task_import=_run(found), by=by)
    if is_archived:
        Archiving.objects.create(track=task.track, archived_by=by)
    else:
        by.memberships.all().delete()
    found = _run(found)
    assert found.state == ImportState.FAILED
    assert words in found.error
    assert not Topic.objects.exists()


def test_import_that_another_organizer_confirms_is_that_person_s() -> None:
    task = make_task()
    tried = _import(task, ImportKind.TOPICS, b"id,title\nT1,New\n", state="draft")
    tried.received_by.memberships.all().delete()
    confirm_import(task_import=tried, by=make_organizer(task.track))
    assert _run(tried).state == ImportState.DONE
