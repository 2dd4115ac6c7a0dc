"""Practice tasks: open grades, topics that leave other tasks' scores, and no pool."""

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from evaluation.collections.models import TopicState
from evaluation.models import (
    MeasureValue,
    Phase,
    Qrels,
    QrelsKind,
    Run,
    Task,
    Topic,
    Track,
    User,
)
from evaluation.organizing.setup.practice import copy_topics
from evaluation.results.qrels.actions import GradedPair, NothingToPublish, publish_qrels
from evaluation.results.qrels.practice import leaving_words
from evaluation.results.values.actions import score_runs
from evaluation.submissions.pools.actions import draw_pool
from evaluation.submissions.runs.receiving import takes_runs_of
from evaluation.tracks.actions import begin_task
from evaluation.tracks.mail.actions import mail_dates
from evaluation.tracks.models import TaskKind
from tests.evaluation.organizing.setup.setup_pages import client_of
from tests.factories import (
    make_assessor,
    make_organizer,
    make_pool,
    make_qrels,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_topic,
    make_track,
    make_user,
)
from tests.refusals import refused
from trackside.findings.provenance import ImportProvenance, PeopleProvenance

pytestmark = pytest.mark.django_db

Grades = dict[tuple[str, str], int]
OWN: Grades = {("T1", "D1"): 2, ("T1", "D2"): 0}


def publish(task: Task, grades: Grades, by: User | None = None, *, name: str = "people") -> Qrels:
    provenance = ImportProvenance(import_id=1, file_name="own.qrels", file_sha256="0" * 64, source="")
    return publish_qrels(
        task=task,
        name=name,
        kind=QrelsKind.HUMAN,
        pairs=[GradedPair(*pair, grade, None, "ok") for pair, grade in grades.items()],
        provenance=provenance,
        by=by or make_organizer(task.track),
    )


@pytest.fixture
def track() -> Track:
    return make_track(has_public_runs=True)


@pytest.fixture
def practice(track: Track) -> Task:
    return make_task(track, topic_count=1, document_count=3, is_practice=True)


def _status(client: Client, name: str, task: Task, *more: object) -> int:
    return client.get(reverse(name, args=[task.track.slug, task.slug, *more])).status_code


def test_everybody_but_the_tracks_assessors_sees_the_leaderboard_at_once(practice: Task) -> None:
    team = make_team(practice.track)
    run = make_run(practice, team, tag="mine", results={"T1": ["D1", "D2"]})
    qrels = publish(practice, OWN)
    score_runs(task=practice)
    assert practice.phase == Phase.OPEN
    assert takes_runs_of(practice, team, Now())
    readers = [make_team_member(team), make_organizer(practice.track), make_user()]
    for client in [Client(), *map(client_of, readers)]:
        page = client.get(reverse("leaderboard", args=[practice.track.slug, practice.slug]))
        assert "mine" in page.content.decode()
        assert "each run is scored at once" in " ".join(page.content.decode().split())
        assert _status(client, "qrels_file", practice, qrels.pk) == 200
        assert _status(client, "run_detail", practice, run.pk) == 200
        assert _status(client, "collection_release", practice) == 200
    assessor = make_assessor(practice.track)
    assert _status(client_of(assessor), "task_detail", practice) == 200
    for name, more in (("leaderboard", ()), ("qrels_file", (qrels.pk,)), ("run_detail", (run.pk,))):
        assert _status(client_of(assessor), name, practice, *more) == 404
    assert not MeasureValue.objects.visible_to(assessor).exists()
    # The file of a practice run stays with its team, although the track publishes runs.
    assert not Run.objects.published_to(make_user()).exists()
    assert _status(Client(), "run_file", practice, run.pk) == 404


def test_a_draft_opens_nothing(track: Track) -> None:
    draft = make_task(track, topic_count=1, is_practice=True, phase=Phase.DRAFT)
    qrels = publish(draft, OWN)
    assert draft.phase == Phase.DRAFT
    assert _status(Client(), "leaderboard", draft) == 404
    assert _status(client_of(make_organizer(track)), "qrels_file", draft, qrels.pk) == 200
    assert not Qrels.objects.visible_to(make_user()).exists()


