"""Pages on which organizers correct and remove rows: what each table allows, and what stays."""

from collections.abc import Callable

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from assessment.models import ExtraQuestion, GoldItem, GoldUse, TrainingReply
from evaluation.models import (
    Announcement,
    Collection,
    Document,
    Family,
    Membership,
    Phase,
    ReportProgress,
    Role,
    RunNote,
    Scoring,
    SubmissionQuestion,
    Task,
    Team,
    TeamLimit,
    Topic,
    TopicState,
    Track,
    User,
)
from evaluation.organizing.audit.queries import changes_in
from tests.factories import (
    make_assessor,
    make_collection,
    make_document,
    make_family,
    make_organizer,
    make_pool,
    make_qrels,
    make_run,
    make_task,
    make_team,
    make_topic,
    make_track,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def task() -> Task:
    return make_task(phase=Phase.JUDGING, topic_count=2, document_count=2)


@pytest.fixture
def organizer(task: Task) -> User:
    return make_organizer(task.track)


@pytest.fixture
def client(client: Client, organizer: User) -> Client:
    client.force_login(organizer)
    return client


def address(track: Track, table: str, row: Model, name: str = "row_edit") -> str:
    return reverse(name, args=[track.slug, table, row.pk])


def sent_by(client: Client, page: str) -> dict[str, object]:
    """What a browser sends for the form of the page as it is."""
    form = client.get(page).context["form"]
    values = {field.html_name: field.value() for field in form}
    return {name: value for name, value in values.items() if value not in (None, False)}


def edit(client: Client, track: Track, table: str, row: Model, **changes: object) -> dict[str, list[str]]:
    """Send the form with changes; the errors by field."""
    page = address(track, table, row)
    answer = client.post(page, sent_by(client, page) | changes)
    row.refresh_from_db()
    return dict(answer.context["form"].errors) if answer.status_code == 200 else {}


def remove(client: Client, track: Track, table: str, row: Model, words: str | None = None) -> str:
    """Remove the row, whose name confirms it; the page that follows."""
    sent = {"words": getattr(row, "name", "") if words is None else words}
    return client.post(address(track, table, row, "row_remove"), sent, follow=True).content.decode()


def test_licence_and_citation_are_changed_and_recorded(client: Client, task: Task) -> None:
    track = task.track
    sent = {"licence": "CC0", "doi": "10.5281/zenodo.1", "has_public_runs": "on"}
    assert edit(client, track, "track", track, **sent) == {}
    page = client.get(address(track, "track", track)).content.decode()
    assert address(track, "track", track, "row_remove") in page
    assert (track.licence, track.doi, track.has_public_runs) == ("CC0", "10.5281/zenodo.1", True)
    assert changes_in(track)[0].pgh_diff["licence"] == ["", "CC0"]
    assert list(edit(client, track, "track", track, doi="zenodo")) == ["__all__"]


def test_kind_of_a_task_stays_once_it_has_runs(client: Client, task: Task) -> None:
    assert edit(client, task.track, "task", task, kind="text-to-text", name="New") == {}
    make_run(task)
    assert list(edit(client, task.track, "task", task, kind="image-to-text")) == ["kind"]
    assert (task.name, task.kind) == ("New", "text-to-text")


def test_a_name_has_no_invisible_characters(client: Client, task: Task) -> None:
    rows: list[tuple[str, Model]] = [
        ("track", task.track),
        ("task", task),
        ("collection", task.collection),
        ("team", make_team(task.track)),
        ("family", make_family(task)),
    ]
    for table, row in rows:
        assert "invisible" in str(edit(client, task.track, table, row, name="Ne\u0007w")), table


def test_items_are_changed_until_they_are_judged_and_the_page_shows_how_to_continue(
    client: Client, task: Task
) -> None:
    topic, document = Topic.objects.get(number="T1"), Document.objects.get(docno="D1")
    items: list[tuple[str, Topic | Document]] = [("topic", topic), ("document", document)]
    for table, row in items:
        assert edit(client, task.track, table, row, text_0="mended\r\nline") == {}
        assert (row.fields[0][1], row.version) == ("mended\nline", 2)
        assert changes_in(task.track)[0].pgh_diff["version"] == [1, 2]
    make_qrels(task, grades={("T1", "D1"): 1})
    for (table, row), words in zip(items, ("as a new topic", "under a new docno"), strict=True):
        assert words in str(edit(client, task.track, table, row, text_0="bent"))
        assert row.fields[0][1] == "mended\nline"
    assert edit(client, task.track, "topic", topic, note="why", text_0="mended\r\nline") == {}
    assert topic.note == "why"


def test_released_items_are_frozen_though_nobody_judged_them(client: Client, organizer: User) -> None:
    task = make_task(phase=Phase.RELEASED)
    Membership.objects.create(user=organizer, track=task.track, role=Role.ORGANIZER)
    topic, document = make_topic(task), make_document(task.collection)
    for table, row in (("topic", topic), ("document", document)):
        assert "judged or released" in str(edit(client, task.track, table, row, text_0="bent"))
        assert "stays" in remove(client, task.track, table, row)
        assert type(row)._default_manager.contains(row)
    assert list(edit(client, task.track, "topic", topic, state=TopicState.DRAFT)) == ["state"]


def test_items_stay_once_a_pool_names_them(client: Client, task: Task) -> None:
    make_pool(task, pairs=[("T1", "D1")])
    for table, rows in (("topic", Topic.objects.order_by("number")), ("document", Document.objects.all())):
        pooled, free = rows
        assert "pooled" in remove(client, task.track, table, pooled)
        remove(client, task.track, table, free)
        assert list(rows.all()) == [pooled]


def test_task_track_and_collection_are_removed_while_nothing_needs_them(client: Client, task: Task) -> None:
    track, collection, spare = task.track, task.collection, make_collection(task.track)
    remove(client, track, "collection", spare)
    assert f"{collection} is the collection of" in remove(client, track, "collection", collection)
    assert "it has tasks" in remove(client, track, "track", track)
    remove(client, track, "task", task)
    remove(client, track, "collection", collection)
    assert [model.objects.count() for model in (Task, Collection, Document)] == [0, 0, 0]
    used = make_task(track)
    make_run(used)
    assert "it has runs" in remove(client, track, "task", used)


def test_what_has_parts_is_removed_by_its_name_alone(client: Client, task: Task) -> None:
    spare = make_collection(task.track)
    for table, row in (("track", task.track), ("task", task), ("collection", spare)):
        assert "to confirm" in client.get(address(task.track, table, row)).content.decode()
        assert "to confirm the removal" in remove(client, task.track, table, row, words="another")
        assert type(row)._default_manager.contains(row)
    topic = Topic.objects.get(number="T1")
    assert "to confirm" not in client.get(address(task.track, "topic", topic)).content.decode()
    remove(client, task.track, "topic", topic, words="")
    assert not Topic.objects.filter(pk=topic.pk).exists()


def test_renamed_family_queues_the_report(client: Client, task: Task) -> None:
    family = make_family(task, name="CLIP")
    make_family(task, name="Kestrel")
    assert list(edit(client, task.track, "family", family, name="KESTREL")) == ["name"]
    assert edit(client, task.track, "family", family, name="encoders") == {}
    assert Family.objects.filter(name="encoders").exists()
    assert ReportProgress.objects.waiting().get().task == Scoring.objects.waiting().get().task == task


def test_question_keeps_the_name_under_which_runs_replied(client: Client, task: Task) -> None:
    question = SubmissionQuestion.objects.create(task=task, name="training", text="Trained?", place=1)
    assert edit(client, task.track, "question", question, text="Trained on what?") == {}
    make_run(task, replies={"training": "no"})
    assert list(edit(client, task.track, "question", question, name="trained")) == ["name"]
    assert question.text == "Trained on what?"


def test_team_gets_a_name_and_limits(client: Client, task: Task) -> None:
    team, limit = make_team(task.track), f"limit_{task.pk}"
    make_team(task.track, name="Kestrel")
    assert list(edit(client, task.track, "team", team, name="Ｋestrel")) == ["name"]
    for sent, stored in (("3", [3]), ("0", [None]), ("", [])):
        assert edit(client, task.track, "team", team, name="Nordlys", **{limit: sent}) == {}
        assert list(TeamLimit.objects.values_list("max_runs", flat=True)) == stored
    assert team.name == "Nordlys"
    make_run(task, team)
    assert "runs refer to it" in remove(client, task.track, "team", team)


def test_a_role_ends_but_for_the_last_organizer(client: Client, task: Task, organizer: User) -> None:
    assessor = make_assessor(task.track).memberships.get()
    remove(client, task.track, "membership", assessor)
    assert "only organizer" in remove(client, task.track, "membership", organizer.memberships.get())
    assert Membership.objects.get().user == organizer
    assert client.get(address(task.track, "membership", organizer.memberships.get())).status_code == 404


def test_announcements_and_notes_are_corrected_and_removed(
    client: Client, task: Task, organizer: User
) -> None:
    news = Announcement.objects.create(
        track=task.track, audience="teams", subject="Open", text="x", created_by=organizer
    )
    note = RunNote.objects.create(run=make_run(task), text="See line 3.", written_by=organizer)
    rows: list[tuple[str, Announcement | RunNote]] = [("announcement", news), ("note", note)]
    for table, row in rows:
        assert edit(client, task.track, table, row, text="mended") == {}
        assert row.text == "mended"
        remove(client, task.track, table, row)
    assert [model.objects.count() for model in (Announcement, RunNote)] == [0, 0]


def test_extra_question_is_corrected_and_training_repeated(client: Client, task: Task) -> None:
    question = ExtraQuestion.objects.create(task=task, name="sure", text="Sure?")
    assert edit(client, task.track, "extra-question", question, text="How sure?") == {}
    assert question.text == "How sure?"
    remove(client, task.track, "extra-question", question)
    assert not ExtraQuestion.objects.exists()
    people = [make_assessor(task.track) for _ in range(2)]
    item = GoldItem.objects.create(task=task, topic="T1", docno="D1", grade=1, use=GoldUse.EXAM)
    replies = [TrainingReply.objects.create(item=item, assessor=person, grade=0) for person in people]
    page = client.get(reverse("judging_progress", args=[task.track.slug, task.slug])).content.decode()
    assert all(address(task.track, "training", reply, "row_remove") in page for reply in replies)
    remove(client, task.track, "training", replies[0])
    assert TrainingReply.objects.get() == replies[1]


@pytest.mark.parametrize(
    "make", [make_topic, make_family, lambda task: make_team(task.track), lambda task: task.track]
)
def test_rows_of_another_track_are_not_found(
    client: Client, task: Task, make: Callable[[Task], Model]
) -> None:
    row = make(make_task())
    table = row._meta.model_name or ""
    for name in ("row_edit", "row_remove"):
        assert client.post(address(task.track, table, row, name)).status_code == 404
    assert client.get(address(make_track(), table, row)).status_code == 404
    assert client.get(reverse("row_edit", args=[task.track.slug, "run", row.pk])).status_code == 404


def test_second_tab_does_not_overwrite_what_the_first_stored(client: Client, task: Task) -> None:
    page = address(task.track, "track", task.track)
    opened = sent_by(client, page)
    assert client.post(page, opened | {"description": "first"}).status_code == 302
    refused = client.post(page, opened | {"description": "second"})
    assert "Other values were stored after you opened this page" in refused.content.decode()
    assert Track.objects.get().description == "first"
    assert Team.objects.count() == 0
