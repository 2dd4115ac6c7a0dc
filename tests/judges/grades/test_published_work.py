"""Qrels of a job record the work behind them: what was read, encoded and generated, and its cost."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import F
from pytest_django import Settings

from evaluation.models import Pool, Topic
from judges.models import Job, Judge, Price
from tests.factories import make_pool
from tests.judges.factories import (
    Scripted,
    fitted,
    judged,
    make_generator,
    make_image_pool,
    make_judge,
    published,
    scripted_response,
)
from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import Ask, EndpointError, Response

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


def work_of(judge: Judge, pool: Pool) -> dict[str, Any]:
    found: dict[str, Any] = published(judged(judge, pool)).provenance["work"]
    return found


def test_publish_job_shows_how_much_of_each_field_was_read_and_warns() -> None:
    # Six words are read: T1 fills them with its title, in T2 one word of text is left out.
    pool = make_image_pool(topic_count=2, image_count=3)
    texts = {"T1": ["a b c d e f g", "h i"], "T2": ["a", "b c d e f g"]}
    for number, (title, text) in texts.items():
        fields = [["section_title", title], ["context_section_description", text], ["page_title", "x y z"]]
        Topic.objects.filter(task=pool.task, number=number).update(fields=fields)
    read = ("section_title", "context_section_description", "page_title")

    provenance = published(judged(make_judge(text_fields=read), pool)).provenance

    keys = ("field", "texts", "tokens", "seen_tokens", "never_seen_count")
    rows = [
        ("section_title", 2, 8, 7, 0),
        ("context_section_description", 2, 8, 5, 1),
        ("page_title", 2, 6, 0, 2),
    ]
    assert provenance["texts"] == {
        "count": 2,
        "cut_count": 2,
        "fields": [dict(zip(keys, row, strict=True)) for row in rows],
    }
    (warning,) = provenance["warnings"]
    assert "no token of the field page_title in 2 of 2 texts" in warning


def test_publish_job_warns_where_equal_scores_leave_grades_empty(scripted: Scripted) -> None:
    scripted.script = staticmethod(lambda ask: Response(ask.id, Reading(Outcome.OK, 42)))

    qrels = published(judged(make_generator()))

    # Both quantiles are 42, and a score that equals both gets grade 1.
    assert set(qrels.pairs.values_list("grade", flat=True)) == {1}
    (warning,) = qrels.provenance["warnings"]
    assert warning.startswith("By paper-2024 no pair gets grade 0 or 2.")


def test_publish_job_records_the_work_of_an_encoder() -> None:
    pool = make_image_pool(topic_count=2, image_count=3)
    job = judged(make_judge(), pool)
    Job.objects.filter(pk=job.pk).update(started_at=F("finished_at") - timedelta(seconds=90))
    mapping = fitted(job)
    job.refresh_from_db()

    work = published(job, mapping).provenance["work"]

    unknown = ["asked_count", "stored_count", "request_count", "input_tokens", "output_tokens"]
    unknown += ["cost_micros", "currency", "latency_seconds"]
    assert work == {"pair_count": 6, "duration_seconds": 90.0} | dict.fromkeys(unknown)


def test_publish_job_records_the_work_of_a_generator(scripted: Scripted, settings: Settings) -> None:
    settings.CURRENCY = "EUR"
    pool = make_image_pool(topic_count=2, image_count=3)
    judge = make_generator()
    Price.objects.create(model=judge.model, input_price=Decimal(2), output_price=Decimal(10))
    failed: list[str] = []

    def once_busy(ask: Ask) -> Response:
        if not failed:
            failed.append(ask.id)
            return Response(ask.id, fault=EndpointError.SERVER_ERROR)
        return replace(scripted_response(ask), latency_ms=250)

    scripted.script = staticmethod(once_busy)

    first = work_of(judge, pool)
    larger = make_pool(pool.task, pairs=[("T1", "D1"), ("T1", "D2")])
    stored = work_of(judge, larger)

    # Seven requests, the failed one free. Six responses of 100 and 5 tokens at 2 and 10 a million: 250 micros
    assert {name: first[name] for name in first if name != "duration_seconds"} == {
        "pair_count": 6,
        "asked_count": 6,
        "stored_count": 0,
        "request_count": 7,
        "input_tokens": 600,
        "output_tokens": 30,
        "cost_micros": 1500,
        "currency": "EUR",
        "latency_seconds": 1.5,
    }
    # Answers of an earlier job are reused: no tokens, no time and no cost.
    assert (stored["pair_count"], stored["asked_count"], stored["stored_count"]) == (2, 0, 2)
    assert (stored["request_count"], stored["cost_micros"]) == (0, 0)
    assert {stored[name] for name in ("input_tokens", "latency_seconds", "duration_seconds")} == {None}


def test_publish_job_gives_no_cost_without_a_price_and_no_uncounted_tokens(scripted: Scripted) -> None:
    scripted.script = staticmethod(lambda ask: replace(scripted_response(ask), usage=None))
    judge = make_generator()

    work = work_of(judge, make_image_pool())

    assert (work["request_count"], work["cost_micros"], work["currency"]) == (6, None, None)
    assert (work["input_tokens"], work["output_tokens"], work["latency_seconds"]) == (None, None, None)
    Price.objects.create(model=judge.model, input_price=Decimal(0), output_price=Decimal(0))
    assert work_of(judge, make_image_pool())["cost_micros"] == 0  # not the same as no price


def test_publish_job_lets_repeats_be_paired(scripted: object) -> None:
    pool = make_image_pool()
    shared = {"model": "m", "model_revision": "1"}
    judges = [
        make_generator(prompt="{fields} Relevance?\n{image}", **shared),
        make_generator(prompt="{fields} Relevance?\n{image}", seed=1, **shared),
        make_generator(prompt="{image}\n{fields} Relevance?", **shared),
    ]

    test, retest, image_first = (published(judged(judge, pool)).provenance for judge in judges)

    assert test["identity"] == retest["identity"] == image_first["identity"]
    assert len({each["identity_sha256"] for each in (test, retest, image_first)}) == 3
    assert (test["order"], test["seed"]) == ({"image": "last", "fields": []}, 0)
    assert (retest["order"], retest["seed"]) == (test["order"], 1)
    assert image_first["order"]["image"] == "first"
