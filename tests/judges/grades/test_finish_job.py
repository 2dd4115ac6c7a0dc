from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from evaluation.models import Document, Topic
from judges.grades.finishing import finish_job
from judges.jobs.running import run_shard
from judges.models import CallState, JobState, Shard
from tests.judges.counting_encoder import CountingEncoder, vector_of
from tests.judges.factories import judged, make_judge, run_to_end, started
from trackside.judging.answers import read_answer
from trackside.judging.encoding import pair_cosines
from trackside.judging.forms import FORMS
from trackside.judging.judge import Vector

pytestmark = pytest.mark.django_db


def test_finish_job_scores_each_pair_by_its_own_two_vectors(counting: list[bytes]) -> None:
    job = judged()

    assert job.state == JobState.COMPLETED
    assert job.finished_at is not None
    topics = {topic.number: topic.text_of().encode() for topic in Topic.objects.filter(task=job.pool.task)}
    documents = Document.objects.filter(collection=job.pool.task.collection).select_related("image__small")
    images = {each.docno: each.image.small.read() for each in documents if each.image}
    for call in job.calls.all():
        cosine = np.dot(vector_of(topics[call.topic]), vector_of(images[call.docno]))
        assert call.cosine == pytest.approx(float(cosine), abs=1e-6)
        assert np.float32(call.raw_score) == np.float32(call.cosine)
        assert (call.state, call.outcome, call.attempt_count) == (CallState.DONE, "ok", 1)
        assert call.code_version


def test_finish_job_waits_for_the_last_shard_and_twice_does_nothing_more(counting: list[bytes]) -> None:
    job = started()
    run_shard(shard_id=job.shards.all()[0].pk)

    finish_job(job_id=job.pk)

    job.refresh_from_db()
    assert job.state == JobState.RUNNING
    assert not job.calls.scored().exists()
    run_to_end(job)
    before = list(job.calls.order_by("pk").values())
    finish_job(job_id=job.pk)
    assert list(job.calls.order_by("pk").values()) == before


def test_finish_job_makes_gaps_of_vectors_that_are_no_numbers_and_of_infinite_scores(
    counting: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def encode(self: CountingEncoder, texts: Sequence[str]) -> Sequence[Vector]:
        return [
            np.full(16, np.nan, np.float32) if "T1" in text else vector_of(text.encode()) for text in texts
        ]

    monkeypatch.setattr(CountingEncoder, "encode_texts", encode)

    job = judged()

    assert job.state == JobState.COMPLETED_WITH_GAPS
    assert set(job.calls.failed().values_list("topic", "outcome")) == {("T1", "not_finite")}
    assert set(job.calls.scored().values_list("topic", flat=True)) == {"T2"}
    monkeypatch.setattr(CountingEncoder, "raw_scores", staticmethod(lambda cosines: cosines + np.inf))
    assert judged().outcome_counts() == {"not_finite": 6}


@pytest.mark.usefixtures("with_canaries")
def test_gap_of_a_canary_is_no_gap_of_the_pool(
    counting: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def encode(self: CountingEncoder, texts: Sequence[str]) -> Sequence[Vector]:
        pooled = ("T1", "T2")
        is_pooled = [any(topic in text for topic in pooled) for text in texts]
        return [
            vector_of(text.encode()) if each else np.full(16, np.nan, np.float32)
            for text, each in zip(texts, is_pooled, strict=True)
        ]

    monkeypatch.setattr(CountingEncoder, "encode_texts", encode)
    job = judged()
    assert job.calls.failed().exists()
    assert job.state == JobState.COMPLETED


def test_finish_job_does_not_close_a_job_that_got_more_work_meanwhile(
    counting: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A retry may plan another shard while the scores are computed."""

    def plan_more(vectors: Any, *given: Any) -> Any:
        Shard.objects.filter(job=job, side="topic").update(done_at=None)
        return pair_cosines(vectors, *given)

    job = started()
    monkeypatch.setattr("judges.grades.finishing.pair_cosines", plan_more)
    assert run_to_end(job).state == JobState.RUNNING
    assert not job.calls.scored().exists()


def test_job_with_clip_stores_clipscore_of_the_small_images(tiny_clip: Path) -> None:
    from tests.judges.tiny_clip import plain_cosines

    clip = {"backend": "clip", "model": str(tiny_clip), "model_revision": ""}
    job = judged(make_judge(**clip, prompt="A photo depicts "))

    topics = list(Topic.objects.filter(task=job.pool.task).order_by("number"))
    documents = Document.objects.filter(collection=job.pool.task.collection).select_related("image__small")
    images = [Image.open(BytesIO(each.image.small.read())).convert("RGB") for each in documents if each.image]
    texts = [f"A photo depicts {topic.text_of()}" for topic in topics]
    expected = plain_cosines(tiny_clip, texts, images).ravel()
    calls = job.calls.order_by("topic", "docno")
    cosines = np.array(calls.values_list("cosine", flat=True), np.float32)
    raw_scores = np.array(calls.values_list("raw_score", flat=True), np.float64)
    np.testing.assert_allclose(cosines, expected, atol=1e-5)
    np.testing.assert_allclose(raw_scores, 2.5 * np.maximum(expected, 0), atol=2.5e-5)


def test_job_with_llava_stores_the_answers_of_the_model(tiny_llava: Path) -> None:
    llava = {"backend": "llava", "model": str(tiny_llava), "model_revision": ""}
    job = judged(make_judge(**llava, prompt="{image}\n{fields}", answer="relevance-1-100"))

    calls = list(job.calls.all())
    assert len(calls) == 6
    for call in calls:
        read = read_answer(call.raw_answer, call.finish_reason, FORMS["relevance-1-100"])
        assert call.raw_answer
        assert (call.outcome, call.raw_score) == (read.outcome, read.score)
