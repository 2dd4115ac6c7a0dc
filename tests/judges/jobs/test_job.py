import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from judges.models import Embedding, Job, JobState, Mapping, Side
from tests.factories import make_document, make_image, make_pool, make_task, make_topic
from tests.judges.factories import make_image_pool, make_judge, make_text_pool, run_to_end, started
from trackside.judging.inputs import Gap, ImageInput, TextInput

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


def test_job_with_progress_counts_pairs_and_inputs_apart() -> None:
    job = started()
    for row, done in ((Job.objects.with_progress().get(pk=job.pk), 0), (run_to_end(job), 1)):
        counts = (row.pair_count, row.scored_count, row.gap_count, row.input_count, row.encoded_count)
        assert counts == (6, 6 * done, 0, 5, 5 * done)


def test_job_keeps_judge_and_pool() -> None:
    job = started()

    with pytest.raises(DatabaseError, match="a_job_keeps_judge_and_pool"):
        Job.objects.filter(pk=job.pk).update(pool=make_image_pool())


def test_job_is_over_exactly_when_it_has_an_end() -> None:
    with pytest.raises(IntegrityError, match="job_finished_iff_inactive"):
        Job.objects.filter(pk=started().pk).update(state=JobState.COMPLETED)


def test_job_shows_the_chosen_fields_in_their_order() -> None:
    task = make_task()
    make_topic(task, number="T1", fields=[["a", "first"], ["b", "second"], ["c", "third"]])
    make_document(task.collection, docno="D1", image=make_image())
    pool = make_pool(task, pairs=[("T1", "D1")])
    job = Job(judge=make_judge(text_fields=("c", "a"), prompt="Look:"), pool=pool)

    assert job.inputs(Side.TOPIC, ["T1"]) == {"T1": TextInput(("third first",), "Look:")}


def test_job_shows_the_size_of_image_that_the_judge_looks_at() -> None:
    pool = make_image_pool(topic_count=1, image_count=1)
    image = pool.task.collection.documents.get().image
    assert image is not None
    for size, blob in [("small", image.small_id), ("original", image.original_id)]:
        job = Job(judge=make_judge(image_size=size), pool=pool)
        assert job.inputs(Side.DOCUMENT, ["D1"]) == {"D1": ImageInput(blob)}


def test_job_shows_image_topics_against_texts() -> None:
    pool = make_text_pool(topic_count=1, text_count=1)
    job = Job(judge=make_judge(), pool=pool)
    image = pool.task.topics.get().image
    assert image is not None

    assert job.inputs(Side.TOPIC, ["T1"]) == {"T1": ImageInput(image.small_id)}
    assert job.inputs(Side.DOCUMENT, ["D1"]) == {"D1": TextInput(("Caption of D1",))}


def test_job_names_what_it_cannot_show() -> None:
    task = make_task()
    make_topic(task, number="empty", fields=[["page_title", " "]])
    make_document(task.collection, docno="imageless")
    job = Job(judge=make_judge(), pool=make_pool(task))

    assert job.inputs(Side.TOPIC, ["empty", "gone"]) == {"empty": Gap.TEXT_EMPTY, "gone": Gap.ITEM_MISSING}
    assert job.inputs(Side.DOCUMENT, ["imageless"]) == {"imageless": Gap.IMAGE_MISSING}


def test_calls_are_never_deleted_and_done_ones_never_changed() -> None:
    job = run_to_end(started())

    with pytest.raises(DatabaseError, match="calls_are_never_deleted"), transaction.atomic():
        job.calls.first().delete()  # type: ignore[union-attr]
    with pytest.raises(DatabaseError, match="done_calls_are_immutable"), transaction.atomic():
        job.calls.update(raw_score=1.0)


@pytest.mark.parametrize(
    "lie",
    [
        {"state": "done", "outcome": "ok"},
        {"state": "done", "outcome": "refusal", "raw_score": 1.0},
        {"state": "failed", "outcome": ""},
        {"state": "failed", "outcome": "refusal", "raw_score": 0.0},
        {"state": "failed", "outcome": "ok"},
        {"raw_score": 0.0},
    ],
)
def test_call_has_a_score_exactly_when_it_is_done(lie: dict[str, object]) -> None:
    ended = {"ended_at": timezone.now()} if "state" in lie else {}
    with pytest.raises(IntegrityError, match="call_score_iff_done"):
        started().calls.update(**lie, **ended)


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_call_score_is_a_number(score: float) -> None:
    with pytest.raises(IntegrityError, match="call_score_is_finite"):
        started().calls.update(state="done", outcome="ok", raw_score=score, ended_at=timezone.now())


def test_mapping_is_frozen() -> None:
    pool = make_image_pool()
    mapping = Mapping.objects.create(
        judge=make_judge(),
        pool=pool,
        rule="paper-2024",
        version=1,
        thresholds=[1, 2],
        score_count=3,
        created_by=pool.created_by,
    )

    with pytest.raises(DatabaseError, match="mappings_are_frozen"), transaction.atomic():
        Mapping.objects.filter(pk=mapping.pk).update(version=2)
    with pytest.raises(DatabaseError, match="mappings_are_frozen"), transaction.atomic():
        mapping.delete()


def test_embedding_cannot_be_changed() -> None:
    embedding = Embedding.objects.create(encoder_sha256="a", input_sha256="b", vector=b"\0" * 8)

    with pytest.raises(DatabaseError, match="embeddings_are_immutable"):
        Embedding.objects.filter(pk=embedding.pk).update(vector=b"\1" * 8)
