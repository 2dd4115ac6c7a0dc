"""The trial of topics and documents: the first records, the fields, and the organizer's choice of them."""

import io
import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image as Picture

from evaluation import tasks
from evaluation.collections.chosen_fields import ChosenFields
from evaluation.models import Document, Import, ImportKind, ImportState, Task, Topic
from evaluation.organizing.imports.actions import confirm_import
from evaluation.organizing.imports.forms import why_waiting
from evaluation.tracks.work.queueing import claim_work, end_work
from evaluation.tracks.work.sandbox import LimitReached
from tests.evaluation.organizing.imports.importing import add_import, codes_of, run_queued, try_import, zip_of
from tests.factories import make_organizer, make_task
from tests.marks import quick_only
from tests.refusals import refused
from trackside.sandbox.limits import Limits

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sandbox_threads")]

ROWS = [
    {"id": f"T{number}", "query": f"tarn {number}", "kind": "nav", "answer": f"gold {number}", "more": None}
    for number in range(7)
]
GOLD = "".join(json.dumps(row) + "\n" for row in ROWS).encode()


def _address(found: Import, page: str, *more: object) -> str:
    return reverse(page, args=[found.task.track.slug, found.task.slug, found.pk, *more])


def _signed_in(client: Client, found: Import) -> Client:
    client.force_login(found.received_by)
    return client


def test_trial_shows_five_records_and_the_share_of_filled_rows_of_each_field(client: Client) -> None:
    tried = try_import(make_task(), ImportKind.TOPICS, GOLD)
    assert [sample["name"] for sample in tried.samples] == ["T0", "T1", "T2", "T3", "T4"]
    assert tried.samples[0]["fields"] == [["query", "tarn 0"]]
    assert tried.samples[0]["left_out"] == [["kind", "nav"], ["answer", "gold 0"]]
    assert {field["name"]: (field["use"], field["share"]) for field in tried.fields} == {
        "id": ("id", 1.0),
        "query": ("text", 1.0),
        "kind": ("left out", 1.0),
        "more": ("left out", 0.0),
        "answer": ("left out", 1.0),
    }
    page = _signed_in(client, tried).get(_address(tried, "import_detail")).content.decode()
    assert ("tarn 4" in page, "tarn 5" in page, "gold 0" in page) == (True, False, False)
    assert "Left out:" in page
    words = " ".join(re.sub("<[^>]+>", "", page).split())
    assert "Shall assessors and models see kind? We do not know this name." in words
    assert page.index('id="fields"') < page.index('id="samples"')  # the question comes before the records
    assert ("such as: nav" in words, "Add the records without kind" in words) == (True, True)
    with refused("import-fields-undecided"):
        confirm_import(task_import=tried, by=tried.received_by)
    client.post(_address(tried, "import_confirm"), {"without": "kind"})
    run_queued(tried)
    assert ChosenFields.objects.get().choice["left_out"] == ["kind"]
    assert Topic.objects.get(number="T6").fields == [["query", "tarn 6"]]
    assert try_import(tried.task, ImportKind.TOPICS, GOLD).undecided == []  # decided once for all
    more = try_import(
        tried.task, ImportKind.TOPICS, GOLD.replace(b'"more"', b'"mood"').replace(b"null", b'"x"')
    )
    assert more.undecided == ["mood"]
    add_import(more)
    assert ChosenFields.objects.get().choice["left_out"] == ["kind", "mood"]


def test_organizer_chooses_the_uses_of_fields_and_the_next_import_begins_with_them(client: Client) -> None:
    task = make_task()
    tried = try_import(task, ImportKind.TOPICS, GOLD)
    numbers = {field["name"]: number for number, field in enumerate(tried.fields)}
    posted = {f"use-{numbers['kind']}": "stratum", f"use-{numbers['answer']}": "text"}
    posted |= {f"order-{numbers['answer']}": "1", f"order-{numbers['query']}": "2"}
    _signed_in(client, tried).post(_address(tried, "import_fields"), posted)
    again = run_queued(tried)
    assert again.samples[0]["fields"] == [["answer", "gold 0"], ["query", "tarn 0"]]
    page = client.get(_address(tried, "import_detail")).content.decode()
    assert ("We do not know" in page, "Add the records without" in page) == (False, False)
    add_import(again)
    assert Topic.objects.get(number="T6").stratum == "nav"
    following = try_import(task, ImportKind.TOPICS, GOLD.replace(b"T", b"U"))
    assert following.choice == again.choice
    assert following.samples[0]["stratum"] == "nav"
    assert not try_import(task, ImportKind.COLLECTION, GOLD).choice


