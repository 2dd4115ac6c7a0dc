import pytest
from django.db import connection
from django.db.models import CharField, F, Value
from django.db.models.functions import Cast, Concat, Now

from evaluation.collections.chosen_fields import ChosenFields, ImportKind
from evaluation.models import Archiving, TaskKind
from judges.catalogue.actions import retire_judge
from judges.jobs.scheduling import cancel_job
from judges.models import Call, CallState, Job, JobState, Shard, Side
from tests.factories import make_document, make_image, make_pool, make_staff, make_task, make_topic
from tests.judges.factories import (
    make_generator,
    make_image_pool,
    make_judge,
    make_text_pool,
    run_to_end,
    started,
)
from tests.refusals import refused
from trackside.text.items_shown import show_item

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


def test_start_job_waits_for_every_pair_and_queues_a_shard_a_side(queued: list[tuple[str, int]]) -> None:
    pool = make_image_pool(topic_count=2, image_count=3)

    job = started(make_judge(), pool)

    assert job.state == JobState.PLANNED
    assert set(job.calls.values_list("topic", "docno")) == set(pool.items.values_list("topic", "docno"))
    assert set(job.calls.values_list("state", flat=True)) == {CallState.WAITING}
    topics, documents = job.shards.order_by("side")[::-1]
    assert (topics.side, topics.input_count) == (Side.TOPIC, 2)
    assert (documents.side, documents.input_count) == (Side.DOCUMENT, 3)
    assert sorted(queued) == sorted(("judges.run_shard", shard.pk) for shard in (topics, documents))


def test_start_job_puts_equal_texts_and_images_into_a_shard_once() -> None:
    task = make_task()
    image = make_image()
    for place in (1, 2):
        make_topic(task, number=f"T{place}", fields=[["page_title", "the same words"]])
        make_document(task.collection, docno=f"D{place}", image=image)
    pool = make_pool(task, pairs=[("T1", "D1"), ("T1", "D2"), ("T2", "D1"), ("T2", "D2")])

    assert list(started(make_judge(), pool).shards.values_list("input_count", flat=True)) == [1, 1]


def test_start_job_cuts_many_inputs_into_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judges.jobs.starting.SHARD_SIZE", 2)

    job = started(make_judge(), make_image_pool(topic_count=1, image_count=5))

    assert sorted(job.shards.values_list("side", "input_count")) == [
        ("document", 1),
        ("document", 2),
        ("document", 2),
        ("topic", 1),
    ]


def test_start_job_gives_pairs_that_cannot_be_shown_an_outcome_at_once() -> None:
    task = make_task()
    make_topic(task, number="T1")
    make_topic(task, number="T2", fields=[["page_title", " "]])
    make_document(task.collection, docno="D1", image=make_image())
    make_document(task.collection, docno="D2")
    pairs = [("T1", "D1"), ("T1", "D2"), ("T2", "D1"), ("T2", "D2"), ("T1", "gone")]

    job = started(make_judge(), make_pool(task, pairs=pairs))

    assert {
        (topic, docno): outcome
        for topic, docno, outcome in job.calls.values_list("topic", "docno", "outcome")
    } == {
        ("T1", "D1"): "",
        ("T1", "D2"): "image_missing",
        ("T2", "D1"): "text_empty",
        ("T2", "D2"): "text_empty",
        ("T1", "gone"): "item_missing",
    }
    assert job.calls.failed().count() == 4


def test_start_job_with_nothing_to_encode_queues_its_end(queued: list[tuple[str, int]]) -> None:
    task = make_task(topic_count=1, document_count=2)  # the documents have no image

    job = started(make_judge(), make_pool(task))

    assert not job.shards.exists()
    assert queued == [("judges.finish_job", job.pk)]


