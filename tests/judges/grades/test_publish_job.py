from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from django.db.models import F

from evaluation.models import Document, Qrels, QrelsKind, Topic
from judges.core.answers import Outcome, Reading
from judges.core.asking import Ask, EndpointError, Response
from judges.core.prompts import BUILT_IN
from judges.grades.mapping import JobNotCompleted, fit_mapping
from judges.grades.publishing import MappingOfAnotherJudge, publish_job
from judges.jobs.starting import start_job
from judges.models import Job, Judge, Price
from judges.prompts.actions import create_prompt
from tests.factories import make_pool, make_staff
from tests.judges.factories import (
    make_generator,
    make_human_qrels,
    make_image_pool,
    make_judge,
    run_to_end,
    scripted_response,
)

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from pytest_django import Settings

    from evaluation.models import Pool
    from tests.judges.factories import ScriptedGenerator

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


def start(**changes: object) -> Job:
    pool = make_image_pool(topic_count=2, image_count=4)
    Document.objects.filter(collection=pool.task.collection, docno="D4").update(image=None)
    return start_job(judge=make_judge(**changes), pool=pool, by=pool.created_by)


def test_publish_job_grades_the_scored_pairs_and_counts_the_gaps() -> None:
    job = run_to_end(start(name="the-judge"))
    mapping = fit_mapping(job=job, by=job.created_by)

    qrels = publish_job(job=job, mapping=mapping, by=job.created_by)

    assert (qrels.kind, qrels.name, qrels.version) == (QrelsKind.MODEL, "the-judge", 1)
    assert (qrels.pair_count, qrels.graded_count, qrels.pool) == (8, 6, job.pool)
    lower, upper = mapping.thresholds
    for call in job.calls.all():
        pair = qrels.pairs.get(topic=call.topic, docno=call.docno)
        assert (pair.raw_score, pair.outcome) == (call.raw_score, call.outcome)
        if call.raw_score is None:
            assert (pair.docno, pair.grade, pair.outcome) == ("D4", None, "image_missing")
        else:
            assert pair.grade == (0 if call.raw_score < lower else 1 if call.raw_score <= upper else 2)


def test_publish_job_records_the_provenance_of_the_grades() -> None:
    job = run_to_end(start(prompt="A photo depicts", text_fields=("page_title",), model="openai/clip"))
    mapping = fit_mapping(job=job, by=job.created_by)

    provenance = publish_job(job=job, mapping=mapping, by=job.created_by).provenance

    expected: dict[str, Any] = {
        "judge": job.judge.name,
        "identity_sha256": job.judge.identity_sha256,
        "backbone": "openai/clip",
        "prompt": "A photo depicts",
        "text_fields": ["page_title"],
        "mapping": {
            "rule": "paper-2024",
            "version": 1,
            "thresholds": mapping.thresholds,
            "by_topic": {},
            "n": 6,
            "pool": job.pool.name,
            "people": None,
            "fitting_topics": [],
        },
        "left_out_topics": [],
        "prompt_sha256": hashlib.sha256(b"A photo depicts").hexdigest(),
        "prompt_source": None,
        "order": {"image": None, "fields": ["page_title"]},
        "seed": 0,
        "warnings": [],
        "outcomes": {"ok": 6, "image_missing": 2},
    }
    assert {name: provenance[name] for name in expected} == expected


def test_publish_job_names_the_prompt_and_its_version(scripted: object) -> None:
    template = "{fields} {image}"
    create_prompt(name="short", template="{image} {fields}", answer="grade-0-2", by=make_staff())
    create_prompt(name="short", template=template, answer="grade-0-2", source="Smith", by=make_staff())
    pool = make_image_pool()
    named = make_generator(prompt=template, answer="grade-0-2")
    other_form = make_generator(prompt=template, answer="relevance-1-100")
    built_in = make_generator(prompt=BUILT_IN[0].template, answer=BUILT_IN[0].answer)

    prompts = []
    for judge in (named, other_form, built_in):
        job = run_to_end(start_job(judge=judge, pool=pool, by=pool.created_by))
        mapping = fit_mapping(job=job, by=job.created_by)
        provenance = publish_job(job=job, mapping=mapping, by=job.created_by).provenance
        prompts.append((provenance["prompt_name"], provenance["prompt_version"], provenance["prompt_source"]))
        sha256 = hashlib.sha256(judge.prompt.encode()).hexdigest()
        assert provenance["prompt_sha256"] == sha256

    assert prompts == [("short", 2, "Smith"), (None, None, None), (BUILT_IN[0].name, 1, BUILT_IN[0].source)]


