"""A generator is asked about each pair once, and its answers are stored and reused."""

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from evaluation.collections.storing import store_images
from evaluation.models import Document
from judges.jobs.running import run_shard
from judges.models import JobState, LedgerEntry, Shard
from tests.factories import make_document, make_pool, make_task, make_topic
from tests.judges.factories import (
    ScriptedGenerator,
    make_generator,
    make_image_pool,
    run_to_end,
    scripted_score,
)
from tests.judges.jobs.asking.scripted import make_job, priced
from tests.judges.pictures import file_of, picture
from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import Response, Usage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


def test_ask_pairs_asks_about_every_pair_once_and_keeps_the_answer(scripted: type[ScriptedGenerator]) -> None:
    job = run_to_end(make_job(make_image_pool(topic_count=3, image_count=4)))

    assert job.state == JobState.COMPLETED
    assert len(scripted.asked) == 12
    by_key = {entry.request_key: str(entry) for entry in LedgerEntry.objects.all()}
    asks = {ask.id: ask for ask in scripted.asked}
    for call in job.calls.all():
        score = scripted_score(asks[by_key[call.request_key]])
        assert (call.outcome, call.raw_score, call.raw_answer) == ("ok", score, f"Relevance: {score}")
        assert (call.finish_reason, call.input_tokens, call.output_tokens) == ("stop", 100, 5)
        assert (call.attempt_count, call.is_from_store) == (1, False)


def test_ask_pairs_shows_the_prompt_with_the_pairs_own_text_and_image(
    scripted: type[ScriptedGenerator],
) -> None:
    pool = make_image_pool(topic_count=2, image_count=2)
    run_to_end(make_job(pool))

    images = {each.image.small.read() for each in Document.objects.all() if each.image}
    shown = {ask.parts for ask in scripted.asked}
    assert shown == {
        (f"Page title: Page of {topic}\nSection title: Section of {topic}\nRelevance?", image)
        for topic in ("T1", "T2")
        for image in images
    }


@pytest.mark.parametrize("prompt", ["{fields}\nRelevance?\n{image}", "{topic.fields}\n{document.image}"])
@pytest.mark.parametrize(
    ("image_size", "shown"), [("small", (448, 336)), ("original", (1600, 1200)), ("800", (800, 600))]
)
def test_ask_pairs_shows_images_in_the_judges_size(
    prompt: str, image_size: str, shown: tuple[int, int], scripted: type[ScriptedGenerator]
) -> None:
    task = make_task()
    (image,) = store_images(contents=[file_of(picture(0, (1600, 1200)))])
    make_topic(task, number="T1", fields=[["page_title", "Noise"]])
    make_document(task.collection, docno="D1", image=image)
    judge = make_generator(prompt=prompt, image_size=image_size)

    run_to_end(make_job(make_pool(task, pairs=[("T1", "D1")]), judge))

    (sent,) = [part for part in scripted.asked[0].parts if isinstance(part, bytes)]
    assert Image.open(BytesIO(sent)).size == shown


def test_ask_pairs_cuts_shards_topic_by_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judges.jobs.questions.PAIRS", 3)
    job = make_job(make_image_pool(topic_count=2, image_count=7))

    # Seven pairs a topic in shards of about three: two a topic, and no shard spans two topics.
    topics = dict(job.calls.values_list("pk", "topic"))
    parts = [[topics[pk] for pk, _ in shard.inputs] for shard in job.shards.all()]
    assert parts == [["T1"] * 3, ["T1"] * 4, ["T2"] * 3, ["T2"] * 4]


