"""Many shards reserve money from one budget at once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from judges.jobs.budgets import Room, reserve_money, settle_shard
from judges.models import Budget, Job, LedgerEntry, Shard, ShardContent
from tests.judges.factories import make_generator, make_image_pool, started

pytestmark = pytest.mark.usefixtures("scripted")

THREADS = 8


def make_small_job() -> Job:
    return started(make_generator(), make_image_pool(topic_count=1, image_count=1))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("shards", [40, pytest.param(200, marks=pytest.mark.long)])
def test_shards_that_reserve_at_once_never_pass_the_cap(shards: int) -> None:
    bound = 1000
    job = make_small_job()
    rows = Shard.objects.bulk_create(
        Shard(job=job, side=ShardContent.PAIR, inputs=[], input_count=0) for _ in range(shards)
    )
    Budget.objects.update(cap_micros=shards * bound - 1)
    barrier = Barrier(THREADS)

    def reserve(own: list[Shard]) -> int:
        barrier.wait()
        try:
            return sum(reserve_money(shard=shard, micros=bound) is Room.RESERVED for shard in own)
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as threads:
        granted = sum(threads.map(reserve, (rows[place::THREADS] for place in range(THREADS))))

    assert granted == shards - 1
    assert set(Budget.objects.values_list("reserved_micros", flat=True)) == {(shards - 1) * bound}

    # Each spends 300 of its 1,000; the rest is released, so the money left covers the last one.
    def settle(own: list[Shard]) -> None:
        barrier.wait()
        for shard in own:
            LedgerEntry.objects.create(
                job=job, shard=shard, request_key="k", bound_micros=bound, cost_micros=300, outcome="ok",
                ended_at="2026-01-01T00Z",
            )  # fmt: skip
            settle_shard(shard=shard)
        connection.close()

    reserved = list(Shard.objects.filter(reserved_micros__gt=0))
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(settle, (reserved[place::THREADS] for place in range(THREADS))))

    assert set(Budget.objects.values_list("reserved_micros", "spent_micros")) == {(0, 300 * (shards - 1))}
    last = next(each for each in rows if each.pk not in {shard.pk for shard in reserved})
    assert reserve_money(shard=last, micros=bound) is Room.RESERVED


@pytest.mark.django_db
def test_whole_budget_can_be_reserved_and_nothing_more() -> None:
    job = make_small_job()
    shard = job.shards.get()
    Budget.objects.filter(job=job).update(cap_micros=10)

    assert reserve_money(shard=shard, micros=11) is Room.NEVER
    assert reserve_money(shard=shard, micros=10) is Room.RESERVED
    assert reserve_money(shard=shard, micros=1) is Room.NEVER, "only its own reservation could come back"
    assert Budget.objects.get(job=job).reserved_micros == 10


@pytest.mark.django_db
def test_money_that_comes_back_to_one_budget_does_not_fill_the_other() -> None:
    job = make_small_job()
    Budget.objects.filter(job=job).update(cap_micros=3)
    Budget.objects.filter(track=job.pool.task.track).update(cap_micros=10, reserved_micros=10)
    assert reserve_money(shard=job.shards.get(), micros=4) is Room.NEVER


@pytest.mark.django_db
def test_money_that_another_worker_holds_is_waited_for() -> None:
    """Money released between a failed reservation and the decision to wait must not be missed."""
    job = make_small_job()
    own = job.shards.get()
    other = Shard.objects.create(job=job, side=ShardContent.PAIR, inputs=[], input_count=0)
    Budget.objects.filter(job=job).update(cap_micros=10)
    assert reserve_money(shard=other, micros=10) is Room.RESERVED

    room = reserve_money(shard=own, micros=4)
    settle_shard(shard=other)  # the other worker ends here and has spent nothing

    assert room is Room.LATER
    assert reserve_money(shard=own, micros=4) is Room.RESERVED
    assert reserve_money(shard=other, micros=11) is Room.LATER
