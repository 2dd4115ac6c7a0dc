"""Counters equal a recount after people lease, grade, undo and remark at the same time."""

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model

from assessment.judging.leases import NothingLeft, lease_items
from assessment.models import AssignedCount, JudgedQuarter, QueuedTopic, Tally
from evaluation.models import Pool, User
from tests.aggregates_sql import recount
from tests.assessment.factories import judge, make_queue, remark
from tests.assessment.random_judging import shared_counts, undo_last

pytestmark = pytest.mark.django_db(transaction=True)

COUNTERS: tuple[type[Model], ...] = (JudgedQuarter, Tally, AssignedCount, QueuedTopic)


def counted() -> dict[str, list[str]]:
    """Every row of the counters that counts something."""
    found: dict[str, list[str]] = {}
    for model in COUNTERS:
        rows: list[dict[str, Any]] = list(model._default_manager.values())
        found[model.__name__] = sorted(
            str({name: value for name, value in row.items() if name != "id"})
            for row in rows
            if row.get("count", row.get("item_count", row.get("slot_count")))
        )
    return found | {"SharedTally": sorted(map(str, shared_counts().items()))}


def work(pool: Pool, person: User, seed: int) -> None:
    """Lease items of the queue until none is left; grade, regrade, undo and remark."""
    dice = random.Random(seed)
    try:
        for _ in range(3):
            given = lease_items(pool=pool, by=person, size=2)
            for docno in given.items.order_by("place").values_list("docno", flat=True):
                judge(given, docno, dice.choice([0, 1, 2]))
                judge(given, docno, dice.choice([0, 1, 2]))
                remark(given, docno, is_flagged=dice.random() < 0.5)
            if dice.random() < 0.5:
                undo_last(given)
    except NothingLeft:
        pass
    finally:
        connection.close()


@pytest.mark.parametrize("seed", range(2))
def test_counters_equal_a_recount_after_concurrent_work(seed: int) -> None:
    pool, people = make_queue(assessors=4, percent=100, count=4)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda person: work(pool, person, 10 * seed + person.pk), people))
    kept = counted()
    recount()
    assert kept == counted()
    assert all(kept.values())