UNNAMED = {
    "csv": b"code,title\nA1,tarn\nA2,fjord\n",
    "tsv": b"code\ttitle\nA1\ttarn\nA2\tfjord\n",
    "jsonl": b'{"code": "A1", "title": "tarn"}\n{"code": "A2", "title": "fjord"}\n',
    "json": b'[{"code": "A1", "title": "tarn"}, {"code": "A2", "title": "fjord"}]',
    "xml": b"<a><b><code>A1</code><title>tarn</title></b><b><code>A2</code><title>fjord</title></b></a>",
    "zip": zip_of({"rows.csv": b"code,title\nA1,tarn\nA2,fjord\n"}),
}


@pytest.mark.parametrize("kind", [ImportKind.TOPICS, ImportKind.COLLECTION])
@pytest.mark.parametrize("form", quick_only(UNNAMED, quick=["csv"]))
def test_id_of_an_unknown_name_is_chosen_after_the_trial(client: Client, form: str, kind: ImportKind) -> None:
    task = make_task()
    tried = try_import(task, kind, UNNAMED[form])
    assert (tried.state, tried.counts, codes_of(tried)) == (
        ImportState.TRIED,
        {"added": 0, "changed": 0, "same": 0, "refused": 2},
        {"no_name": 2},
    )
    question = "Which field is the id?"
    page = _signed_in(client, tried).get(_address(tried, "import_detail")).content.decode()
    assert question in page
    assert "Add them" not in page
    numbers = {field["name"]: place for place, field in enumerate(tried.fields)}
    client.post(_address(tried, "import_fields"), {f"use-{numbers['code']}": "id"})
    again = run_queued(tried)
    assert [(sample["name"], sample["fields"]) for sample in again.samples] == [
        ("A1", [["title", "tarn"]]),
        ("A2", [["title", "fjord"]]),
    ]
    page = client.get(_address(tried, "import_detail")).content.decode()
    assert question not in page
    assert "Add them" in page
    assert add_import(again).counts == {"added": 2, "changed": 0, "same": 0, "refused": 0}
    begun = try_import(task, kind, UNNAMED[form])  # with the confirmed choice
    assert begun.counts == {"added": 0, "changed": 0, "same": 2, "refused": 0}


def test_documents_have_neither_note_nor_stratum(client: Client) -> None:
    content = b'{"id": "D1", "text": "tarn", "note": "deep", "stratum": "alpine"}\n'
    tried = try_import(make_task(), ImportKind.COLLECTION, content)
    page = _signed_in(client, tried).get(_address(tried, "import_detail")).content.decode()
    assert page.count("<option selected>") == len(tried.fields) == 4
    assert page.count("<option >note") == page.count("<option >stratum") == 0
    add_import(tried)
    assert Document.objects.get().fields == [["text", "tarn"]]  # the organizer was asked about the others


def test_characters_that_cannot_be_stored_are_faults_wherever_they_stand() -> None:
    rows = [{"id": "T1", "query": "tarn", "answer": "a\0b"}, {"id": "T2", "query": "x\0"}]
    rows[1]["k\0\ud800"] = "fjord"
    tried = try_import(make_task(), ImportKind.TOPICS, "\n".join(map(json.dumps, rows)).encode())
    assert (tried.state, codes_of(tried)) == (ImportState.TRIED, {"not_text": 1})
    assert tried.samples[0]["left_out"] == [["answer", "a\u2400b"]]
    assert [field["name"] for field in tried.fields] == ["id", "query", "answer", "k\u2400?"]


def test_choice_of_two_ids_is_refused_with_their_names(client: Client) -> None:
    tried = try_import(make_task(), ImportKind.TOPICS, GOLD)
    number = next(place for place, field in enumerate(tried.fields) if field["name"] == "kind")
    page = _signed_in(client, tried).post(
        _address(tried, "import_fields"), {f"use-{number}": "id"}, follow=True
    )
    assert "id, kind: only one field can be the id" in page.content.decode()
    tried.refresh_from_db()
    assert (tried.state, tried.choice) == (ImportState.TRIED, {})


def test_pictures_of_the_first_records_are_shown_before_they_are_stored(client: Client) -> None:
    with io.BytesIO() as file:
        Picture.new("RGB", (400, 300), (9, 0, 0)).save(file, "PNG")
        content = zip_of({"metadata.csv": b"file_name,text\na.png,a mill\n", "a.png": file.getvalue()})
    tried = try_import(make_task(), ImportKind.COLLECTION, content)
    answer = _signed_in(client, tried).get(_address(tried, "import_sample", 0))
    with Picture.open(io.BytesIO(answer.content)) as shown:
        assert (answer.headers["Content-Type"], shown.size) == ("image/webp", (160, 120))
    assert client.get(_address(tried, "import_sample", 1)).status_code == 404
    done = add_import(tried)
    assert done.samples[0]["thumbnail"]


