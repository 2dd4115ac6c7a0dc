"""Pools: who sees them, their sizes, the runs in them, and items that lack what is graded."""

import pytest
from django.db import connection

from evaluation.models import Phase, Pool, PoolItem, PoolKind, PoolRun, PoolTopic, UndrawnPair
from tests.aggregates_sql import ITEM_COUNTS
from tests.factories import (
    make_assessor,
    make_document,
    make_image,
    make_organizer,
    make_pool,
    make_run,
    make_staff,
    make_task,
    make_team,
    make_user,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("phase", [Phase.JUDGING, Phase.RELEASED])
def test_pool_and_its_rows_are_the_organizers_alone(phase: Phase) -> None:
    run = make_run(make_task(phase=phase))
    pool = make_pool(run.task, runs=[run])
    UndrawnPair.objects.create(pool=pool, topic="T1", docno="D9", stratum=1)
    models = (Pool, PoolItem, PoolRun, PoolTopic, UndrawnPair)
    for person in (pool.created_by, make_staff()):
        assert all(model.objects.visible_to(person).exists() for model in models)
    track = run.task.track
    for other in (run.received_by, make_assessor(track), make_organizer(make_task().track), make_user()):
        assert not any(model.objects.visible_to(other).exists() for model in models)


def test_size_counts_items_and_topics_of_the_pool_alone() -> None:
    task = make_task()
    large = make_pool(task, pairs=[("T1", "D1"), ("T1", "D2"), ("T2", "D1")])
    empty = make_pool(task, pairs=[])
    sizes = {pool.pk: (pool.item_count, pool.topic_count) for pool in Pool.objects.with_size()}
    assert sizes == {large.pk: (3, 2), empty.pk: (0, 0)}


def test_topics_of_pools_are_those_of_a_recount() -> None:
    """Items that are stored in several statements add up."""
    task = make_task()
    pool = make_pool(task, pairs=[("T1", "D1"), ("T1", "Dörte"), ("T2", "D1")])
    PoolItem.objects.bulk_create(
        PoolItem(pool=pool, topic=topic, docno="D9", position=position)
        for position, topic in enumerate(("T1", "T3"), start=3)
    )
    make_pool(task, pairs=[("T1", "D2")])

    def rows() -> list[tuple[int, str, int, list[bytes]]]:
        found = PoolTopic.objects.order_by("pool", "topic").values_list(
            "pool", "topic", "item_count", "numbers"
        )
        return [
            (number, topic, count, sorted(bytes(packed[at : at + 8]) for at in range(0, len(packed), 8)))
            for number, topic, count, packed in found
        ]

    kept = rows()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM evaluation_pooltopic")
        cursor.execute("DELETE FROM assessment_assignedcount")
        cursor.execute("DELETE FROM assessment_queuedtopic")
        for statement in ITEM_COUNTS:
            cursor.execute(statement)
    assert kept == rows()
    assert [(topic, count) for number, topic, count, _ in kept if number == pool.pk] == [
        ("T1", 3),
        ("T2", 1),
        ("T3", 1),
    ]


def test_pools_with_runs_of_a_team_are_those_drawn_from_them_and_the_checks_of_their_task() -> None:
    task, other = make_task(), make_task()
    team = make_team(task.track)
    own, rival = make_run(task, team), make_run(task)
    drawn = make_pool(task, runs=[own, rival])
    check = make_pool(task, kind=PoolKind.CHECK)
    make_pool(task, runs=[rival])
    make_pool(other, kind=PoolKind.CHECK)
    assert set(Pool.objects.with_runs_of([team.pk])) == {drawn, check}


def test_bare_items_are_of_the_task_s_own_pools_and_collection() -> None:
    task, other = make_task(), make_task()
    make_document(task.collection, docno="D1", image=make_image())
    make_document(task.collection, docno="D2")
    make_document(other.collection, docno="D1")
    pool = make_pool(task, pairs=[("T1", "D1"), ("T1", "D2"), ("T1", "absent")])
    make_pool(other, pairs=[("T1", "D1"), ("T1", "D2")])
    assert [(item.pool, item.docno) for item in PoolItem.objects.bare(task)] == [(pool, "D2")]