def test_publish_job_does_not_reveal_the_folder_of_a_model(tmp_path: Path) -> None:
    job = run_to_end(start(model=str(tmp_path / "tiny-clip")))

    qrels = publish_job(job=job, mapping=fit_mapping(job=job, by=job.created_by), by=job.created_by)

    assert qrels.provenance["backbone"] == "tiny-clip"


def test_publish_job_applies_a_mapping_of_another_pool_unchanged() -> None:
    job = run_to_end(start())
    mapping = fit_mapping(job=job, by=job.created_by)
    pool = make_pool(job.pool.task, pairs=[("T1", "D1"), ("T2", "D1")])
    later = run_to_end(start_job(judge=job.judge, pool=pool, by=job.created_by))

    first = publish_job(job=job, mapping=mapping, by=job.created_by)
    second = publish_job(job=later, mapping=mapping, by=job.created_by)

    assert second.version == 2
    assert (first.pool, second.pool) == (job.pool, pool)
    assert second.provenance["mapping"] == first.provenance["mapping"]
    for topic in ("T1", "T2"):
        grades = {qrels.pairs.get(topic=topic, docno="D1").grade for qrels in (first, second)}
        assert len(grades) == 1


def test_publish_job_refuses_the_thresholds_of_another_judge() -> None:
    job, other = run_to_end(start()), run_to_end(start())
    mapping = fit_mapping(job=other, by=other.created_by)

    with pytest.raises(MappingOfAnotherJudge):
        publish_job(job=job, mapping=mapping, by=job.created_by)


def test_publish_job_waits_for_the_end_of_the_job() -> None:
    done = run_to_end(start())
    mapping = fit_mapping(job=done, by=done.created_by)
    pool = make_pool(done.pool.task, pairs=[("T1", "D1")])
    job = start_job(judge=done.judge, pool=pool, by=done.created_by)

    with pytest.raises(JobNotCompleted):
        publish_job(job=job, mapping=mapping, by=job.created_by)


def test_publish_job_leaves_out_the_topics_that_a_rule_was_fitted_on() -> None:
    pool = make_image_pool(topic_count=4, image_count=4)
    job = run_to_end(start_job(judge=make_judge(), pool=pool, by=pool.created_by))
    mapping = fit_mapping(job=job, by=pool.created_by, rule="f1-cuts", people=make_human_qrels(job))

    qrels = publish_job(job=job, mapping=mapping, by=pool.created_by)

    left = {"T1", "T2", "T3", "T4"} - set(mapping.fitting_topics)
    assert set(qrels.pairs.values_list("topic", flat=True)) == set(qrels.topics) == left
    assert qrels.provenance["left_out_topics"] == mapping.fitting_topics
    assert qrels.provenance["mapping"]["people"] == "people (version 1)"


def test_publish_job_keeps_topics_whose_namesakes_in_another_task_a_rule_was_fitted_on() -> None:
    pool, others = (make_image_pool(topic_count=4, image_count=4) for _ in range(2))
    judge = make_judge()
    job, other = (
        run_to_end(start_job(judge=judge, pool=each, by=each.created_by)) for each in (pool, others)
    )
    mapping = fit_mapping(job=other, by=pool.created_by, rule="f1-cuts", people=make_human_qrels(other))

    qrels = publish_job(job=job, mapping=mapping, by=pool.created_by)

    assert mapping.fitting_topics
    assert qrels.topics == ["T1", "T2", "T3", "T4"]
    assert qrels.provenance["left_out_topics"] == []


def test_publish_job_again_under_another_rule_sends_no_request(counting: list[bytes]) -> None:
    pool = make_image_pool()
    job = run_to_end(start_job(judge=make_judge(), pool=pool, by=pool.created_by))
    counting.clear()

    first, second = (
        publish_job(job=job, mapping=fit_mapping(job=job, by=pool.created_by, rule=rule), by=pool.created_by)
        for rule in ("paper-2024", "per-topic")
    )

    assert counting == []
    assert (first.version, second.version) == (1, 2)
    assert (first.pair_count, second.pair_count) == (6, 6)


def test_publish_job_has_no_grade_for_a_topic_that_the_rule_does_not_know() -> None:
    pool = make_image_pool()
    judge = make_judge()
    job = run_to_end(start_job(judge=judge, pool=pool, by=pool.created_by))
    later = make_pool(pool.task, pairs=[("T1", "D1")])
    mapping = fit_mapping(
        job=run_to_end(start_job(judge=judge, pool=later, by=pool.created_by)),
        by=pool.created_by,
        rule="per-topic",
    )

    qrels = publish_job(job=job, mapping=mapping, by=pool.created_by)

    assert dict(qrels.pairs.values_list("topic", "outcome").distinct()) == {"T1": "ok", "T2": "no_grade"}
    assert qrels.graded_count == 3


