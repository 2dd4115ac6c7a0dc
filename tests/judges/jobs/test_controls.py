"""Controls of jobs: pairs asked again with a picture of another topic; judges that do not look are paused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from evaluation.models import TaskKind
from evaluation.platform.access.changes import changes_to
from judges.jobs.estimates import estimate_job
from judges.jobs.running import run_shard
from judges.jobs.scheduling import resume_job
from judges.jobs.sweeping import sweep_jobs
from judges.models import Budget, JobState, RequestFile
from tests.factories import make_image, make_pool
from tests.judges.batch_endpoint import BatchScript
from tests.judges.endpoint import Endpoint, running
from tests.judges.factories import (
    Scripted,
    fitted,
    make_endpoint_judge,
    make_generator,
    make_judge,
    published,
    started,
)
from tests.judges.jobs.asking.scripted import COST, die, priced
from tests.judges.jobs.controlled import (
    CAPTIONED,
    TOPICS,
    Grade,
    bytes_of,
    looking,
    make_grader,
    make_topics_pool,
    pictures_of,
    reading,
    run_all,
    script,
    section,
    served,
)
from tests.judges.jobs.files.scripted import collect
from trackside.judging.asking import Ask, EndpointError, Response
from trackside.judging.controls import FEWEST

pytestmark = pytest.mark.django_db


def test_a_judge_that_looks_keeps_its_grades_and_its_controls_fall(
    scripted: Scripted, client: Client
) -> None:
    pool = make_topics_pool()
    scripted.script = script(looking(pool))
    job = run_all(started(make_grader(), pool))
    assert (job.state, job.pair_count, job.scored_count) == (JobState.COMPLETED, 200, 200)
    controls = job.calls.controls()
    assert controls.count() == FEWEST
    assert set(controls.values_list("raw_score", "is_canary")) == {(0.0, True)}
    assert len(scripted.asked) == 220
    assert "When the picture is exchanged, 20 of 20 grades fall" in section(client, job)
    # They are no part of what the judge's grades are made of.
    assert fitted(job).score_count == 200
    assert (published(job).pair_count, job.outcome_counts()) == (200, {"ok": 200})


def test_controls_are_the_same_request_with_a_picture_of_another_topic(scripted: Scripted) -> None:
    pool = make_topics_pool()
    scripted.script = script(looking(pool))
    run_all(started(make_grader(), pool))
    topics = pictures_of(pool)
    requests = [(str(ask.parts[0]), topics[bytes_of(ask)]) for ask in scripted.asked]
    controls = [(words, picture) for words, picture in requests if f"Page of {picture}\n" not in words]
    assert len(controls) == FEWEST
    pairs = [words for words, picture in requests if f"Page of {picture}\n" in words]
    assert {words for words, _ in controls} <= set(pairs)
    assert all("fits" in words for words, _ in controls)
    assert len(pairs) == len(set(pairs)) == 200


def test_a_judge_that_does_not_look_is_paused_and_a_person_may_continue(
    scripted: Scripted, client: Client
) -> None:
    pool = make_topics_pool(a_topic=70)
    scripted.script = script(reading)
    job = run_all(started(make_grader(), pool))
    assert job.state == JobState.PAUSED
    assert "its grades stay when the picture is exchanged: 20 of 20" in job.note
    page = section(client, job)
    assert "Its grades stay when the picture is exchanged: 20 of 20" in page
    assert "Continue, I know" in page

    resume_job(job=job, by=job.created_by)
    job = run_all(job)
    assert (job.state, job.overruled_by) == (JobState.COMPLETED, job.created_by)
    change = changes_to(job)[0]
    assert [name for name, *_ in change.fields] == ["overruled_by"]
    assert f"{job.created_by} continued the job nevertheless" in section(client, job)


@pytest.mark.whole
def test_it_is_paused_before_all_pairs_are_asked(scripted: Scripted) -> None:
    pool = make_topics_pool(a_topic=130)
    scripted.script = script(reading)
    job = run_all(started(make_grader(), pool))
    assert job.state == JobState.PAUSED
    assert job.scored_count < job.pair_count
    assert job.shards.open().count() == 0  # of a paused job none is
    resume_job(job=job, by=job.created_by)
    assert run_all(job).scored_count == job.pair_count


@pytest.mark.whole
@pytest.mark.parametrize(
    ("grade", "pairs", "words"),
    [
        (reading, 15, "at most a tenth of the pairs are controls"),
        (lambda *_: 0, 50, "fewer than 20 pairs are graded above its lowest"),
        (lambda words, _: 2 * ("-4 " in words), 50, "fewer than 20 pairs are graded above its lowest"),
    ],
)
def test_a_job_of_too_few_usable_pairs_is_not_tested(
    scripted: Scripted, client: Client, grade: Grade, pairs: int, words: str
) -> None:
    scripted.script = script(grade)
    job = run_all(started(make_grader(), make_topics_pool(a_topic=pairs)))
    assert (job.state, job.calls.controls().count()) == (JobState.COMPLETED, 0)
    assert f"Not tested: {words}" in section(client, job)


@pytest.mark.whole
def test_controls_without_a_grade_are_no_grades_that_stay(scripted: Scripted, client: Client) -> None:
    pool = make_topics_pool()
    grade = looking(pool)
    scripted.script = script(lambda words, picture: grade(words, picture) or (None if "fits" in words else 0))
    job = run_all(started(make_grader(), pool))
    assert job.state == JobState.COMPLETED
    assert "Not tested: 0 controls have a grade, and 20 are needed" in section(client, job)
    assert "refusal" in section(client, job)


@pytest.mark.whole
def test_pictures_of_topics_are_exchanged_where_topics_are_pictures(
    scripted: Scripted, client: Client
) -> None:
    pool = make_topics_pool(TaskKind.IMAGE_TO_TEXT)
    scripted.script = script(reading)
    job = run_all(started(make_generator(answer="grade-0-2"), pool))
    assert job.state == JobState.PAUSED
    assert "20 of 20" in job.note
    shown = {ask.parts for ask in scripted.asked}
    assert len(shown) == 220
    assert len({ask.parts[-1] for ask in scripted.asked}) == TOPICS


@pytest.mark.whole
def test_all_pictures_of_an_item_are_exchanged_and_none_is_added(scripted: Scripted) -> None:
    pool = make_topics_pool()
    more = make_image()
    pool.task.collection.documents.filter(docno__endswith="-0").update(more_images=[more.pk])
    job = run_all(started(make_grader(), pool))
    sizes = {len(ask.parts) for ask in scripted.asked}
    assert sizes <= {3, 4}
    assert job.calls.controls().count() == FEWEST


@pytest.mark.whole
@pytest.mark.parametrize(
    "change", [{"prompt": "{topic.fields} {document.fields} Grade?"}, {"backend": "counting"}]
)
def test_judges_that_see_no_picture_and_encoders_have_no_controls(
    scripted: Scripted, counting: list[bytes], client: Client, change: dict[str, Any]
) -> None:
    del scripted, counting
    judge = make_judge() if "backend" in change else make_grader(**change)
    job = run_all(started(judge, make_topics_pool()))
    assert (job.state, job.calls.controls().count()) == (JobState.COMPLETED, 0)
    assert "look at the picture" not in section(client, job)


def test_controls_are_in_the_estimate_and_counted_by_the_budget(scripted: Scripted) -> None:
    pool, judge = make_topics_pool(), priced(make_grader())
    scripted.script = script(looking(pool))
    estimate = estimate_job(judge=judge, pool=pool)
    bare = estimate_job(
        judge=priced(make_grader(prompt="{topic.fields} {document.caption} Grade?")), pool=pool
    )
    assert estimate.bound_micros is not None
    assert bare.bound_micros is not None
    job = run_all(started(judge, pool, cap_micros=estimate.bound_micros))
    assert (job.state, job.ledger.count()) == (JobState.COMPLETED, 220)
    assert Budget.objects.get(job=job).spent_micros == 220 * COST
    assert max(job.ledger.values_list("bound_micros", flat=True)) * 220 >= estimate.bound_micros
    assert sum(job.ledger.values_list("bound_micros", flat=True)) <= estimate.bound_micros
    assert bare.bound_micros < estimate.bound_micros


def test_a_budget_without_room_for_controls_stops_no_job(scripted: Scripted, client: Client) -> None:
    pool = make_topics_pool()
    scripted.script = script(reading)
    job = run_all(started(priced(make_grader()), pool, cap_micros=201 * COST + 3_000))
    assert (job.state, job.scored_count, len(scripted.asked)) == (JobState.COMPLETED, 200, 200)
    assert set(job.calls.controls().values_list("outcome", flat=True)) == {EndpointError.NOT_ASKED}
    assert "Not tested: 0 controls have a grade" in section(client, job)
    assert Budget.objects.get(job=job).reserved_micros == 0


def test_killed_workers_lose_no_control_and_bill_none_twice(scripted: Scripted) -> None:
    pool = make_topics_pool()
    scripted.script = script(looking(pool))
    job = started(make_grader(), pool)
    scripted.before[:] = [lambda: None] * 105 + [die]  # of 220 requests, two at a time
    for shard in job.shards.all():
        try:
            run_shard(shard_id=shard.pk)
        except MemoryError:
            break
    assert 0 < job.calls.controls().waiting().count() <= FEWEST
    sweep_jobs()
    job = run_all(job)
    assert (job.state, job.calls.controls().count()) == (JobState.COMPLETED, FEWEST)
    keys = list(job.ledger.filter(outcome="ok").values_list("request_key", flat=True))
    assert len(keys) == len(set(keys)) == 220


def test_failed_controls_are_asked_again_and_stored_answers_are_reused(scripted: Scripted) -> None:
    pool, judge = make_topics_pool(), make_grader()
    grade, failed = looking(pool), [True]
    topics = pictures_of(pool)

    def flaky(ask: Ask) -> Response:
        words = str(ask.parts[0])
        if "fits" in words and f"Page of {topics[bytes_of(ask)]}\n" not in words and failed:
            failed.pop()
            return Response(ask.id, fault=EndpointError.SERVER_ERROR)
        return script(grade)(ask)

    scripted.script = staticmethod(flaky)
    job = run_all(started(judge, pool))
    assert (len(scripted.asked), max(job.calls.controls().values_list("attempt_count", flat=True))) == (
        221,
        2,
    )
    again = make_pool(pool.task, pairs=list(pool.items.values_list("topic", "docno")))
    second = run_all(started(judge, again))
    assert (second.state, len(scripted.asked)) == (JobState.COMPLETED, 221)
    assert second.calls.controls().filter(is_from_store=True).count() == FEWEST


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with running() as found:
        yield found


@pytest.mark.whole
def test_an_endpoint_that_drops_pictures_is_paused_and_one_that_looks_is_not(endpoint: Endpoint) -> None:
    pool = make_topics_pool()
    for number, (grade, state) in enumerate(
        ((reading, JobState.PAUSED), (looking(pool), JobState.COMPLETED))
    ):
        endpoint.plan = served(grade)
        judge = make_endpoint_judge(endpoint.url, prompt=CAPTIONED, answer="grade-0-2", seed=number)
        assert run_all(started(judge, pool)).state == state


@pytest.mark.whole
def test_files_of_a_batch_api_get_their_controls_at_the_end() -> None:
    pool, batches = make_topics_pool(), BatchScript()
    with running(batches) as endpoint:  # it answers by chance, from 1 to 100
        judge = make_endpoint_judge(
            endpoint.url, backend="openai_batch", prompt=CAPTIONED, answer="relevance-1-100"
        )
        job = collect(collect(started(judge, pool), batches), batches)
    assert job.state == JobState.COMPLETED
    assert (job.scored_count, job.calls.controls().scored().count()) == (200, FEWEST)
    sizes = RequestFile.objects.order_by("created_at").values_list("request_count", flat=True)
    assert list(sizes) == [200, FEWEST]