def test_a_practice_task_has_no_close_pool_or_judging(practice: Task) -> None:
    organizer = client_of(make_organizer(practice.track))
    names = (
        "pool_build",
        "setup_release",
        "judging_progress",
        "judging_quality",
        "job_start",
    )
    for name in names:
        assert _status(organizer, name, practice) == 404, name
    page = organizer.get(reverse("task_detail", args=[practice.track.slug, practice.slug])).content.decode()
    assert reverse("leaderboard", args=[practice.track.slug, practice.slug]) in page
    for name in names:
        assert f'"{reverse(name, args=[practice.track.slug, practice.slug])}"' not in page, name
    with pytest.raises(IntegrityError, match="a practice task has no pool"), transaction.atomic():
        make_pool(practice)
    with pytest.raises(IntegrityError, match="practice_task_never_closes"), transaction.atomic():
        Task.objects.filter(pk=practice.pk).update(closes_at=make_task().closes_at)
    with pytest.raises(DatabaseError, match="a_practice_task_is_made_as_one"), transaction.atomic():
        Task.objects.filter(pk=practice.pk).update(is_practice=False)


def test_nobody_is_mailed_that_a_practice_task_is_released(practice: Task) -> None:
    make_run(practice)
    mail_dates()
    practice.refresh_from_db()
    assert practice.release_noted_at is None


def test_graded_topics_leave_an_unreleased_task(track: Track, practice: Task) -> None:
    other = make_task(track, phase=Phase.JUDGING, collection=practice.collection)
    make_topic(other, number="9", fields=[["query", " page of  t1"], ["more", "SECTION of T1"]])
    make_topic(other, number="T2")
    run = make_run(other, tag="both", results={"9": ["D1"], "T2": ["D2", "D1"]})
    first = make_qrels(other, name="people", grades={("9", "D1"): 1, ("T2", "D1"): 1})
    score_runs(task=other)
    # AP of topic 9 is 1, of T2 1/2.
    assert MeasureValue.objects.get(run=run, qrels=first, measure="AP").mean == 0.75
    assert leaving_words(practice) == [f"1 topic of {other.name}: 9"]
    publish(practice, OWN)
    assert other.topics.get(number="9").state == TopicState.LEFT
    assert leaving_words(practice) == []
    second = Qrels.objects.get(task=other, version=2)
    assert (second.name, second.topics, second.graded_count) == ("people", ["T2"], 1)
    score_runs(task=other)
    assert MeasureValue.objects.get(run=run, qrels=second, measure="AP").mean == 0.5
    # New grades and new pools leave the topic out, too, and it cannot come back.
    third = publish(other, {("9", "D1"): 2, ("T2", "D1"): 1, ("T2", "D2"): 0})
    assert (third.version, third.topics) == (3, ["T2"])
    assert list(draw_pool(task=other, seed=1).drawn) == ["T2"]
    with pytest.raises(DatabaseError, match="it left"), transaction.atomic():
        other.topics.filter(number="9").update(state=TopicState.ACTIVE)
    page = client_of(make_organizer(track)).get(reverse("leaderboard", args=[track.slug, other.slug]))
    assert "Not counted: topic 9." in " ".join(page.content.decode().split())


def test_only_qrels_with_a_topic_that_leaves_are_published_again(track: Track, practice: Task) -> None:
    other = make_task(track, phase=Phase.JUDGING, topic_count=2)
    make_qrels(other, name="people", grades={("T1", "D3"): 1, ("T2", "D1"): 1})
    make_qrels(other, name="clipscore", kind=QrelsKind.MODEL, grades={("T2", "D1"): 1})
    publish(practice, OWN)
    versions = Qrels.objects.filter(task=other).values_list("name", "version")
    assert sorted(versions) == [("clipscore", 1), ("people", 1), ("people", 2)]


def test_a_released_task_keeps_its_scores(track: Track, practice: Task) -> None:
    released = make_task(track, phase=Phase.RELEASED, topic_count=1)
    make_qrels(released, name="people", grades=OWN)
    publish(practice, OWN)
    assert released.topics.get().state == TopicState.ACTIVE
    assert Qrels.objects.filter(task=released).count() == 1


