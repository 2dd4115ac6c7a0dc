from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from django.core.files.storage import default_storage
from django.db import connection
from numpy.typing import NDArray

from evaluation.models import Document, Pool, Topic
from judges.jobs.embeddings import image_distance
from judges.jobs.running import TEXT_BATCHES, run_shard
from judges.jobs.scheduling import cancel_job, give_up_shard
from judges.models import Embedding, Job, JobState, Shard, Side
from tests.judges.counting_encoder import CountingEncoder, vector_of
from tests.judges.factories import make_image_pool, make_judge, run_to_end, started
from trackside.backends.clip.texts import ModelNotFound
from trackside.judging.inputs import TextInput
from trackside.judging.judge import Vector

pytestmark = pytest.mark.django_db

TEXTS = TEXT_BATCHES * CountingEncoder.batch_size  # a batch of texts


def make_job(pool: Pool | None = None, **changes: object) -> Job:
    return started(make_judge(**changes), pool)


def shard_of(job: Job, side: Side) -> Shard:
    return job.shards.get(side=side)


def in_another_session(ask: Callable[[], object]) -> object:
    """Run in a thread, which has its own database session."""

    def run() -> object:
        try:
            return ask()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        return threads.submit(run).result()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("counting")
def test_shard_is_held_by_one_session_and_free_when_it_ends() -> None:
    one, other = make_job().shards.all()

    def is_free(shard: Shard) -> bool:
        with shard.hold() as free:
            return free

    with one.hold() as is_mine:
        assert is_mine
        assert set(Shard.objects.held()) == {one}
        assert not in_another_session(lambda: is_free(one))
        assert in_another_session(lambda: is_free(other))
    assert in_another_session(lambda: is_free(one))
    assert not Shard.objects.held()


