import hashlib

import pytest

from evaluation.models import QrelsKind, ReportProgress, Scoring
from evaluation.qrels.actions import GradedPair, publish_qrels
from tests.factories import make_organizer, make_task
from trackside.findings.provenance import PeopleProvenance

pytestmark = pytest.mark.django_db


def test_published_topics_are_in_byte_order_and_results_are_queued() -> None:
    task = make_task()
    pairs = [GradedPair(topic, "D1", 1, None, "ok") for topic in ("é", "b", "B", "a")]
    gap = GradedPair("gap", "D1", None, None, "unjudged")
    qrels = publish_qrels(
        task=task,
        name="people",
        kind=QrelsKind.HUMAN,
        pairs=[*pairs, gap],
        provenance=PeopleProvenance(),
        by=make_organizer(task.track),
    )
    assert qrels.topics == ["B", "a", "b", "é"]
    assert (qrels.pair_count, qrels.graded_count) == (5, 4)
    lines = "B 0 D1 1\na 0 D1 1\nb 0 D1 1\né 0 D1 1\n"  # of the file, whatever the order of the pairs
    assert qrels.sha256 == hashlib.sha256(lines.encode()).hexdigest()
    assert Scoring.objects.get(task=task).queued_at
    assert ReportProgress.objects.get(task=task).queued_at