def test_failed_import_is_tried_again(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def stand_still(*_: object, **__: object) -> None:
        raise LimitReached("silence", Limits(1, 1, 60.0))

    with monkeypatch.context() as patch:
        patch.setattr("evaluation.organizing.imports.adding_items.read_rows", stand_still)
        failed = try_import(make_task(), ImportKind.TOPICS, GOLD)
    assert failed.state == ImportState.FAILED
    assert "The file is not the reason" in failed.error
    page = _address(failed, "import_retry")
    assert page in _signed_in(client, failed).get(_address(failed, "import_detail")).content.decode()
    client.post(page)
    again = run_queued(failed)
    assert (again.state, again.error, again.ended_at) == (ImportState.TRIED, "", None)
    refused = client.post(page, follow=True).content.decode()
    assert "Only a failed import can be tried again" in refused


def _waiting(client: Client, task: Task) -> Import:
    page = reverse("import_upload", args=[task.track.slug, task.slug, "topics"])
    client.post(page, {"file": SimpleUploadedFile("topics.jsonl", GOLD), "state": "active"})
    return Import.objects.latest("pk")


def test_waiting_import_says_what_it_waits_for(client: Client) -> None:
    task, other = make_task(), make_task()
    client.force_login(make_organizer(task.track))
    first = _waiting(client, task)
    assert why_waiting(first) == "for a worker"
    assert claim_work(Import, worker="a") == first
    second = _waiting(client, task)
    assert why_waiting(second).startswith("for the import topics.jsonl")
    page = client.get(_address(second, "import_detail"), headers={"HX-Request": "true"}).content.decode()
    assert "the imports of a task run one after another" in page
    first.refresh_from_db()
    assert why_waiting(first) == ""
    third = _waiting(client, make_task(task.track))  # of the same person and track, but another task
    claimed = claim_work(Import, worker="b")
    assert claimed == third
    end_work(claimed, state=ImportState.FAILED, error="no matter")
    client.force_login(make_organizer(other.track))
    assert why_waiting(_waiting(client, other)) == "for a worker", "it waits for no other task"
    tasks.run_imports()


SECTIONS = b'{"id": "S1", "title": "Tarn", "section_context": "A lake.", "kind": "nav"}\n'


def test_roles_are_proposed_and_kept_once_the_import_is_confirmed(client: Client) -> None:
    task = make_task()
    tried = try_import(task, ImportKind.TOPICS, SECTIONS)
    page = _signed_in(client, tried).get(_address(tried, "import_detail")).content.decode()
    assert page.count('<option value="title" selected>') == 1
    assert page.count('<option value="description" selected>') == 1
    assert ChosenFields.objects.topic_roles(task.pk) == {}
    add_import(tried)
    proposed = {"title": "title", "description": "section_context"}
    assert ChosenFields.objects.topic_roles(task.pk) == proposed
    assert ChosenFields.objects.document_roles(task.collection_id) == {}
    without_title = SECTIONS.replace(b'"title": "Tarn", ', b"")
    add_import(try_import(task, ImportKind.TOPICS, without_title))
    assert ChosenFields.objects.topic_roles(task.pk) == proposed


def test_organizer_chooses_roles_and_every_task_of_the_collection_reads_them(client: Client) -> None:
    task = make_task()
    tried = try_import(task, ImportKind.COLLECTION, SECTIONS)
    numbers = {field["name"]: number for number, field in enumerate(tried.fields)}
    names = ("title", "section_context", "kind")
    posted = dict(zip((f"role-{numbers[name]}" for name in names), ("caption", "", "title"), strict=True))
    posted[f"use-{numbers['kind']}"] = "text"
    _signed_in(client, tried).post(_address(tried, "import_fields"), posted)
    add_import(run_queued(tried))
    other = make_task(task.track, collection=task.collection)
    roles = ChosenFields.objects.document_roles(other.collection_id)
    assert roles == {"caption": "title", "title": "kind"}
    assert ChosenFields.objects.document_roles(make_task().collection_id) == {}


@pytest.mark.parametrize("posted", [("title", "title", "text"), ("title", "", "left out")])
def test_two_fields_of_one_role_are_refused_and_one_that_is_left_out_has_none(
    client: Client, posted: tuple[str, str, str]
) -> None:
    tried = try_import(make_task(), ImportKind.TOPICS, SECTIONS)
    numbers = {field["name"]: number for number, field in enumerate(tried.fields)}
    first, second, use = posted
    sent = {
        f"role-{numbers['title']}": first,
        f"role-{numbers['section_context']}": second,
        f"use-{numbers['title']}": use,
    }
    answer = _signed_in(client, tried).post(_address(tried, "import_fields"), sent, follow=True)
    tried.refresh_from_db()
    if second:
        assert "title, section_context: only one field can be the title." in answer.content.decode()
        assert tried.state == ImportState.TRIED
    else:
        assert tried.choice["roles"] == {}