def test_ask_pairs_continues_to_the_jobs_further_shards(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judges.jobs.questions.PAIRS", 2)
    job = make_job(make_image_pool(topic_count=2, image_count=4))
    first = job.shards.first()
    assert first is not None

    run_shard(shard_id=first.pk)

    assert not Shard.objects.open().exists()
    assert run_to_end(job).state == JobState.COMPLETED
    assert len(scripted.asked) == 8


def test_ask_pairs_asks_the_same_once_whatever_the_number_of_pairs(scripted: type[ScriptedGenerator]) -> None:
    pool = make_image_pool(topic_count=1, image_count=3)
    one = Document.objects.get(docno="D1")
    Document.objects.filter(docno="D2").update(image=one.image)

    job = run_to_end(make_job(pool))

    assert len(scripted.asked) == 2
    assert job.scored_count == 3
    scores = dict(job.calls.values_list("docno", "raw_score"))
    assert scores["D1"] == scores["D2"]


def test_answered_request_is_free_in_a_later_job_of_the_same_judge(scripted: type[ScriptedGenerator]) -> None:
    from tests.factories import make_pool

    judge = priced(make_generator())
    pool = make_image_pool(topic_count=1, image_count=3)
    before = run_to_end(make_job(pool, judge))
    later = make_pool(pool.task, pairs=[("T1", "D2"), ("T1", "D3")], created_by=pool.created_by)
    scripted.asked.clear()

    job = run_to_end(make_job(later, judge))

    assert scripted.asked == []
    assert job.state == JobState.COMPLETED
    assert not job.ledger.exists()
    assert set(job.calls.values_list("is_from_store", flat=True)) == {True}
    scores = dict(before.calls.values_list("docno", "raw_score"))
    assert dict(job.calls.values_list("docno", "raw_score")) == {each: scores[each] for each in ("D2", "D3")}


def test_waiting_job_reuses_the_answers_of_another(
    scripted: type[ScriptedGenerator],
) -> None:
    from tests.factories import make_pool

    judge = priced(make_generator())
    pool = make_image_pool(topic_count=2, image_count=3)
    part = make_pool(pool.task, pairs=[("T1", "D2"), ("T2", "D3")], created_by=pool.created_by)
    first, second = make_job(pool, judge), make_job(part, judge)  # both planned, neither asked

    first, second = run_to_end(first), run_to_end(second)

    assert len(scripted.asked) == first.calls.count()
    assert second.state == JobState.COMPLETED
    assert set(second.calls.values_list("is_from_store", flat=True)) == {True}
    assert not second.ledger.exists()
    scores = dict(first.calls.of_pool().filter(topic="T1").values_list("docno", "raw_score"))
    assert second.calls.of_pool().get(topic="T1").raw_score == scores["D2"]


@pytest.mark.parametrize("change", [{"model": "another"}, {"prompt": "{image} {fields}"}, {"seed": 2}])
def test_answer_of_another_judge_is_not_reused(
    scripted: type[ScriptedGenerator], change: dict[str, Any]
) -> None:
    # OpenSearch's cache of model judgments had no model name in its key.
    same = {"model": "m", "name": "one"}
    pool = make_image_pool(topic_count=1, image_count=2)
    run_to_end(make_job(pool, make_generator(**same)))
    scripted.asked.clear()

    run_to_end(make_job(pool, make_generator(**same | {"name": "other"} | change)))

    assert len(scripted.asked) == 2


@pytest.mark.parametrize("outcome", [each for each in Outcome if not each.startswith("ok")])
def test_answer_without_a_score_is_a_gap_with_its_words(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch, outcome: Outcome
) -> None:
    # umbrela turns a failure into grade 0, Quepid turns an outage into a judgment.
    response = Response("", Reading(outcome), text="No.", finish_reason="stop", usage=Usage(1, 1))
    script = staticmethod(
        lambda ask: Response(ask.id, response.reading, text=response.text, usage=response.usage)
    )
    monkeypatch.setattr(scripted, "script", script)

    job = run_to_end(make_job())

    assert job.state == JobState.COMPLETED_WITH_GAPS
    assert job.outcome_counts() == {outcome: 6}
    assert set(job.calls.values_list("state", "raw_score", "raw_answer")) == {("failed", None, "No.")}
    assert len(scripted.asked) == 6
