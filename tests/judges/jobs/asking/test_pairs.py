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
from tests.judges.factories import Scripted, make_generator, make_image_pool, run_to_end, scripted_score
from tests.judges.jobs.asking.scripted import make_job, priced, run_job
from tests.judges.pictures import file_of, picture
from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import Response, Usage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


def test_ask_pairs_shows_each_pairs_text_and_image_once_and_keeps_the_answer(scripted: Scripted) -> None:
    job = run_job(make_image_pool(topic_count=3, image_count=4))

    assert job.state == JobState.COMPLETED
    assert len(scripted.asked) == 12
    images = {each.image.small.read() for each in Document.objects.all() if each.image}
    assert {ask.parts for ask in scripted.asked} == {
        (f"Page title: Page of {topic}\nSection title: Section of {topic}\nRelevance?", image)
        for topic in ("T1", "T2", "T3")
        for image in images
    }
    by_key = {entry.request_key: str(entry) for entry in LedgerEntry.objects.all()}
    asks = {ask.id: ask for ask in scripted.asked}
    for call in job.calls.all():
        score = scripted_score(asks[by_key[call.request_key]])
        assert (call.outcome, call.raw_score, call.raw_answer) == ("ok", score, f"Relevance: {score}")
        assert (call.finish_reason, call.input_tokens, call.output_tokens) == ("stop", 100, 5)
        assert (call.attempt_count, call.is_from_store) == (1, False)


@pytest.mark.parametrize(
    ("image_size", "prompt", "shown"),
    [
        ("small", "{fields}\nRelevance?\n{image}", (448, 336)),
        ("original", "{fields}\nRelevance?\n{image}", (900, 675)),
        ("800", "{fields}\nRelevance?\n{image}", (800, 600)),
        ("800", "{topic.fields}\n{document.image}", (800, 600)),
    ],
)
def test_ask_pairs_shows_images_in_the_judges_size(
    prompt: str, image_size: str, shown: tuple[int, int], scripted: Scripted
) -> None:
    task = make_task()
    (image,) = store_images(contents=[file_of(picture(0, (900, 675)))])
    make_topic(task, number="T1", fields=[["page_title", "Noise"]])
    make_document(task.collection, docno="D1", image=image)

    run_job(make_pool(task, pairs=[("T1", "D1")]), make_generator(prompt=prompt, image_size=image_size))

    (sent,) = [part for part in scripted.asked[0].parts if isinstance(part, bytes)]
    assert Image.open(BytesIO(sent)).size == shown


def test_ask_pairs_cuts_shards_topic_by_topic_and_continues_to_the_further_ones(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judges.jobs.questions.PAIRS", 3)
    job = make_job(make_image_pool(topic_count=2, image_count=7))

    # Seven pairs a topic in shards of about three: two a topic, and no shard spans two topics.
    topics = dict(job.calls.values_list("pk", "topic"))
    parts = [[topics[pk] for pk, _ in shard.inputs] for shard in job.shards.all()]
    assert parts == [["T1"] * 3, ["T1"] * 4, ["T2"] * 3, ["T2"] * 4]

    run_shard(shard_id=job.shards.all()[0].pk)

    assert not Shard.objects.open().exists()
    assert run_to_end(job).state == JobState.COMPLETED
    assert len(scripted.asked) == 14


def test_ask_pairs_asks_the_same_once_whatever_the_number_of_pairs(scripted: Scripted) -> None:
    pool = make_image_pool(topic_count=1, image_count=3)
    one = Document.objects.get(docno="D1")
    Document.objects.filter(docno="D2").update(image=one.image)

    job = run_job(pool)

    assert len(scripted.asked) == 2
    assert job.scored_count == 3
    scores = dict(job.calls.values_list("docno", "raw_score"))
    assert scores["D1"] == scores["D2"]


@pytest.mark.parametrize("is_later", [True, False], ids=["planned later", "planned beside it"])
def test_answered_request_is_free_in_another_job_of_the_same_judge(
    scripted: Scripted, is_later: object
) -> None:
    judge, pool = priced(), make_image_pool(topic_count=2, image_count=3)
    part = make_pool(pool.task, pairs=[("T1", "D2"), ("T2", "D3")], created_by=pool.created_by)
    first = make_job(pool, judge)
    first, second = (run_to_end(first), make_job(part, judge)) if is_later else (first, make_job(part, judge))

    first, second = run_to_end(first), run_to_end(second)

    assert len(scripted.asked) == first.calls.count()
    assert second.state == JobState.COMPLETED
    assert not second.ledger.exists()
    assert set(second.calls.values_list("is_from_store", flat=True)) == {True}
    for call in second.calls.all():
        assert call.raw_score == first.calls.get(topic=call.topic, docno=call.docno).raw_score


@pytest.mark.parametrize("change", [{"model": "another"}, {"prompt": "{image} {fields}"}, {"seed": 2}])
def test_answer_of_another_judge_is_not_reused(scripted: Scripted, change: dict[str, Any]) -> None:
    # OpenSearch's cache of model judgments had no model name in its key.
    same = {"model": "m", "name": "one"}
    pool = make_image_pool(topic_count=1, image_count=2)
    run_job(pool, make_generator(**same))
    scripted.asked.clear()

    run_job(pool, make_generator(**same | {"name": "other"} | change))

    assert len(scripted.asked) == 2


@pytest.mark.parametrize("outcome", [each for each in Outcome if not each.startswith("ok")])
def test_answer_without_a_score_is_a_gap_with_its_words(scripted: Scripted, outcome: Outcome) -> None:
    # umbrela turns a failure into grade 0, Quepid turns an outage into a judgment.
    scripted.script = staticmethod(
        lambda ask: Response(ask.id, Reading(outcome), text="No.", usage=Usage(1, 1))
    )

    job = run_job()

    assert job.state == JobState.COMPLETED_WITH_GAPS
    assert job.outcome_counts() == {outcome: 6}
    assert set(job.calls.values_list("state", "raw_score", "raw_answer")) == {("failed", None, "No.")}
    assert len(scripted.asked) == 6
