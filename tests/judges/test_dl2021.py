"""Part of TREC DL 2021 (grades 0 to 3, texts): a judge behind a local server, from its page to the report.

The passages are not in the shared cases: each has a text that says what the server answers, NIST's grade or
another one.
"""

import gzip
import re
from collections import Counter
from collections.abc import Iterator
from hashlib import md5
from pathlib import Path

import pytest
import pytrec_eval
from django.test import Client
from scipy.stats import kendalltau

from evaluation.models import Criteria, Document, Phase, Pool, Qrels, QrelsKind, TaskKind
from evaluation.results.reports.actions import compute_report
from evaluation.tasks import run_operations
from judges.models import Job, Judge, Mapping, Trial
from judges.trials.actions import run_trial
from tests.factories import make_pool, make_run, make_staff, make_task, make_team, make_topic
from tests.judges.endpoint import Act, Endpoint, Request, running
from tests.judges.factories import publish_people, run_to_end
from tests.judges.pages.setting import address
from tests.oracles.shared import real_runs

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

TAGS = ("p_bm25", "p_bm25rm3", "p_tct0", "mono_h3", "pash_r1", "bl_bcai_p_trad", "TUW_DR_Base", "NLE_P_quick")
TOPICS, DEPTH, POOLED = 8, 100, 10
WORTH = re.compile(r"worth (\d)")
Grades = dict[tuple[str, str], int]


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """A server that answers the grade in the passage; canaries have none."""
    with running(lambda request: Act(text=f"Grade: {_worth(request)}")) as served:
        yield served


def _worth(request: Request) -> str:
    found = WORTH.search(request.shown)
    return found[1] if found else "0"


def read_results(folder: Path, tag: str, topics: set[str]) -> dict[str, list[str]]:
    results: dict[str, list[str]] = {topic: [] for topic in topics}
    with gzip.open(folder / "runs" / f"{tag}.gz", "rt") as file:
        for topic, _, docno, *_ in map(str.split, file):
            if topic in topics and len(results[topic]) < DEPTH:
                results[topic].append(docno)
    return results


def read_people(folder: Path) -> Grades:
    with gzip.open(folder / "nist.qrels.gz", "rt") as file:
        return {(topic, docno): int(grade) for topic, _, docno, grade in map(str.split, file)}


def answered(pair: tuple[str, str], grade: int) -> int:
    """NIST's grade, but for three of ten pairs the one below (or 1 for 0)."""
    return (
        abs(grade - 1) if md5("".join(pair).encode(), usedforsecurity=False).digest()[0] % 10 < 3 else grade
    )


def make_dl_pool(people: Grades, runs: dict[str, dict[str, list[str]]]) -> Pool:
    topics = sorted(next(iter(runs.values())))
    pairs = {
        (topic, docno): people[topic, docno]
        for results in runs.values()
        for topic in topics
        for docno in results[topic][:POOLED]
        if (topic, docno) in people
    }
    task = make_task(kind=TaskKind.TEXT_TO_TEXT, phase=Phase.JUDGING)
    words = [{"grade": grade, "name": f"Grade {grade}", "text": ""} for grade in range(4)]
    Criteria.objects.filter(task=task).update(grades=words)
    for topic in topics:
        make_topic(task, number=topic, fields=[["query", f"Query {topic}"]])
    texts = {
        docno: f"Passage {docno} worth {answered((topic, docno), grade)}"
        for (topic, docno), grade in pairs.items()
    }
    Document.objects.bulk_create(
        Document(collection=task.collection, docno=docno, fields=[["text", text]])
        for docno, text in texts.items()
    )
    for tag, results in runs.items():
        make_run(task, team=make_team(task.track), tag=tag, results=results)
    pool = make_pool(task, pairs=list(pairs))
    publish_people(pool, pairs, name="nist")
    return pool


def judged_through_pages(client: Client, pool: Pool, endpoint: Endpoint) -> Qrels:
    """Create and try the judge, start its job, freeze its mapping and publish its grades on the pages."""
    task = pool.task
    client.force_login(make_staff())
    given = {"name": "umbrela", "preset": "after-umbrela-own-words (version 1)", "model": "m-2026-01-31"}
    client.post(address("setup_judges", task), given | {"endpoint": endpoint.url})
    run_trial(trial_id=Trial.objects.get().pk)
    assert "works: score" in client.get(address("setup_judges", task)).content.decode()
    client.force_login(pool.created_by)
    client.post(address("job_start", task), {"judge": Judge.objects.get().pk, "pool": pool.pk})
    job = run_to_end(Job.objects.get())
    client.post(address("mapping_fit", task, job), {"share": 50})
    client.post(address("job_publish", task, job), {"mapping": Mapping.objects.get().pk})
    run_operations()
    return Qrels.objects.get(kind=QrelsKind.MODEL)


def kappa_of(pairs: list[tuple[int, int]]) -> float:
    alike = sum(a == b for a, b in pairs) / len(pairs)
    first, second = (Counter(pair[side] for pair in pairs) for side in (0, 1))
    by_chance = sum(first[grade] * second[grade] for grade in range(4)) / len(pairs) ** 2
    return (alike - by_chance) / (1 - by_chance)


def means_of(runs: dict[str, dict[str, list[str]]], grades: Grades) -> list[float]:
    """Mean nDCG@10 of each run by trec_eval."""
    qrels: dict[str, dict[str, int]] = {}
    for (topic, docno), grade in grades.items():
        qrels.setdefault(topic, {})[docno] = grade
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"})
    scored = (
        {
            topic: {docno: -float(rank) for rank, docno in enumerate(docnos)}
            for topic, docnos in results.items()
        }
        for results in runs.values()
    )
    values = (evaluator.evaluate(run) for run in scored)
    return [sum(each["ndcg_cut_10"] for each in of_run.values()) / len(of_run) for of_run in values]


@pytest.mark.usefixtures("with_canaries")
def test_a_text_judge_behind_a_local_server_runs_from_its_page_to_the_report(
    client: Client, endpoint: Endpoint
) -> None:
    folder = real_runs() / "dl2021"
    people = read_people(folder)
    topics = set(sorted({topic for topic, _ in people})[:TOPICS])
    runs = {tag: read_results(folder, tag, topics) for tag in TAGS}
    pool = make_dl_pool(people, runs)

    qrels = judged_through_pages(client, pool, endpoint)

    rows = qrels.pairs.values_list("topic", "docno", "grade")
    by_judge = {(topic, docno): grade for topic, docno, grade in rows if grade is not None}
    assert len(by_judge) == len(rows)
    by_people = {pair: people[pair] for pair in by_judge}
    assert Mapping.objects.get().rule == "as-given"
    assert set(by_judge.values()) == set(by_people.values()) == {0, 1, 2, 3}
    report = compute_report(task=pool.task)
    assert report
    judge = report.summary.judges[0]
    assert judge.grades.kappa == pytest.approx(
        kappa_of([(by_people[pair], by_judge[pair]) for pair in by_judge])
    )
    order = judge.order("nDCG@10")
    tau = kendalltau(means_of(runs, by_people), means_of(runs, by_judge)).statistic
    assert order.tau == pytest.approx(tau)
    page = client.get(address("report_detail", pool.task)).content.decode()
    assert "umbrela" in page
    assert f"{judge.grades.kappa:.2f}" in page
