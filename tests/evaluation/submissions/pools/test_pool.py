"""Pools: frozen from the top results of runs in an order independent of these; who sees them, their sizes."""

from typing import Any

import pytest
from django.db import ProgrammingError, connection, transaction

from evaluation.models import (
    Phase,
    Pool,
    PoolItem,
    PoolKind,
    PoolRun,
    PoolTopic,
    RunState,
    TaskKind,
    UndrawnPair,
)
from evaluation.submissions.pools.actions import build_pool, draw_pool, find_judged, freeze_pairs
from tests.aggregates_sql import ITEM_COUNTS
from tests.factories import (
    make_assessor,
    make_document,
    make_image,
    make_organizer,
    make_pool,
    make_qrels,
    make_run,
    make_staff,
    make_task,
    make_team,
    make_user,
)
from tests.refusals import refused
from trackside.pooling.depth import presentation_order
from trackside.pooling.recipes import AdaptiveRecipe, SampleRecipe, Stratum

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


def _pairs(pool: Pool) -> list[tuple[str, str]]:
    return list(pool.items.order_by("position").values_list("topic", "docno"))


def test_build_pool_takes_each_run_to_its_own_depth() -> None:
    task = make_task(pool_depth=2, baseline_pool_depth=1)
    make_run(task, make_team(task.track, is_baseline=True), results={"T1": ["D1", "D2"], "T2": ["D9", "D8"]})
    make_run(task, results={"T1": ["D3", "D1", "D4"]})
    make_run(task, results={"T1": ["D5", "D6", "D7"]}, pool_depth=3)
    for state in (RunState.WITHDRAWN, RunState.REPLACED, RunState.REJECTED):
        make_run(task, results={"T1": ["D99"]}, state=state)
    pool = build_pool(task=task, name="first", seed=7, by=make_organizer(task.track))
    # By hand: D1 from the baseline to 1, D3 D1 to 2, D5 D6 D7 to 3; topic T2 is the baseline's alone.
    assert set(_pairs(pool)) == {("T1", f"D{n}") for n in (1, 3, 5, 6, 7)} | {("T2", "D9")}
    assert sorted(PoolRun.objects.filter(pool=pool).values_list("depth", flat=True)) == [1, 2, 3]


def test_build_pool_takes_the_depths_given_and_leaves_other_runs_out() -> None:
    task = make_task()
    run, other = make_run(task, results={"T1": ["D1", "D2", "D3"]}), make_run(task, results={"T1": ["D9"]})
    pool = build_pool(task=task, name="first", seed=7, by=make_organizer(task.track), depths={run.pk: 2})
    assert set(_pairs(pool)) == {("T1", "D1"), ("T1", "D2")}
    assert not PoolRun.objects.filter(run=other).exists()


def test_build_pool_orders_by_seed_whatever_runs_and_ranks_were() -> None:
    docnos = [f"D{n}" for n in range(20)]
    orders = []
    for seed, results in ((1, docnos), (1, docnos[::-1]), (2, docnos)):
        task = make_task()
        make_run(task, results={"T1": results})
        orders.append(_pairs(build_pool(task=task, name="p", seed=seed, by=make_organizer(task.track))))
    assert orders[0] == orders[1]
    assert orders[0] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2])


def test_build_pool_refuses_a_name_that_is_taken_and_a_task_without_new_results() -> None:
    task = make_task()
    organizer = make_organizer(task.track)
    with refused("no-runs-to-pool"):
        build_pool(task=task, name="first", seed=7, by=organizer)
    assert not Pool.objects.exists()
    make_run(task)
    build_pool(task=task, name="first", seed=7, by=organizer)
    with refused("pool-name-taken", match="Choose another name"):
        build_pool(task=task, name="first", seed=8, by=organizer)
    recipe = AdaptiveRecipe("mtf", 4, find_judged(task=task)[0])
    with refused("nothing-drawn"):
        build_pool(task=task, name="more", seed=5, by=organizer, recipe=recipe)


def test_build_pool_makes_rows_that_the_database_does_not_let_change() -> None:
    task = make_task()
    make_run(task)
    pool = build_pool(task=task, name="first", seed=7, by=make_organizer(task.track))
    with pytest.raises(ProgrammingError), transaction.atomic():
        PoolItem.objects.filter(pool=pool).update(position=99)
    with pytest.raises(ProgrammingError), transaction.atomic():
        PoolItem.objects.filter(pool=pool).delete()


