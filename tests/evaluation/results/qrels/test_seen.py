"""Counts of pairs by what people and a judge were shown."""

import pytest

from evaluation.models import Pool, Qrels, QrelsKind, Task
from evaluation.results.qrels.actions import GradedPair, publish_qrels
from evaluation.results.qrels.seen import compare_seen
from tests.factories import make_pool, make_task
from trackside.findings.provenance import PeopleProvenance
from trackside.reporting.design import SeenTogether

pytestmark = pytest.mark.django_db
FIRST, OTHER = "1" * 64, "2" * 64
NOT_KNOWN = ("", "")


def test_pairs_of_both_are_counted_by_what_was_shown() -> None:
    """D1 equal, people on a part; D2 equal, the judge on a part; D3 another item; D4 and D5 not known."""
    people = {
        "D1": (FIRST, "part"), "D2": (FIRST, "whole"), "D3": (FIRST, "whole"), "D4": NOT_KNOWN,
        "D5": (FIRST, "whole"), "D6": (FIRST, "whole"),
    }  # fmt: skip
    judge = {
        "D1": (FIRST, "whole"), "D2": (FIRST, "part"), "D3": (OTHER, "whole"), "D4": (FIRST, "part"),
        "D5": NOT_KNOWN,
    }  # fmt: skip
    task = make_task(topic_count=2, document_count=6)
    pool = make_pool(task, pairs=[("T1", docno) for docno in people])
    by_people, by_judge = (
        _published(pool.task, kind, seen, pool)
        for kind, seen in ((QrelsKind.HUMAN, people), (QrelsKind.MODEL, judge))
    )
    assert compare_seen(people=by_people, judge=by_judge) == SeenTogether(5, 3, 2, 1, 1)
    assert compare_seen(people=by_people, judge=by_judge, topics=["T2"]) == SeenTogether(0, 0, 0, 0, 0)


def _published(task: Task, kind: QrelsKind, seen: dict[str, tuple[str, str]], pool: Pool) -> Qrels:
    pairs = [GradedPair("T1", docno, 1, None, "ok", *values) for docno, values in seen.items()]
    return publish_qrels(
        task=task,
        name=kind,
        kind=kind,
        pairs=pairs,
        provenance=PeopleProvenance(),
        by=pool.created_by,
        pool=pool,
    )