@pytest.fixture
def while_encoding(counting: list[bytes], monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """Acts to run while the model works: one for each batch of texts, in order."""
    acts: list[Callable[[], None]] = []
    encode = CountingEncoder.encode_texts

    def act_and_encode(self: CountingEncoder, texts: Sequence[str]) -> Sequence[Vector]:
        if acts:
            acts.pop(0)()
        return encode(self, texts)

    monkeypatch.setattr(CountingEncoder, "encode_texts", act_and_encode)
    return acts


def test_run_shard_encodes_each_text_and_image_once_and_keeps_its_vector(
    counting: list[bytes],
) -> None:
    pool = make_image_pool(topic_count=3, image_count=4)

    job = run_to_end(make_job(pool, image_size="original"))

    images = [document.image for document in Document.objects.all()]
    texts = [topic.text_of() for topic in Topic.objects.all()]
    contents = [*(text.encode() for text in texts), *(image.original.read() for image in images if image)]
    assert sorted(counting) == sorted(contents)
    assert job.scored_count == 12
    assert not job.shards.exclude(image_distance=None).exists()  # the judge reads unscaled images
    sha256 = TextInput((texts[0],)).sha256
    stored = Embedding.objects.vectors(job.judge.settings.encoder_sha256, [sha256])
    np.testing.assert_array_equal(stored[sha256], vector_of(texts[0].encode()))


def test_run_shard_starts_the_job_and_the_last_one_queues_its_end(
    counting: list[bytes], queued: list[tuple[str, int]]
) -> None:
    job = make_job()
    queued.clear()

    for _ in range(2):
        run_shard(shard_id=shard_of(job, Side.TOPIC).pk)
        job.refresh_from_db()
        assert job.state == JobState.RUNNING
        assert job.started_at is not None
        assert (queued, len(counting)) == ([], 2)

    run_shard(shard_id=shard_of(job, Side.DOCUMENT).pk)
    assert queued == [("judges.finish_job", job.pk)]


@pytest.mark.django_db(transaction=True)
def test_run_shard_leaves_a_shard_that_another_worker_holds(
    counting: list[bytes], while_encoding: list[Callable[[], None]]
) -> None:
    shard = shard_of(make_job(), Side.TOPIC)

    def run_meanwhile() -> None:
        in_another_session(lambda: run_shard(shard_id=shard.pk))
        assert counting == []

    while_encoding.append(run_meanwhile)
    run_shard(shard_id=shard.pk)

    assert len(counting) == 2


@pytest.mark.django_db(transaction=True)
def test_run_shard_has_no_transaction_open_while_the_model_works(
    while_encoding: list[Callable[[], None]],
) -> None:
    seen: list[bool] = []
    while_encoding.append(lambda: seen.append(connection.in_atomic_block))

    run_shard(shard_id=shard_of(make_job(), Side.TOPIC).pk)

    assert seen == [False]


def test_run_shard_continues_behind_the_stored_batches(
    counting: list[bytes], while_encoding: list[Callable[[], None]]
) -> None:
    def die() -> None:
        raise MemoryError

    shard = shard_of(make_job(make_image_pool(topic_count=11, image_count=1)), Side.TOPIC)
    while_encoding += [lambda: None, die]
    with pytest.raises(MemoryError):
        run_shard(shard_id=shard.pk)
    shard.refresh_from_db()
    assert (shard.encoded_count, shard.attempt_count, shard.done_at) == (TEXTS, 0, None)
    before = list(counting)

    run_shard(shard_id=shard.pk)

    shard.refresh_from_db()
    assert shard.done_at is not None
    assert len(before) == TEXTS
    assert len(set(counting)) == len(counting) == 11


def test_run_shard_stops_when_the_job_is_cancelled(
    counting: list[bytes], while_encoding: list[Callable[[], None]]
) -> None:
    job = make_job(make_image_pool(topic_count=11, image_count=1))
    while_encoding.append(lambda: cancel_job(job=job, by=job.created_by))

    run_shard(shard_id=shard_of(job, Side.TOPIC).pk)

    assert len(counting) == TEXTS
    assert not Shard.objects.filter(job=job, done_at__isnull=False).exists()


def test_run_shard_names_an_item_that_was_edited_after_the_planning(counting: list[bytes]) -> None:
    job = make_job()
    Topic.objects.filter(task=job.pool.task, number="T1").update(fields=[["page_title", "edited"]])

    job = run_to_end(job)

    assert job.outcome_counts() == {"item_changed": 3, "ok": 3}
    assert set(job.calls.failed().values_list("topic", flat=True)) == {"T1"}


@pytest.mark.usefixtures("counting")
def test_run_shard_names_unreadable_and_lost_images() -> None:
    pool = make_image_pool(topic_count=1, image_count=3)
    broken, lost, _ = Document.objects.filter(collection=pool.task.collection).select_related("image__small")
    assert broken.image is not None
    assert lost.image is not None
    default_storage.delete(lost.image.small.path)
    default_storage.delete(broken.image.small.path)
    with default_storage.open(broken.image.small.path, "wb") as file:
        file.write(b"broken")

    job = run_to_end(make_job(pool))

    outcomes = dict(job.calls.values_list("docno", "outcome"))
    assert outcomes == {"D1": "image_unreadable", "D2": "image_missing", "D3": "ok"}


def test_run_shard_gives_up_at_once_if_the_model_cannot_be_loaded(
    counting: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: CountingEncoder, settings: object) -> None:
        raise ModelNotFound("The model m cannot be loaded: no such file")

    monkeypatch.setattr(CountingEncoder, "__init__", refuse)

    job = run_to_end(make_job())

    assert job.state == JobState.COMPLETED_WITH_GAPS
    assert job.outcome_counts() == {"backend_failed": 6}
    assert set(job.shards.values_list("error", flat=True)) == {"The model m cannot be loaded: no such file"}


def test_run_shard_keeps_a_long_text_in_pieces_that_are_texts_like_any_other(counting: list[bytes]) -> None:
    pool = make_image_pool(topic_count=1, image_count=2)
    Topic.objects.filter(task=pool.task).update(fields=[["page_title", "one two three four"]])

    first = run_to_end(make_job(pool, model="m", model_revision="1", long_text="chunk-max"))
    seen = counting.copy()
    counting.clear()
    second = run_to_end(make_job(pool, model="m", model_revision="1", long_text="chunk-mean"))

    assert {b"one two", b"three four"} < set(seen)
    assert counting == []  # both policies read the same pieces
    images = [vector_of(each.image.small.read()) for each in Document.objects.all() if each.image]
    pieces = np.stack([vector_of(b"one two"), vector_of(b"three four")])
    mean = pieces.mean(axis=0) / np.linalg.norm(pieces.mean(axis=0))
    np.testing.assert_allclose(cosines_of(first), [max(pieces @ image) for image in images], atol=1e-6)
    np.testing.assert_allclose(cosines_of(second), [mean @ image for image in images], atol=1e-6)


def cosines_of(job: Job) -> NDArray[np.float64]:
    return np.array(job.calls.order_by("topic", "docno").values_list("cosine", flat=True), np.float64)


def test_run_shard_reads_field_by_field(counting: list[bytes]) -> None:
    pool = make_image_pool(topic_count=1, image_count=1)
    Topic.objects.filter(task=pool.task).update(fields=[["page_title", "Barns"], ["text", "a red barn"]])

    job = run_to_end(make_job(pool, long_text="by-fields"))

    image = Document.objects.get().image
    assert image is not None
    fields = np.stack([vector_of(b"Barns"), vector_of(b"a red barn")])
    mean = fields.mean(axis=0) / np.linalg.norm(fields.mean(axis=0))
    np.testing.assert_allclose(cosines_of(job), [mean @ vector_of(image.small.read())], atol=1e-6)


@pytest.mark.parametrize("size", ["small", "draft"])
@pytest.mark.usefixtures("counting")
def test_run_shard_measures_how_far_copies_and_drafts_are_from_the_images(size: str) -> None:
    pool = make_image_pool(topic_count=1, image_count=3)

    job = run_to_end(make_job(pool, image_size=size))

    images = [each.image for each in Document.objects.all() if each.image]
    distances = [
        np.linalg.norm(
            vector_of(each.original.read())
            - vector_of(each.small.read() if size == "small" else b"draft of " + each.original.read())
        )
        for each in images
    ]
    measured = job.shards.exclude(image_distance=None).get()
    assert measured.side == "document"
    assert image_distance(job) == pytest.approx(max(distances), abs=1e-6)


@pytest.mark.usefixtures("counting")
def test_give_up_shard_makes_gaps_of_what_is_left_only() -> None:
    shard = shard_of(make_job(make_image_pool(topic_count=1, image_count=3)), Side.DOCUMENT)
    run_shard(shard_id=shard.pk)
    give_up_shard(shard=shard, error="too late")
    shard.refresh_from_db()
    assert (shard.gaps, shard.error) == ({}, "")
    Shard.objects.filter(pk=shard.pk).update(done_at=None, encoded_count=2)  # two of three are encoded

    give_up_shard(shard=shard, error="out of memory")

    shard.refresh_from_db()
    assert shard.gaps == {shard.inputs[2][1]: "backend_failed"}
    assert shard.error == "out of memory"
