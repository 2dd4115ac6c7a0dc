"""The steps of docs/judges.md that repeat the track paper of 2024, on a fresh track of its shape."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.test import Client

from evaluation.models import Document, Image, Phase, Pool, Qrels, QrelsKind, Topic
from evaluation.results.reports.actions import compute_report
from evaluation.tasks import run_operations
from judges.models import Job, Judge, Mapping
from tests.factories import make_family, make_image, make_pool, make_run, make_staff, make_task, make_team
from tests.judges.endpoint import Act, Endpoint, Request, running, score_of
from tests.judges.factories import publish_people, run_to_end
from tests.judges.pages.setting import address
from trackside.judging.settings import SECTION_FIRST
from trackside.reporting.chance import CHANCE

pytestmark = [pytest.mark.django_db]

RUNS, PICTURES, DEPTH = 16, 1_500, 100
SOURCE = "Yang and Lin (2024), pasted"
PASTED = """Section: {section_title} {context_section_description}
Page: {page_title} {context_page_description}
{image}
Relevance from 1 to 100, as Relevance: <score>"""
JUDGES = ("clipscore", "llava", "gpt-4v")


def make_paper_pool(topic_count: int, pair_count: int) -> Pool:
    """Topics of four fields, pictures, people's grades of the pool, and runs by these grades and noise."""
    rng = np.random.default_rng(2024)
    task = make_task(phase=Phase.JUDGING)
    family = make_family(task, name="CLIP-based")
    topics = [f"T{number:02}" for number in range(1, topic_count + 1)]
    Topic.objects.bulk_create(
        Topic(task=task, number=topic, fields=[[name, f"{name} of {topic}"] for name in SECTION_FIRST])
        for topic in topics
    )
    pictures: list[Image] = [make_image() for _ in range(PICTURES)]
    docnos = [f"D{number:04}" for number in range(PICTURES)]
    Document.objects.bulk_create(
        Document(collection=task.collection, docno=docno, fields=[], image=picture)
        for docno, picture in zip(docnos, pictures, strict=True)
    )
    of_topic = {
        topic: [docnos[place] for place in rng.permutation(PICTURES)[: len(part)]]
        for topic, part in zip(topics, np.array_split(range(pair_count), topic_count), strict=True)
    }
    grades = {
        (topic, docno): int(grade)
        for topic, pooled in of_topic.items()
        for docno, grade in zip(pooled, rng.choice(3, len(pooled), p=(0.6, 0.25, 0.15)), strict=True)
    }
    for number in range(RUNS):
        noise = 0.5 + number / 8
        results = {topic: _ranked(rng, topic, pooled, grades, noise) for topic, pooled in of_topic.items()}
        run = make_run(task, team=make_team(task.track), tag=f"run{number:02}", results=results)
        if number < RUNS // 2:
            run.families.add(family)
    pool = make_pool(task, pairs=list(grades))
    publish_people(pool, grades)
    return pool


def _ranked(
    rng: np.random.Generator,
    topic: str,
    pooled: Sequence[str],
    grades: dict[tuple[str, str], int],
    noise: float,
) -> list[str]:
    scores = [grades[topic, docno] + rng.normal(0, noise) for docno in pooled]
    return [pooled[place] for place in np.argsort(scores)[::-1][:DEPTH]]


def make_paper_judges(client: Client, pool: Pool, endpoint: Endpoint, clip: Path) -> list[Judge]:
    """Paste the prompt, and create the three judges on the page."""
    client.force_login(make_staff())
    pasted = {"name": "yang-lin-2024", "template": PASTED, "answer": "relevance-1-100", "source": SOURCE}
    client.post(address("prompt_create", pool.task), pasted | {"is_of_site": "on"})
    asked = {"preset": "yang-lin-2024 (version 1)", "endpoint": endpoint.url}
    for name, given in (
        ("clipscore", {"preset": "clip: clip-four-fields", "model": str(clip)}),
        ("llava", asked | {"model": "llava-hf/llava-1.5-7b-hf", "model_revision": "0" * 40}),
        ("gpt-4v", asked | {"model": "gpt-4-vision-2024-04-09"}),
    ):
        client.post(address("setup_judges", pool.task), {"name": name, **given})
    return [Judge.objects.get(name=name) for name in JUDGES]


def answer(request: Request) -> Act:
    """A score of the words and the picture, lower for one model; so both judges differ."""
    score = score_of(request.shown)
    return Act(text=f"Relevance: {score if 'gpt' in request.body['model'] else 1 + score * score // 101}")


@pytest.mark.parametrize(
    ("topic_count", "pair_count"),
    [pytest.param(3, 400, marks=pytest.mark.whole), pytest.param(74, 9_818, marks=pytest.mark.long)],
)
def test_a_fresh_track_gets_the_paper_s_tables_and_figures_by_both_mappings(
    client: Client, tiny_clip: Path, topic_count: int, pair_count: int
) -> None:
    pool = make_paper_pool(topic_count, pair_count)
    task = pool.task
    assert pool.items.count() == pair_count
    with running(answer) as endpoint:
        judges = make_paper_judges(client, pool, endpoint, tiny_clip)
        client.force_login(pool.created_by)
        for judge in judges:
            client.post(address("job_start", task), {"judge": judge.pk, "pool": pool.pk})
        jobs = [run_to_end(job) for job in Job.objects.order_by("pk")]
    assert [job.scored_count for job in jobs] == [pair_count] * 3
    for rule in ("paper-2024", "f1-cuts"):
        for job in jobs:
            people = Qrels.objects.get(name="people")
            client.post(address("mapping_fit", task, job), {"rule": rule, "people": people.pk, "share": 50})
            mapping = Mapping.objects.get(judge=job.judge, rule=rule)
            client.post(address("job_publish", task, job), {"mapping": mapping.pk})
            run_operations()
        check_paper_section(task, rule)
    provenance = Qrels.objects.filter(name="gpt-4v").latest("version").provenance
    assert (provenance["prompt_name"], provenance["prompt_source"]) == ("yang-lin-2024", SOURCE)
    assert "As in the track paper" in client.get(address("report_detail", task)).content.decode()


def check_paper_section(task: Any, rule: str) -> None:
    """Tables 2 and 3 have the judges and chance, the figures a panel or a bar for each judge."""
    published = Qrels.objects.filter(kind=QrelsKind.MODEL).order_by("name", "-version").distinct("name")
    assert {each.provenance["mapping"]["rule"] for each in published} == {rule}
    report = compute_report(task=task)
    assert report
    (paper,) = [section for section in report.sections if section["name"] == "paper"]
    rows = {table["name"]: table["rows"] for table in paper["tables"]}
    assert sorted(row[0] for row in rows["paper-table-2"]) == sorted([*JUDGES, CHANCE])
    assert {(row[0], row[1]) for row in rows["paper-table-3"]} == {
        ("CLIP-based", name) for name in (*JUDGES, CHANCE, "people")
    }
    assert [figure["name"] for figure in paper["figures"]] == [
        "paper-1-ndcg-10",
        "paper-1-ap",
        "paper-2",
        "paper-3",
    ]
