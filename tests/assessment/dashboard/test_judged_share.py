"""The report's note on unfinished judging."""

from datetime import timedelta

import pytest

from assessment.dashboard.progress import counted_share
from evaluation.models import PoolKind
from evaluation.qrels.shares import JudgedShare, judged_share
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.factories import make_pool, make_qrels

pytestmark = pytest.mark.django_db


def test_share_counts_items_once_and_judgments_since_the_qrels() -> None:
    pool = make_judging_pool()  # T1: D2, D1, D3; T2: D1
    make_pool(pool.task, pairs=[("T1", "D1")])  # pooled twice
    make_pool(pool.task, pairs=[("T2", "D3")], kind=PoolKind.CHECK)  # asked for by a model
    published = make_qrels(pool.task, grades={("T1", "D2"): 1, ("T2", "D1"): None})
    judge(make_assignment(pool), "D1", 2)
    assert counted_share(pool.task, published) == JudgedShare(2, 4, 1)
    published.created_at += timedelta(minutes=1)
    assert judged_share(pool.task, published) == JudgedShare(2, 4, 0)


@pytest.mark.parametrize(
    ("share", "is_partial"),
    [(JudgedShare(3, 4, 0), True), (JudgedShare(4, 4, 1), True), (JudgedShare(4, 4, 0), False)],
)
def test_share_is_partial_while_the_report_may_change(share: JudgedShare, is_partial: bool) -> None:
    assert share.is_partial == is_partial
