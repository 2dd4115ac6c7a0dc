"""Probes of judges on the site: what is asked, and what the losses say."""

from __future__ import annotations

import pytest

from judges.grades.publishing import request_check_pool
from judges.jobs.probing import draw_probe, estimate_probe
from judges.jobs.running import run_shard
from judges.jobs.scheduling import cancel_job, pause_job, resume_job
from judges.jobs.sweeping import sweep_jobs
from judges.models import Budget, Job, JobState
from tests.factories import make_task
from tests.judges.endpoint import running
from tests.judges.factories import (
    Scripted,
    fitted,
    judged,
    make_endpoint_judge,
    make_judge,
    published,
    run_to_end,
    started,
)
from tests.judges.jobs.asking.scripted import die, priced
from tests.judges.jobs.controlled import CAPTIONED, bytes_of, script, served
from tests.judges.probed import (
    A_TOPIC,
    TOPICS,
    captions_only,
    looking_at,
    make_captioned,
    make_probed_pool,
    probed,
    publish_fits,
    started_probe,
    verdicts,
)
from tests.refusals import refused

pytestmark = pytest.mark.django_db
PAIRS = TOPICS * A_TOPIC


def test_probe_of_a_judge_that_looks_loses_its_agreement_with_the_pictures(scripted: Scripted) -> None:
    pool = make_probed_pool()
    publish_fits(pool)
    scripted.script = script(looking_at(pool))
    job = probed(make_captioned(), pool)
    assert job.state == JobState.COMPLETED
    assert verdicts(job) == {
        "pictures exchanged": "a loss",
        "texts exchanged": "no loss",
        "same pair again": "no loss",
    }
    pictures, texts, again = (row["loss"] for row in job.probe["results"])
    # It agrees with people on all pairs: kappa 1. An exchange changes pictures only.
    assert (pictures["before"], texts["loss"], texts["changed_count"]) == (1.0, 0.0, 0)
    assert pictures["pair_count"] == texts["pair_count"] == again["pair_count"] == PAIRS
    assert (job.probe["people"], job.probe["pair_count"]) == ("people (version 1)", PAIRS)
    assert not job.calls.controls().exists()


def test_probe_of_a_judge_that_reads_only_captions_says_so(scripted: Scripted) -> None:
    pool = make_probed_pool()
    publish_fits(pool)
    scripted.script = script(captions_only)
    job = probed(make_captioned(), pool)
    assert verdicts(job)["pictures exchanged"] == "no loss"
    assert verdicts(job)["texts exchanged"] == "a loss"


def test_a_pair_is_asked_with_the_picture_or_the_caption_of_another_one_of_its_topic(
    scripted: Scripted,
) -> None:
    pool = make_probed_pool()
    publish_fits(pool)
    pictures = {
        row.image.small.read(): row.docno
        for row in pool.task.collection.documents.select_related("image__small")
        if row.image
    }
    probed(make_captioned(), pool)
    kinds = {True: 0, False: 0}
    for ask in scripted.asked:
        words, picture = str(ask.parts[0]), pictures[bytes_of(ask)]
        (caption,) = (word[:-1] for word in words.split() if word.startswith("D") and word.endswith("."))
        assert caption[:2] == picture[:2]
        assert f"Page of T{caption[1]}\n" in words
        kinds[caption == picture] += 1
    assert kinds == {True: 2 * PAIRS, False: 2 * PAIRS}  # once and again; each part of another one


def test_stored_answers_are_reused_and_the_sample_follows_from_the_seed(scripted: Scripted) -> None:
    pool, judge = make_probed_pool(), make_captioned()
    publish_fits(pool)
    judged(judge, pool)
    asked = len(scripted.asked)
    first = probed(judge, pool)
    assert len(scripted.asked) - asked == first.ledger.count() == 3 * PAIRS  # each pair is stored
    assert first.calls.filter(is_from_store=True).count() == PAIRS
    second = probed(judge, pool)
    assert len(scripted.asked) - asked == 3 * PAIRS
    assert second.probe == first.probe
    other, _ = draw_probe(judge=judge, task=pool.task, seed=1)
    assert other.probe["exchanges"] != first.probe["exchanges"]


def test_killed_worker_asks_only_what_was_not_stored(scripted: Scripted) -> None:
    pool = make_probed_pool()
    publish_fits(pool)
    scripted.script = script(captions_only)
    job = started_probe(priced(make_captioned()), pool)
    first = job.shards.first()
    assert first
    scripted.before.extend([lambda: None] * 10 + [die])
    with pytest.raises(MemoryError):
        run_shard(shard_id=first.pk)
    stored = set(job.calls.scored().values_list("request_key", flat=True))
    assert stored
    sweep_jobs()
    job = run_to_end(job)
    assert job.state == JobState.COMPLETED
    assert verdicts(job)["pictures exchanged"] == "no loss"
    asked = job.ledger.filter(request_key__in=stored)
    assert asked.count() == len(stored)
    assert Budget.objects.get(job=job).reserved_micros == 0


