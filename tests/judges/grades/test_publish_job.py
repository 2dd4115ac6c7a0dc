import hashlib
from pathlib import Path
from typing import Any

import pytest

from evaluation.models import Document, QrelsKind
from judges.grades.publishing import fit_mapping, publish_job
from judges.jobs.starting import start_job
from judges.models import Job
from judges.prompts.actions import create_prompt
from tests.factories import make_pool, make_staff
from tests.judges.factories import make_generator, make_human_qrels, make_image_pool, make_judge, run_to_end
from tests.refusals import refused
from trackside.judging.shipped_prompts import BUILT_IN

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


def start(**changes: object) -> Job:
    pool = make_image_pool(topic_count=2, image_count=4)
    Document.objects.filter(collection=pool.task.collection, docno="D4").update(image=None)
    return start_job(judge=make_judge(**changes), pool=pool, by=pool.created_by)


def test_publish_job_grades_the_scored_pairs_counts_the_gaps_and_records_their_provenance() -> None:
    shown = {"prompt": "A photo depicts", "text_fields": ("page_title",), "model": "openai/clip"}
    job = run_to_end(start(name="the-judge", **shown))
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
        "decoding": {},
        "warnings": [],
        "outcomes": {"ok": 6, "image_missing": 2},
    }
    assert {name: qrels.provenance[name] for name in expected} == expected


def test_publish_job_names_the_prompt_and_its_version(scripted: object) -> None:
    template = "{fields} {image}"
    create_prompt(name="short", template="{image} {fields}", answer="grade-0-2", by=make_staff())
    create_prompt(name="short", template=template, answer="grade-0-2", source="Smith", by=make_staff())
    pool = make_image_pool()
    named = make_generator(prompt=template, answer="grade-0-2")
    other_form = make_generator(prompt=template, answer="relevance-1-100")
    built_in = make_generator(prompt=BUILT_IN[0].template, answer=BUILT_IN[0].answer)
    options = {"max_tokens": 8}

    prompts = []
    for judge in (named, other_form, built_in):
        job = run_to_end(start_job(judge=judge, pool=pool, by=pool.created_by))
        mapping = fit_mapping(job=job, by=job.created_by)
        provenance = publish_job(job=job, mapping=mapping, by=job.created_by).provenance
        prompts.append((provenance["prompt_name"], provenance["prompt_version"], provenance["prompt_source"]))
        sha256 = hashlib.sha256(judge.prompt.encode()).hexdigest()
        assert (provenance["prompt_sha256"], provenance["decoding"]) == (sha256, options)

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

    with refused("mapping-of-another-judge"):
        publish_job(job=job, mapping=mapping, by=job.created_by)


def test_publish_job_waits_for_the_end_of_the_job() -> None:
    done = run_to_end(start())
    mapping = fit_mapping(job=done, by=done.created_by)
    pool = make_pool(done.pool.task, pairs=[("T1", "D1")])
    job = start_job(judge=done.judge, pool=pool, by=done.created_by)

    with refused("job-not-completed"):
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
