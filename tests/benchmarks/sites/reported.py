"""Fills a site with a report: ``python -m tests.benchmarks.sites.reported RUNS TOPICS ITEMS``.

The runs are those of bench_report, and people judged so many items a topic. Prints a JSON object: the address
of the report and an organizer's cookie.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import django
import numpy as np

if TYPE_CHECKING:
    from evaluation.models import Task

RESULTS = 100  # documents a topic and run


def fill(run_count: int, topic_count: int, item_count: int) -> dict[str, str]:
    """Two families, teams of three, people and two models."""
    from django.conf import settings
    from django.db import connection
    from django.test import Client
    from django.urls import reverse

    from evaluation.models import Phase
    from evaluation.results.reports.actions import compute_report
    from tests.benchmarks.bench_report import runs_of, truth
    from tests.factories import make_family, make_organizer, make_run, make_task, make_team, make_topic

    task = make_task(phase=Phase.RELEASED)
    grades = truth(topic_count)
    for topic in grades:
        make_topic(task, number=topic)
    family = make_family(task, name="CLIP-based")
    teams = [make_team(task.track) for _ in range(0, run_count, 3)]
    for place, rankings in enumerate(runs_of(run_count, topic_count)):
        results = {
            topic: sorted(scores, key=scores.__getitem__, reverse=True)[:RESULTS]
            for topic, scores in rankings.to_dict().items()
        }
        run = make_run(task, teams[place // 3], tag=f"run{place:03d}", results=results)
        if place % 2:
            run.families.add(family)
    _judge(task, grades, item_count)
    compute_report(task=task)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    client = Client()
    client.force_login(make_organizer(task.track))
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    return {
        "section": reverse("report_section", args=[task.track.slug, task.slug, "order"]),
        "report": reverse("report_detail", args=[task.track.slug, task.slug]),
        "cookie": f"{settings.SESSION_COOKIE_NAME}={session}",
    }


def _judge(task: Task, grades: dict[str, np.ndarray], item_count: int) -> None:
    """Qrels of people for so many items a topic, and of two models for the same items."""
    from evaluation.models import QrelsKind
    from tests.factories import make_pool, make_qrels

    dice = np.random.default_rng(1)
    people = {
        (topic, f"d{docno}"): int(own[docno])
        for topic, own in grades.items()
        for docno in dice.permutation(len(own))[:item_count]
    }
    make_pool(task, pairs=list(people))
    make_qrels(task, name="people", grades=people)
    for name in ("clipscore", "llava"):
        model = {pair: int(np.clip(grade + dice.integers(-1, 2), 0, 2)) for pair, grade in people.items()}
        make_qrels(task, name=name, kind=QrelsKind.MODEL, grades=model)


if __name__ == "__main__":
    django.setup()
    print(json.dumps(fill(*map(int, sys.argv[1:]))))
