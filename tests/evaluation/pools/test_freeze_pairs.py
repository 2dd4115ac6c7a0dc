import pytest

from evaluation.models import Pool, PoolKind
from evaluation.pools.actions import freeze_pairs
from tests.factories import make_organizer, make_task
from tests.refusals import refused
from trackside.pooling.depth import presentation_order

pytestmark = pytest.mark.django_db

PAIRS = [("T2", "D1"), ("T1", "D2"), ("T1", "D1"), ("T1", "D3")]


def freeze(name: str = "check") -> Pool:
    task = make_task()
    by = make_organizer(task.track)
    return freeze_pairs(task=task, name=name, pairs=PAIRS, reason={"method": "check"}, seed=5, by=by)


def test_frozen_pairs_are_a_pool_to_check_topic_by_topic_in_the_seeds_order() -> None:
    pool = freeze()

    first = presentation_order(["D1", "D2", "D3"], topic="T1", seed=5)
    expected = [*(("T1", docno) for docno in first), ("T2", "D1")]
    assert list(pool.items.order_by("position").values_list("topic", "docno")) == expected
    assert (pool.kind, pool.recipe, pool.seed) == (PoolKind.CHECK, {"method": "check"}, 5)


def test_frozen_pairs_need_a_name_that_no_pool_of_the_task_has() -> None:
    pool = freeze()

    with refused("pool-name-taken"):
        freeze_pairs(task=pool.task, name=pool.name, pairs=PAIRS, reason={}, seed=1, by=pool.created_by)