def test_topics_of_other_tracks_and_other_texts_stay(practice: Task) -> None:
    foreign = make_task(topic_count=1)
    same_number = make_task(practice.track)
    make_topic(same_number, number="T1", fields=[["query", "Something else"]])
    publish(practice, OWN)
    assert not Topic.objects.filter(task__in=[foreign, same_number], state=TopicState.LEFT).exists()


def test_an_unreleased_tasks_grades_are_refused(track: Track, practice: Task) -> None:
    hidden = make_task(track, phase=Phase.JUDGING, topic_count=2)
    made = PeopleProvenance(rule="", pools=(), criteria=(), assessors={}, overlap=None).to_json()
    make_qrels(hidden, name="people", grades=OWN | {("T2", "D1"): 1}, provenance=made)
    with refused("qrels-not-released", match=f"agree with those of {hidden.name}"):
        publish(practice, OWN)
    assert not Qrels.objects.filter(task=practice).exists()
    assert hidden.topics.get(number="T1").state == TopicState.ACTIVE
    publish(practice, OWN | {("T1", "D2"): 1})
    assert hidden.topics.get(number="T1").state == TopicState.LEFT


def test_an_unreleased_tasks_grades_are_refused_with_one_altered_or_added(
    track: Track, practice: Task
) -> None:
    """Kappa of 10 grades with D0 altered is (.9 - .44) / .56 = .82, with three (.7 - .44) / .56 = .46."""
    hidden = make_task(track, phase=Phase.JUDGING, topic_count=2)
    made = PeopleProvenance(rule="", pools=(), criteria=(), assessors={}, overlap=None).to_json()
    theirs: Grades = {("T1", f"D{n}"): grade for n, grade in enumerate((2, 1, 1, 2, 0, 0, 0, 0, 0, 0))}
    make_qrels(hidden, name="people", grades=theirs | {("T2", "D1"): 1}, provenance=made)
    for changed in ({("T1", "D0"): 1}, {("T1", "D9"): 1}, {("T1", "D11"): 2}):
        with refused("qrels-not-released"):
            publish(practice, theirs | changed)
    own = theirs | {("T1", "D0"): 1, ("T1", "D1"): 0, ("T1", "D9"): 1}
    publish(practice, own)
    assert hidden.topics.get(number="T1").state == TopicState.LEFT


def test_a_task_keeps_a_judged_topic(track: Track, practice: Task) -> None:
    other = make_task(track, phase=Phase.JUDGING, topic_count=1)
    make_qrels(other, name="people", grades={("T1", "D3"): 2})
    with refused("no-topic-left", match=f"of {other.name} would have no topic left"):
        publish(practice, OWN)
    assert other.topics.get().state == TopicState.ACTIVE


def test_grades_of_gone_topics_alone_are_not_published(track: Track, practice: Task) -> None:
    other = make_task(track, topic_count=1)
    publish(practice, OWN)
    with pytest.raises(NothingToPublish):
        publish(other, OWN)


def test_a_topic_that_comes_after_its_grades_were_open_leaves_with_the_next_grades(
    track: Track, practice: Task
) -> None:
    publish(practice, OWN)
    later = make_task(track, phase=Phase.JUDGING, topic_count=2)
    assert publish(later, OWN | {("T2", "D1"): 1}).topics == ["T2"]
    assert list(later.topics.gone().values_list("number", flat=True)) == ["T1"]


@pytest.mark.parametrize("phase", [Phase.RELEASED, Phase.JUDGING])
def test_only_open_qrels_are_copied(track: Track, phase: Phase) -> None:
    source = make_task(track, phase=phase, topic_count=2, document_count=2)
    make_topic(source, number="draft", state=TopicState.DRAFT)
    make_qrels(source, name="people", grades=OWN)
    organizer = make_organizer(track)
    practice = begin_task(track=track, name="Try", slug="try", kind=TaskKind.TEXT_TO_IMAGE, is_practice=True)
    copy_topics(source=source, practice=practice, by=organizer)
    assert list(practice.topics.values_list("number", flat=True)) == ["T1", "T2"]
    assert practice.collection == source.collection
    copied = Qrels.objects.filter(task=practice)
    assert [qrels.topics for qrels in copied] == ([["T1"]] if phase == Phase.RELEASED else [])
    assert not source.topics.filter(state=TopicState.LEFT).exists()