def test_build_pool_keeps_strata_and_chances_of_a_sample() -> None:
    task = make_task()
    make_run(task, results={"T1": [f"D{number}" for number in range(8)]})
    pool = build_pool(
        task=task,
        name="sample",
        seed=3,
        by=make_organizer(task.track),
        recipe=SampleRecipe((Stratum(2, 1.0), Stratum(6, 0.5))),
    )
    assert pool.kind == PoolKind.SAMPLE
    rows = pool.items.values_list("docno", "stratum", "chance")
    certain = {docno for docno, stratum, chance in rows if (stratum, chance) == (1, 1.0)}
    assert certain == {"D0", "D1"}
    drawn = {docno for docno, stratum, chance in rows if (stratum, chance) == (2, 0.5)}
    undrawn = set(pool.undrawn_pairs.values_list("docno", flat=True))
    assert len(drawn) == len(undrawn) == 2
    assert drawn | undrawn == {"D2", "D3", "D4", "D5"}


def test_build_pool_draws_the_next_batch_by_published_qrels() -> None:
    task = make_task()
    by = make_organizer(task.track)
    make_run(task, tag="good", results={"T1": [f"G{number}" for number in range(6)]})
    make_run(task, tag="poor", results={"T1": [f"P{number}" for number in range(6)]})
    pools = []
    for number in (1, 2):
        pooled, log = find_judged(task=task)
        recipe = AdaptiveRecipe("maxmean", 4, pooled, log)
        pools.append(build_pool(task=task, name=f"batch {number}", seed=5, by=by, recipe=recipe))
        grades = {("T1", item.docno): 2 * item.docno.startswith("G") for item in pools[-1].items.all()}
        qrels = make_qrels(task, name="people", version=number, grades=grades)
    first, second = pools
    assert first.recipe["log"] == {"qrels": None, "relevance_level": 1, "pools": []}
    assert second.recipe["log"]["pools"] == ["batch 1"]
    assert second.recipe["log"]["qrels"]["version"] == 1
    docnos = [set(pool.items.values_list("docno", flat=True)) for pool in pools]
    assert not docnos[0] & docnos[1]
    assert sum(docno.startswith("G") for docno in docnos[1]) >= 3  # the good run found more
    assert qrels.version == 2


def test_documents_that_cannot_be_graded_are_left_out_and_counted() -> None:
    task = make_task()
    make_document(task.collection, docno="text")
    make_document(task.collection, docno="picture", fields=[], image=make_image())
    make_document(task.collection, docno="nothing", fields=[])
    make_run(task, results={"T1": ["nothing", "text", "picture"], "T2": ["nothing"]})
    by = make_organizer(task.track)
    pool = build_pool(task=task, name="all", seed=5, by=by)
    assert set(pool.items.values_list("topic", "docno")) == {("T1", "text"), ("T1", "picture")}
    assert pool.recipe["left_out"] == {"empty": 2}
    # One item of a task that retrieves pictures has none: it is reported, and left out if requested.
    assert PoolItem.objects.bare(task).values_list("docno", flat=True).get() == "text"
    pool = build_pool(task=task, name="pictures", seed=5, by=by, leaves_out_bare=True)
    assert set(pool.items.values_list("topic", "docno")) == {("T1", "picture")}
    assert pool.recipe["left_out"] == {"empty": 2, "bare": 1}


def test_pool_of_a_text_task_needs_texts() -> None:
    task = make_task(kind=TaskKind.TEXT_TO_TEXT)
    make_document(task.collection, docno="text")
    make_document(task.collection, docno="picture", fields=[], image=make_image())
    make_run(task, results={"T1": ["text", "picture"]})
    draw = draw_pool(task=task, seed=1, leaves_out_bare=True)
    assert [item.docno for item in draw.drawn["T1"]] == ["text"]
    assert (draw.empty_count, draw.bare_count) == (0, 1)
    bare = make_task()
    make_document(bare.collection, docno="d1", fields=[])
    make_run(bare, results={"T1": ["d1"]})
    with refused("nothing-drawn", match="1 documents without content were left out"):
        draw_pool(task=bare, seed=1)


def test_pool_waits_for_uploads_without_a_verdict() -> None:
    task = make_task()
    make_run(task, results={"T1": ["D1"]})
    make_run(task, results={"T1": ["D9"]}, state=RunState.RECEIVED)
    with refused("runs-not-checked", match="check: 1"):
        build_pool(task=task, name="first", seed=7, by=make_organizer(task.track))
    assert not task.pools.exists()


def test_frozen_pairs_are_a_pool_to_check_topic_by_topic_in_the_seeds_order() -> None:
    task = make_task()
    given: dict[str, Any] = {"task": task, "name": "check", "by": make_organizer(task.track), "seed": 5}
    given["pairs"] = [("T2", "D1"), ("T1", "D2"), ("T1", "D1"), ("T1", "D3")]
    pool = freeze_pairs(reason={"method": "check"}, **given)
    first = presentation_order(["D1", "D2", "D3"], topic="T1", seed=5)
    assert _pairs(pool) == [*(("T1", docno) for docno in first), ("T2", "D1")]
    assert (pool.kind, pool.recipe, pool.seed) == (PoolKind.CHECK, {"method": "check"}, 5)
    with refused("pool-name-taken"):
        freeze_pairs(reason={}, **given)