def test_probe_is_paused_resumed_and_cancelled_as_a_job(scripted: Scripted) -> None:
    pool, judge = make_probed_pool(), make_captioned()
    job = started_probe(judge, pool)
    pause_job(job=job, by=pool.created_by)
    assert run_to_end(job).state == JobState.PAUSED
    assert not scripted.asked
    with refused("probe-exists"):
        started_probe(judge, pool)
    job.refresh_from_db()
    resume_job(job=job, by=pool.created_by)
    assert run_to_end(job).is_completed
    again = started_probe(judge, pool)
    cancel_job(job=again, by=pool.created_by)
    assert Job.objects.probes().count() == 2


def test_budget_below_the_bound_stops_the_probe(scripted: Scripted) -> None:
    pool, judge = make_probed_pool(), priced(make_captioned())
    estimate = estimate_probe(judge=judge, task=pool.task)
    prices = estimate.chosen(estimate.usual)
    assert (estimate.pair_count, estimate.people) == (PAIRS, "")
    assert [price.request_count for price in prices] == [PAIRS] * 4
    assert all(price.bound_micros for price in prices)
    job = probed(judge, pool, cap_micros=1)
    assert (job.state, len(scripted.asked)) == (JobState.STOPPED_BY_BUDGET, 0)
    with refused("price-missing"):
        started_probe(make_captioned(), pool, cap_micros=1)


def test_without_people_the_judge_is_compared_with_itself(scripted: Scripted) -> None:
    pool = make_probed_pool()
    scripted.script = script(looking_at(pool))
    job = probed(make_captioned(), pool)
    assert job.probe["people"] == ""
    assert verdicts(job) == {
        "pictures exchanged": "a loss",
        "texts exchanged": "no loss",
        "same pair again": "no loss",
    }
    assert {row["loss"]["before"] for row in job.probe["results"]} == {1.0}


@pytest.mark.usefixtures("scripted")
def test_judge_of_texts_has_no_probe_of_pictures() -> None:
    pool = make_probed_pool(is_text=True)
    judge = make_captioned(prompt="{topic.fields} {document.caption} Grade?")
    assert {row["probe"] for row in probed(judge, pool).probe["results"]} == {
        "texts exchanged",
        "same pair again",
    }


@pytest.mark.usefixtures("counting")
def test_encoder_is_not_asked_again() -> None:
    pool, judge = make_probed_pool(), make_judge()
    publish_fits(pool)
    assert {price.request_count for price in estimate_probe(judge=judge, task=pool.task).prices} == {0}
    job = probed(judge, pool)
    assert list(verdicts(job)) == ["pictures exchanged", "texts exchanged"]
    assert job.probe["rule"] == "paper-2024"
    assert job.scored_count == 3 * PAIRS
    # Its jobs on the pool are others.
    assert started(judge, pool).is_active


@pytest.mark.usefixtures("scripted")
def test_grades_of_a_probe_are_not_published() -> None:
    pool = make_probed_pool()
    job = probed(make_captioned(), pool)
    with refused("job-is-a-probe"):
        fitted(job)
    with refused("job-is-a-probe"):
        request_check_pool(job=job, by=pool.created_by)
    pooled = judged(job.judge, pool)
    with refused("job-is-a-probe"):
        published(job, fitted(pooled))


@pytest.mark.usefixtures("scripted")
def test_probe_needs_pairs_of_two_topics() -> None:
    with refused("no-pool"):
        draw_probe(judge=make_captioned(), task=make_task())


def test_an_endpoint_is_probed_and_gaps_are_counted() -> None:
    pool = make_probed_pool()
    publish_fits(pool)
    plan = served(lambda words, _: None if "D3-2." in words else captions_only(words, b""))
    with running(plan) as endpoint:
        judge = make_endpoint_judge(endpoint.url, prompt=CAPTIONED, answer="grade-0-2")
        job = probed(judge, pool)
    assert len(endpoint.asked) == 4 * PAIRS
    assert job.state == JobState.COMPLETED_WITH_GAPS
    rows = {row["probe"]: row for row in job.probe["results"]}
    assert rows["pictures exchanged"]["word"] == "no loss"
    assert [sum(row["gaps"].values()) for row in rows.values()] == [1, 1, 1]
    assert rows["pictures exchanged"]["loss"]["pair_count"] == PAIRS - 1
