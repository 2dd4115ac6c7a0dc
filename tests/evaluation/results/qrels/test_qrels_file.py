"""Published qrels, and their files."""

import hashlib
from pathlib import Path

import pytest
from django.test import Client

from evaluation.models import Phase, QrelsKind, ReportProgress, Scoring
from evaluation.results.qrels.actions import GradedPair, publish_qrels
from evaluation.submissions.pools.actions import build_pool
from tests.factories import make_organizer, make_qrels, make_run, make_task
from trackside.files.qrels import Qrels as QrelsFile
from trackside.findings.provenance import PeopleProvenance
from trackside.pooling.recipes import SampleRecipe, Stratum

pytestmark = pytest.mark.django_db


def test_qrels_file_has_the_graded_pairs_in_byte_order(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING)
    lines = b"T1 0 D1 2\nT1 0 D2 0\n"
    grades = {("T1", "D2"): 0, ("T1", "D1"): 2, ("T1", "D3"): None}
    qrels = make_qrels(task, grades=grades, sha256=hashlib.sha256(lines).hexdigest())
    client.force_login(make_organizer(task.track))
    address = f"/tracks/{task.track.slug}/tasks/{task.slug}/qrels/{qrels.pk}"
    answer = client.get(f"{address}.qrels")
    assert answer.content == lines
    assert hashlib.sha256(answer.content).hexdigest() == qrels.sha256
    assert client.get(f"{address}.prels").status_code == 404  # no pool of the task is a sample


def test_prels_file_is_read_by_our_own_reader(client: Client, tmp_path: Path) -> None:
    task = make_task(phase=Phase.JUDGING)
    by = make_organizer(task.track)
    make_run(task, results={"T1": ["D1", "D2", "D3", "D4", "D5"]})
    recipe = SampleRecipe((Stratum(1, 1.0), Stratum(5, 0.5)))
    pool = build_pool(task=task, name="sample", seed=1, by=by, recipe=recipe)
    drawn = sorted(pool.items.exclude(docno="D1").values_list("docno", flat=True))
    qrels = make_qrels(task, grades={("T1", "D1"): 2, ("T1", drawn[0]): 1, ("T1", drawn[1]): None})
    client.force_login(by)
    answer = client.get(f"/tracks/{task.track.slug}/tasks/{task.slug}/qrels/{qrels.pk}.prels")
    expected = dict.fromkeys(("D2", "D3", "D4", "D5"), "2 -1") | {"D1": "1 2", drawn[0]: "2 1"}
    assert answer.content.decode() == "".join(
        f"T1 0 {docno} {expected[docno]}\n" for docno in sorted(expected)
    )
    (tmp_path / "prels").write_bytes(answer.content)
    assert QrelsFile.from_file(tmp_path / "prels", is_sampled=True).strata is not None


def test_prels_are_of_the_latest_sample_and_grade_only_what_it_drew(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING)
    by = make_organizer(task.track)
    make_run(task, results={"T1": ["D1", "D2", "D3", "D4", "D5"]})
    for name, depth, rate in (("first", 5, 1.0), ("second", 4, 0.25)):
        pool = build_pool(task=task, name=name, seed=1, by=by, recipe=SampleRecipe((Stratum(depth, rate),)))
    [drawn] = pool.items.values_list("docno", flat=True)
    qrels = make_qrels(task, grades={("T1", f"D{number}"): 1 for number in range(1, 6)})
    client.force_login(by)
    answer = client.get(f"/tracks/{task.track.slug}/tasks/{task.slug}/qrels/{qrels.pk}.prels")
    expected = [f"T1 0 {docno} 1 {1 if docno == drawn else -1}\n" for docno in ("D1", "D2", "D3", "D4")]
    assert answer.content.decode() == "".join(expected)


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