def published(judge: Judge, pool: Pool) -> Qrels:
    job = run_to_end(start_job(judge=judge, pool=pool, by=pool.created_by))
    return publish_job(job=job, mapping=fit_mapping(job=job, by=pool.created_by), by=pool.created_by)


def work_of(judge: Judge, pool: Pool) -> dict[str, Any]:
    found: dict[str, Any] = published(judge, pool).provenance["work"]
    return found


def test_publish_job_shows_how_much_of_each_field_was_read_and_warns() -> None:
    # Six words are read: T1 fills them with its title, in T2 one word of text is left out.
    pool = make_image_pool(topic_count=2, image_count=3)
    texts = {"T1": ["a b c d e f g", "h i"], "T2": ["a", "b c d e f g"]}
    for number, (title, text) in texts.items():
        fields = [["section_title", title], ["context_section_description", text], ["page_title", "x y z"]]
        Topic.objects.filter(task=pool.task, number=number).update(fields=fields)
    read = ("section_title", "context_section_description", "page_title")

    provenance = published(make_judge(text_fields=read), pool).provenance

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


def test_publish_job_warns_where_equal_scores_leave_grades_empty(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    def same(ask: Ask) -> Response:
        reading = Reading(Outcome.OK, 42)
        return Response(ask.id, reading, text="Relevance: 42", finish_reason="stop")

    monkeypatch.setattr(scripted, "script", staticmethod(same))

    qrels = published(make_generator(), make_image_pool())

    # Both quantiles are 42, and a score that equals both gets grade 1.
    assert set(qrels.pairs.values_list("grade", flat=True)) == {1}
    (warning,) = qrels.provenance["warnings"]
    assert warning.startswith("By paper-2024 no pair gets grade 0 or 2.")


def test_publish_job_records_the_work_of_an_encoder() -> None:
    pool = make_image_pool(topic_count=2, image_count=3)
    job = run_to_end(start_job(judge=make_judge(), pool=pool, by=pool.created_by))
    Job.objects.filter(pk=job.pk).update(started_at=F("finished_at") - timedelta(seconds=90))
    mapping = fit_mapping(job=job, by=pool.created_by)
    job.refresh_from_db()

    work = publish_job(job=job, mapping=mapping, by=pool.created_by).provenance["work"]

    unknown = ["asked_count", "stored_count", "request_count", "input_tokens", "output_tokens"]
    unknown += ["cost_micros", "currency", "latency_seconds"]
    assert work == {"pair_count": 6, "duration_seconds": 90.0} | dict.fromkeys(unknown)


def test_publish_job_records_the_work_of_a_generator(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
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

    monkeypatch.setattr(scripted, "script", staticmethod(once_busy))

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
    assert (stored["input_tokens"], stored["latency_seconds"], stored["duration_seconds"]) == (
        None,
        None,
        None,
    )


def test_publish_job_gives_no_cost_without_a_price_and_no_uncounted_tokens(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(ask: Ask) -> Response:
        return replace(scripted_response(ask), usage=None)

    monkeypatch.setattr(scripted, "script", staticmethod(silent))

    work = work_of(make_generator(), make_image_pool())

    assert (work["request_count"], work["cost_micros"], work["currency"]) == (6, None, None)
    assert (work["input_tokens"], work["output_tokens"], work["latency_seconds"]) == (None, None, None)


def test_publish_job_gives_cost_0_for_a_model_with_price_0(scripted: object) -> None:
    judge = make_generator()
    Price.objects.create(model=judge.model, input_price=Decimal(0), output_price=Decimal(0))

    assert work_of(judge, make_image_pool())["cost_micros"] == 0


def test_publish_job_lets_repeats_be_paired(scripted: object) -> None:
    pool = make_image_pool()
    shared = {"model": "m", "model_revision": "1"}
    judges = [
        make_generator(prompt="{fields} Relevance?\n{image}", **shared),
        make_generator(prompt="{fields} Relevance?\n{image}", seed=1, **shared),
        make_generator(prompt="{image}\n{fields} Relevance?", **shared),
    ]

    test, retest, image_first = (published(judge, pool).provenance for judge in judges)

    assert test["identity"] == retest["identity"] == image_first["identity"]
    assert len({each["identity_sha256"] for each in (test, retest, image_first)}) == 3
    assert (test["order"], test["seed"]) == ({"image": "last", "fields": []}, 0)
    assert (retest["order"], retest["seed"]) == (test["order"], 1)
    assert image_first["order"]["image"] == "first"