def test_start_job_shares_vectors_with_judges_of_the_same_encoder() -> None:
    pool = make_image_pool(topic_count=2, image_count=3)
    run_to_end(started(make_judge(model="shared"), pool))

    other = started(make_judge(model="shared", prompt="A photo depicts"), pool)

    # The prompt makes two new texts; the three images are known.
    assert list(other.shards.values_list("side", "input_count")) == [(Side.TOPIC, 2)]


def test_start_job_keeps_request_keys_apart_by_judge_and_pair() -> None:
    pool = make_image_pool()
    keys = [
        key
        for judge in (make_judge(model="shared"), make_judge(model="shared", seed=1))
        for key in started(judge, pool).calls.values_list("request_key", flat=True)
    ]

    assert len(set(keys)) == 12


def test_start_job_refuses_a_retired_judge_another_kind_of_task_and_an_archived_track() -> None:
    judge, pool = make_judge(), make_image_pool()
    retire_judge(judge=judge, by=make_staff())
    judge.refresh_from_db()
    with refused("judge-retired"):
        started(judge, pool)
    with refused("task-kind-not-accepted", match="image topic"):
        started(make_judge(task_kinds=[TaskKind.TEXT_TO_IMAGE]), make_text_pool())
    Archiving.objects.create(track=pool.task.track, archived_by=pool.created_by)
    with refused("track-archived", match="is archived"):
        started(make_judge(), pool)
    assert not Job.objects.exists()


def test_start_job_makes_one_job_a_judge_and_pool_until_it_is_cancelled() -> None:
    judge, pool = make_judge(), make_image_pool()
    job = started(judge, pool)

    with refused("job-exists", match="planned"):
        started(judge, pool)
    cancel_job(job=job, by=pool.created_by)
    assert started(judge, pool).pk != job.pk
    assert Shard.objects.open().filter(job=job).count() == 0


@pytest.mark.whole
@pytest.mark.usefixtures("scripted")
def test_plan_job_looks_up_each_request_when_statistics_are_old() -> None:
    """With statistics from before the calls, PostgreSQL compared all answers 400 times for 400 calls."""
    first = make_image_pool(topic_count=1, image_count=1)
    earlier = started(make_generator(), first)
    Call.objects.bulk_create(Call(job=earlier, topic="T9", docno=f"D{place}") for place in range(6000))
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {Call._meta.db_table}")
    Call.objects.filter(topic="T9").update(
        state=CallState.DONE,
        outcome="ok",
        raw_score=1.0,
        ended_at=Now(),
        request_key=Concat(Value("key "), Cast(F("pk"), CharField())),
    )
    task = make_task(topic_count=20)
    image = make_image()
    for place in range(20):
        make_document(task.collection, docno=f"D{place}", image=image)
    pool = make_pool(
        task, pairs=[(f"T{topic + 1}", f"D{place}") for topic in range(20) for place in range(20)]
    )
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = '10s'")
    job = started(make_generator(), pool)
    assert job.calls.of_pool().waiting().count() == 400


def test_calls_know_the_document_as_people_are_shown_it_and_whether_the_judge_sees_all() -> None:
    task = make_task()
    make_topic(task, number="T1")
    fields = [["words", "A tarn."], ["heading", "Formation"]]
    roles = {"title": "heading", "description": "words"}
    ChosenFields.objects.create(task=task, kind=ImportKind.COLLECTION, choice={"roles": roles})
    alone, captioned = make_image(), make_image()
    make_document(task.collection, docno="D1", image=alone, fields=[])
    make_document(task.collection, docno="D2", image=captioned, fields=fields)
    make_document(task.collection, docno="D3", fields=fields)  # has no picture, so there is no call

    calls = started(make_judge(), make_pool(task, pairs=[("T1", f"D{number}") for number in (1, 2, 3)])).calls

    assert list(calls.of_pool().order_by("docno").values_list("shown_sha256", "seen")) == [
        (show_item([], {}, [alone.pk]).sha256, "whole"),
        (show_item(fields, roles, [captioned.pk]).sha256, "part"),
        ("", ""),
    ]
