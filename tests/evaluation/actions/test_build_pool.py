"""Freezing a pool: the union of top results, an order without a trace of runs, and nothing that changes."""

from __future__ import annotations

import pytest
from django.db import ProgrammingError, transaction

from evaluation.actions.build_pool import NoRunsToPool, PoolNameTaken, build_pool
from evaluation.models import Pool, PoolItem, PoolRun, RunState
from tests.factories import make_organizer, make_run, make_task, make_team

pytestmark = pytest.mark.django_db


def _pairs(pool: Pool) -> list[tuple[str, str]]:
    return list(pool.items.order_by("position").values_list("topic", "docno"))


def test_build_pool_takes_each_run_to_its_own_depth() -> None:
    task = make_task(pool_depth=2, baseline_pool_depth=1)
    make_run(task, make_team(task.track, is_baseline=True), results={"T1": ["D1", "D2"], "T2": ["D9", "D8"]})
    make_run(task, results={"T1": ["D3", "D1", "D4"]})
    make_run(task, results={"T1": ["D5", "D6", "D7"]}, pool_depth=3)
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


def test_build_pool_leaves_out_runs_that_do_not_count() -> None:
    task = make_task()
    make_run(task, results={"T1": ["D1"]})
    for state in (RunState.WITHDRAWN, RunState.REPLACED, RunState.REJECTED):
        make_run(task, results={"T1": ["D9"]}, state=state)
    assert _pairs(build_pool(task=task, name="first", seed=7, by=make_organizer(task.track))) == [
        ("T1", "D1")
    ]


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


def test_build_pool_refuses_a_name_that_is_taken_and_a_task_without_runs() -> None:
    task = make_task()
    organizer = make_organizer(task.track)
    with pytest.raises(NoRunsToPool):
        build_pool(task=task, name="first", seed=7, by=organizer)
    assert not Pool.objects.exists()
    make_run(task)
    build_pool(task=task, name="first", seed=7, by=organizer)
    with pytest.raises(PoolNameTaken, match="Choose another name"):
        build_pool(task=task, name="first", seed=8, by=organizer)


def test_build_pool_makes_rows_that_the_database_does_not_let_change() -> None:
    task = make_task()
    make_run(task)
    pool = build_pool(task=task, name="first", seed=7, by=make_organizer(task.track))
    with pytest.raises(ProgrammingError), transaction.atomic():
        PoolItem.objects.filter(pool=pool).update(position=99)
    with pytest.raises(ProgrammingError), transaction.atomic():
        PoolItem.objects.filter(pool=pool).delete()
