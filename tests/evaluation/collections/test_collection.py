"""Documents and topics: names of one word, required content, and who sees them in which phase."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models.functions import Now

from evaluation.collections.blobs import IMAGE_SIZES
from evaluation.models import (
    Blob,
    Document,
    Image,
    Import,
    ImportKind,
    Phase,
    Picture,
    Task,
    Topic,
    TopicState,
    User,
)
from evaluation.tracks.mail.actions import mail_dates
from tests.factories import (
    make_assessor,
    make_blob,
    make_collection,
    make_document,
    make_image,
    make_organizer,
    make_qrels,
    make_task,
    make_team,
    make_team_member,
    make_topic,
    make_user,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["", "two words", "tab\t", "line\n"])
def test_names_are_one_word(name: str) -> None:
    collection, task = make_collection(), make_task()
    with pytest.raises(IntegrityError, match="docno_is_one_word"), transaction.atomic():
        Document.objects.create(collection=collection, docno=name, fields=[["a", "b"]])
    with pytest.raises(IntegrityError, match="topic_is_one_word"), transaction.atomic():
        Topic.objects.create(task=task, number=name, fields=[["a", "b"]])


def test_topics_have_a_text_or_an_image_and_documents_may_be_a_mere_docno() -> None:
    with pytest.raises(IntegrityError, match="topic_not_empty"), transaction.atomic():
        make_topic(make_task(), fields=[])
    assert make_topic(make_task(), fields=[], image=make_image()).pk
    assert make_document(make_collection(), fields=[]).pk


def test_documents_are_in_byte_order() -> None:
    collection = make_collection()
    for docno in ("b", "é", "B", "a"):
        make_document(collection, docno=docno)
    assert list(collection.documents.values_list("docno", flat=True)) == ["B", "a", "b", "é"]


def test_text_of_joins_the_named_fields_in_that_order() -> None:
    topic = make_topic(make_task(), fields=[["a", "one"], ["b", ""], ["c", "three"]])
    assert topic.text_of("c", "b", "a", "none") == "three one"
    assert topic.text_of() == "one three"


def test_items_are_the_track_s_people_s_from_the_opening_and_everybody_s_from_the_release() -> None:
    seen = {}
    for phase in Phase:
        task = make_task(phase=phase, topic_count=1)
        make_document(task.collection, image=make_image())
        people: dict[str, User | AnonymousUser] = {
            "nobody": AnonymousUser(),
            "outsider": make_user(),
            "member": make_team_member(make_team(task.track)),
            "assessor": make_assessor(task.track),
            "organizer": make_organizer(task.track),
        }
        for model, rows in (
            (Topic, Topic.objects.filter(task=task)),
            (Document, Document.objects.filter(collection=task.collection)),
        ):
            visible = {who for who, user in people.items() if rows.visible_to(user).exists()}
            seen[phase, model] = visible
    track_people = {"member", "assessor", "organizer"}
    for model in (Topic, Document):
        assert seen[Phase.DRAFT, model] == {"organizer"}
        for phase in (Phase.OPEN, Phase.CLOSED, Phase.JUDGING):
            assert seen[phase, model] == track_people
        assert seen[Phase.RELEASED, model] == track_people | {"nobody", "outsider"}


def test_image_is_seen_with_a_document_or_topic_that_shows_it() -> None:
    task = make_task(phase=Phase.OPEN)
    image = make_image()
    member = make_team_member(make_team(task.track))
    assert not Image.objects.visible_to(member).exists()
    make_topic(task, fields=[], image=image)
    assert Image.objects.visible_to(member).get() == image
    assert not Image.objects.visible_to(make_user()).exists()


def test_topics_in_draft_are_the_organizers_own_until_they_turn_active() -> None:
    task = make_task(phase=Phase.RELEASED, topic_count=1)
    draft = make_topic(task, number="T2", state=TopicState.DRAFT, note="Too narrow.")
    member = make_team_member(make_team(task.track))
    for reader in (member, make_user()):
        assert [topic.number for topic in Topic.objects.visible_to(reader)] == ["T1"]
    assert Topic.objects.visible_to(make_organizer(task.track)).contains(draft)
    assert list(task.topics.active().values_list("number", flat=True)) == ["T1"]
    assert list(task.topics.drafts()) == [draft]


def _refuses(change: Callable[[], object]) -> None:
    with (
        pytest.raises(DatabaseError, match="judged or released: its text and image stay"),
        transaction.atomic(),
    ):
        change()


@pytest.mark.parametrize("phase", [Phase.JUDGING, Phase.RELEASED])
def test_database_keeps_judged_and_released_items_as_they_are(phase: Phase) -> None:
    task = make_task(phase=phase, topic_count=2, document_count=2)
    if phase == Phase.JUDGING:
        make_qrels(task, grades={("T1", "D1"): 2, ("T2", "D2"): None})
    topic, document = Topic.objects.filter(number="T1"), Document.objects.filter(docno="D1")
    for rows, name in ((topic, "number"), (document, "docno")):
        _refuses(partial(rows.update, fields=[["caption", "bent"]]))
        _refuses(partial(rows.update, image=make_image()))
        _refuses(partial(rows.update, **{name: "X1"}))
        _refuses(rows.delete)
    topic.update(note="Told afterwards.")
    assert topic.get().version == 1


def test_only_items_with_a_grade_are_frozen_and_they_stay_frozen() -> None:
    task = make_task(phase=Phase.JUDGING, topic_count=2, document_count=2)
    make_qrels(task, grades={("T1", "D1"): 2, ("T2", "D2"): None})
    assert list(Topic.objects.filter(frozen_at__isnull=False).values_list("number", flat=True)) == ["T1"]
    assert list(Document.objects.filter(frozen_at__isnull=False).values_list("docno", flat=True)) == ["D1"]
    _refuses(lambda: Topic.objects.filter(number="T1").update(frozen_at=None))
    Document.objects.filter(docno="D2").update(fields=[["caption", "mended"]])
    assert Document.objects.get(docno="D2").version == 2
    assert Document.objects.filter(docno="D2").delete()[0] == 1
    make_task(phase=Phase.RELEASED)
    assert [item.is_frozen for item in (*task.topics.all(), *task.collection.documents.all())] == [
        *(True, False, True)
    ]
    Task.objects.filter(pk=task.pk).update(releases_at=Now())
    assert all(item.is_frozen for item in task.topics.all())


def test_items_stay_frozen_where_a_release_that_was_mailed_is_put_off() -> None:
    task = make_task(phase=Phase.RELEASED, topic_count=1, document_count=1)
    mail_dates()
    Task.objects.filter(pk=task.pk).update(releases_at=Now() + timedelta(days=30))
    with pytest.raises(DatabaseError, match="its state stays"), transaction.atomic():
        Topic.objects.update(state=TopicState.DRAFT)
    for rows in (Topic.objects.all(), Document.objects.all()):
        assert all(item.is_frozen for item in rows)
        _refuses(partial(rows.update, fields=[["caption", "bent"]]))
        _refuses(rows.delete)


def test_bytes_are_stored_under_their_hash() -> None:
    hash_of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert make_blob(b"").path == f"e3/{hash_of_nothing}"


def test_picture_of_the_guidelines_is_everybody_s_from_the_opening() -> None:
    task = make_task(phase=Phase.DRAFT)
    picture = Picture.objects.create(task=task, name="Map", image=make_image())
    organizer, visitor = make_organizer(task.track), AnonymousUser()
    assert Picture.objects.visible_to(organizer).get() == picture
    assert Image.objects.visible_to(organizer).get() == picture.image
    assert not Picture.objects.visible_to(visitor).exists()
    assert not Image.objects.visible_to(visitor).exists()
    Task.objects.filter(pk=task.pk).update(opens_at=Now())
    assert Picture.objects.visible_to(visitor).get() == picture
    assert Image.objects.visible_to(visitor).get() == picture.image


def test_blobs_are_seen_with_the_image_in_any_size_and_by_the_organizers_with_an_import() -> None:
    task = make_task(phase=Phase.OPEN)
    sizes = {name: make_blob(f"{name} of a test".encode()) for name in IMAGE_SIZES}
    image = Image.objects.create(sha256="0" * 64, width=1, height=1, **sizes)
    make_document(task.collection, image=image)
    organizer, member = make_organizer(task.track), make_team_member(make_team(task.track))
    brought = make_blob(b"an import of a test")
    Import.objects.create(
        task=task, kind=ImportKind.DOCNOS, upload=brought, file_name="a.txt", received_by=organizer
    )
    make_blob(b"of nothing in a test")
    assert set(Blob.objects.visible_to(member)) == set(sizes.values())
    assert set(Blob.objects.visible_to(organizer)) == {*sizes.values(), brought}
    assert not Blob.objects.visible_to(make_organizer(make_task().track)).exists()
