"""Faults, budgets, deaths of workers and canaries, for every kind of pair."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from evaluation.models import Document, Pool, TaskKind
from judges.jobs.questions import find_questions
from judges.jobs.running import run_shard
from judges.jobs.scheduling import resume_job, retry_job
from judges.jobs.sweeping import sweep_jobs
from judges.models import Budget, Job, JobState, Judge, Price, Shard
from tests.faults.asked_jobs import COST, PRICES, check_ledger
from tests.judges.counting_encoder import CountingEncoder, vector_of
from tests.judges.endpoint import PROMPT_TOKENS, Act, Endpoint, Request, running, score_of
from tests.judges.factories import (
    ScriptedGenerator,
    judged,
    make_endpoint_judge,
    make_generator,
    make_judge,
    run_to_end,
    scripted_response,
    scripted_score,
    started,
)
from tests.judges.pair_kinds import (
    CARE,
    DOCUMENTS,
    SIDES,
    Parts,
    Side,
    make_kind_pool,
    pictures_of,
    prompt_of,
)
from tests.marks import quick_only
from trackside.judging.asking import Ask, Response
from trackside.judging.canaries import CANARIES, SCENES, Place
from trackside.judging.judge import EVERY_KIND

pytestmark = pytest.mark.django_db
every_kind = pytest.mark.parametrize("sides", quick_only(SIDES, quick=["image-image", "three images"]))

POISON = "D05"
MAX_TOKENS = 8


def shown_of_document(pool: Pool, side: Side, docno: str) -> str | bytes:
    """What only the requests of this document show."""
    return side.parts(Document.objects.get(collection=pool.task.collection, docno=docno))[-1]


def shows(parts: Parts, shown: str | bytes) -> bool:
    return any(shown in part for part in parts if isinstance(part, type(shown)))  # type: ignore[operator]


def make_asked_judge(endpoint: Endpoint, sides: str) -> Judge:
    prompt, decoding = f"{prompt_of(sides)}\n{CARE}", {"max_tokens": MAX_TOKENS}
    judge = make_endpoint_judge(endpoint.url, prompt=prompt, answer="relevance-1-100", decoding=decoding)
    Price.objects.create(model=judge.model, image_tokens=PROMPT_TOKENS, **PRICES)
    return judge


@every_kind
def test_faults_and_budgets_of_an_endpoint(sides: str) -> None:
    pool = make_kind_pool(sides)
    refused = shown_of_document(pool, SIDES[sides][2], POISON)
    faults = iter([Act(status=503), Act(is_reset=True)])
    is_refusing = True

    def plan(request: Request) -> Act:
        if request.method == "GET":
            return Act(status=404)
        is_poison = is_refusing and shows(request.parts, refused)
        return Act(status=400) if is_poison else next(faults, Act())

    with running(plan) as endpoint:
        judge = make_asked_judge(endpoint, sides)
        job = started(judge, pool, cap_micros=1)
        bound = sum(question.bound for question in find_questions(shard=job.shards.get()))
        Budget.objects.filter(job=job).update(cap_micros=bound - 1)
        assert run_to_end(job).state == JobState.STOPPED_BY_BUDGET
        assert endpoint.asked == []
        Budget.objects.filter(job=job).update(cap_micros=2 * bound)
        resume_job(job=job, by=job.created_by)
        job = run_to_end(job)
        missing = "text_empty" if SIDES[sides][2].image_count == 0 else "image_missing"
        assert job.outcome_counts() == {"ok": DOCUMENTS - 1, "request_refused": 1, missing: 1}
        is_refusing = False
        retry_job(job=job, by=job.created_by)
        job = run_to_end(job)
        assert job.outcome_counts() == {"ok": DOCUMENTS, missing: 1}
        check_ledger(job, endpoint)
        check_bounds(job, endpoint)
    assert Counter(job.calls.scored().values_list("attempt_count", flat=True))[2] >= 1


def check_bounds(job: Job, endpoint: Endpoint) -> None:
    """Each request's bound has a token for each byte of text, and the price's tokens for each image."""
    entries = {str(entry): entry for entry in job.ledger.all()}
    scores = dict(job.calls.values_list("request_key", "raw_score"))
    for request in endpoint.asked:
        entry, parts = entries[request.id], request.parts
        sizes = [len(part.encode()) if isinstance(part, str) else PROMPT_TOKENS for part in parts]
        assert entry.bound_micros == -(-5 * (64 + sum(sizes)) // 2) + 10 * MAX_TOKENS > COST
        if entry.outcome == "ok":
            assert scores[entry.request_key] == score_of(request.shown)


@every_kind
def test_pair_that_kills_its_workers_is_parked_and_the_others_are_asked(
    sides: str, scripted: type[ScriptedGenerator]
) -> None:
    pool = make_kind_pool(sides)
    deadly = shown_of_document(pool, SIDES[sides][2], POISON)

    def script(ask: Ask) -> Response:
        if shows(list(ask.parts), deadly):
            raise MemoryError
        return scripted_response(ask)

    scripted.script = staticmethod(script)
    judge = make_generator(prompt=f"{prompt_of(sides)}\n{CARE}")
    job = started(judge, pool)
    deaths = outlived_deaths(job)
    job = run_to_end(job)
    assert deaths == 4  # once among others, and three times alone
    assert job.calls.get(docno=POISON).outcome == "parked"
    assert job.scored_count == DOCUMENTS - 1
    asked = {scripted_score(ask) for ask in scripted.asked if not shows(list(ask.parts), deadly)}
    assert set(job.calls.scored().values_list("raw_score", flat=True)) == asked


def outlived_deaths(job: Job) -> int:
    """Run the job's shards as workers that die do; return the number of deaths."""
    deaths = 0
    while shard := Shard.objects.open().filter(job=job).first():
        try:
            run_shard(shard_id=shard.pk)
        except MemoryError:
            sweep_jobs()
            deaths += 1
        assert deaths < 10
    return deaths


@every_kind
def test_input_that_kills_an_encoder_is_parked_and_the_others_are_encoded(
    sides: str, counting: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = make_kind_pool(sides)
    job = started(make_judge(task_kinds=EVERY_KIND), pool)
    is_text = TaskKind(pool.task.kind).endswith("text")
    documents = Document.objects.filter(collection=pool.task.collection).exclude(fields=[])
    shown = {
        document.docno: [document.text_of().encode()] if is_text else pictures_of(document)
        for document in documents
    }
    deadly = shown[POISON][-1]
    encode = CountingEncoder._vector

    def vector(self: CountingEncoder, content: bytes) -> Any:
        if content == deadly:
            raise MemoryError
        return encode(self, content)

    monkeypatch.setattr(CountingEncoder, "_vector", vector)
    deaths = outlived_deaths(job)
    job = run_to_end(job)
    assert deaths >= 3
    assert job.calls.get(docno=POISON).outcome == "parked"
    assert job.scored_count == DOCUMENTS - 1
    of_topic, _, _ = pool.task.kind.partition("-to-")
    topic = pool.task.topics.get()
    reference = mean_of([topic.text_of().encode()] if of_topic == "text" else pictures_of(topic))
    for docno, cosine in job.calls.scored().values_list("docno", "cosine"):
        assert cosine == pytest.approx(float(mean_of(shown[docno]) @ reference), abs=1e-6)


def mean_of(contents: list[bytes]) -> Any:
    """The mean of the vectors, at unit length."""
    total = np.sum([vector_of(content).astype(float) for content in contents], axis=0)
    return total / np.linalg.norm(total)


@every_kind
@pytest.mark.usefixtures("with_canaries")
def test_no_canary_shows_the_same_on_both_sides(sides: str) -> None:
    """A control pair whose two items are alike gets the highest score: nothing could raise it."""
    pool = make_kind_pool(sides)
    with running(lambda request: Act(status=404 if request.method == "GET" else 200)) as endpoint:
        judge = make_asked_judge(endpoint, sides)
        job = judged(judge, pool)
        names = {call.request_key: call.topic for call in job.calls.filter(is_canary=True)}
        keys = {str(entry): entry.request_key for entry in job.ledger.all()}
        canaries = [request.parts for request in endpoint.asked if keys[request.id] in names]
    assert canaries
    for parts in canaries:
        images = [part for part in parts if isinstance(part, bytes)]
        assert len(set(images)) == len(images)
        topic, document = "".join(part for part in parts if isinstance(part, str)).split("Found:")
        assert not any(scene.text in topic and scene.text in document for scene in SCENES)
    _, topic_side, document_side = SIDES[sides]
    places = {Place.NOWHERE, Place.INVISIBLE}
    if topic_side.shows_text or document_side.shows_text:
        places |= {Place.TITLE, Place.CAPTION}
    if topic_side.image_count or document_side.image_count:
        places |= {Place.IMAGE}
    assert set(job.canary_scores()) == {canary for canary in CANARIES if canary.place in places}


@every_kind
@pytest.mark.usefixtures("with_canaries", "counting")
def test_controls_of_an_encoder_are_unlike_pairs(sides: str) -> None:
    pool = make_kind_pool(sides)
    job = judged(make_judge(task_kinds=EVERY_KIND), pool)
    assert set(job.canary_scores().values()) - {None}
    assert not job.calls.filter(is_canary=True, cosine__gt=0.99).exists()
