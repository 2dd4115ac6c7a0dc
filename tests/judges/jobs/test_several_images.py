"""Items of several images: an endpoint sees all in order, an encoder their mean or the nearest one."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from django.core.files.storage import default_storage
from numpy.typing import NDArray
from pytest_django import DjangoAssertNumQueries

from evaluation.models import Document, Image, Pool, TaskKind, Topic
from judges.jobs.estimates import estimate_job, show_pair
from judges.jobs.models import Side
from judges.models import Job, Judge
from judges.trials.actions import ask_trial, run_trial
from tests.factories import make_image
from tests.judges.endpoint import Act, Endpoint, running
from tests.judges.factories import judged, make_judge, run_to_end, started
from tests.judges.jobs.test_modalities import contents, make_grader, make_pair_pool
from trackside.backends.registry import loaded_encoder
from trackside.judging.inputs import ImageInput, SideInput
from trackside.judging.judge import EVERY_KIND, Encoder
from trackside.judging.settings import Settings, digest

pytestmark = pytest.mark.django_db


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with running(lambda _: Act(text="Grade: 1")) as served:
        yield served


def give_images(item: Topic | Document, count: int) -> list[Image]:
    images = [make_image() for _ in range(count)]
    item.image, item.more_images = images[0], [image.pk for image in images[1:]]
    item.save()
    return images


def make_image_pool(kind: TaskKind = TaskKind.IMAGE_TO_IMAGE) -> tuple[Pool, list[list[Image]]]:
    """A topic of two images; documents of three, of one and of two images."""
    pool = make_pair_pool(kind, topic={}, documents=[{}, {}, {}])
    documents = Document.objects.filter(collection=pool.task.collection).order_by("docno")
    counts = zip([Topic.objects.get(task=pool.task), *documents], [2, 3, 1, 2], strict=True)
    return pool, [give_images(item, count) for item, count in counts]


def make_clip(folder: Path, **changes: str) -> Judge:
    return make_judge(backend="clip", model=str(folder), model_revision="", task_kinds=EVERY_KIND, **changes)


def lose(image: Image) -> None:
    default_storage.delete(image.original.path)


def test_an_endpoint_gets_all_images_in_order_at_the_place_of_the_prompt(endpoint: Endpoint) -> None:
    pool, (topic, *documents) = make_image_pool()
    judge = make_grader(endpoint, "{document.image} Found for {topic.image} Caption: {document.caption}")
    estimate = estimate_job(judge=judge, pool=pool)
    lose(documents[2][1])
    job = judged(judge, pool)
    assert dict(job.calls.values_list("docno", "outcome")) == {"D1": "ok", "D2": "ok", "D3": "image_missing"}
    shown = sorted(contents(endpoint), key=len, reverse=True)
    for parts, images, caption in zip(shown, documents, ("D1", "D2"), strict=False):
        assert parts == [
            *(image.small.read() for image in images),
            "Found for",
            *(image.small.read() for image in topic),
            f"Caption: Caption of {caption}",
        ]
    assert len(shown) == 2
    assert estimate.token_count is not None
    assert estimate.token_count > 12 * 1000  # 3 + 1 + 2 images of documents, twice 3 of the topic


def test_a_prompt_of_one_text_and_one_image_shows_all_images_of_the_item(endpoint: Endpoint) -> None:
    pool, (_, *documents) = make_image_pool(TaskKind.TEXT_TO_IMAGE)
    job = judged(make_grader(endpoint, "{fields} {image} Grade?"), pool)
    assert set(job.calls.values_list("outcome", flat=True)) == {"ok"}
    sent = [[part for part in parts if isinstance(part, bytes)] for parts in contents(endpoint)]
    assert sorted(sent) == sorted([image.small.read() for image in images] for images in documents)
    preview = show_pair(pool.task, job.judge, pool.task.topics.get(), Document.objects.get(docno="D1"))
    assert [image for _, image in preview.parts if image] == documents[0]


@pytest.mark.parametrize("long_text", ["chunk-mean", "chunk-max"])
def test_an_encoder_scores_the_mean_of_an_items_images_or_the_nearest_one(
    tiny_clip: Path, long_text: str
) -> None:
    pool, (topic, *documents) = make_image_pool()
    job = judged(make_clip(tiny_clip, long_text=long_text), pool)
    judge = job.judge
    encoder: Encoder = loaded_encoder(judge.settings)

    def vectors(images: list[Image]) -> NDArray[np.float64]:
        prepared = [encoder.prepare_image(image.small.read()) for image in images]
        return np.stack([encoder.encode_images([each])[0] for each in prepared]).astype(np.float64)

    def cosine(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
        if long_text == "chunk-max":
            return float((one @ other.T).max())
        means = [each.mean(axis=0) for each in (one, other)]
        return float(means[0] @ means[1] / np.linalg.norm(means[0]) / np.linalg.norm(means[1]))

    scores = dict(job.calls.values_list("docno", "raw_score"))
    expected = [2.5 * max(cosine(vectors(topic), vectors(images)), 0) for images in documents]
    assert [scores[f"D{number}"] for number in (1, 2, 3)] == pytest.approx(expected, abs=1e-5)
    trial = ask_trial(judge=judge, task=pool.task, by=pool.created_by)
    run_trial(trial_id=trial.pk)
    trial.refresh_from_db()
    score = 2.5 * max(cosine(vectors(topic), vectors(documents[int(trial.docno[1]) - 1])), 0)
    assert trial.result.startswith(f"raw score {score:.4f}")


def test_an_item_with_a_broken_image_is_a_gap_and_its_others_are_still_encoded(tiny_clip: Path) -> None:
    pool, (_, *documents) = make_image_pool()
    lose(documents[0][2])
    job = judged(make_clip(tiny_clip), pool)
    assert dict(job.calls.values_list("docno", "outcome")) == {
        "D1": "image_missing",
        "D2": "ok",
        "D3": "ok",
    }


def test_a_further_image_that_changes_after_the_plan_is_a_gap(endpoint: Endpoint) -> None:
    pool, _ = make_image_pool()
    judge = make_grader(endpoint, "{document.image} Found for {topic.image}")
    job = started(judge, pool)
    Document.objects.filter(docno="D1").update(more_images=[])
    assert dict(run_to_end(job).calls.values_list("docno", "outcome"))["D1"] == "item_changed"


def test_planning_reads_the_images_of_all_items_by_one_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    pool, _ = make_image_pool()
    judge = Judge(**asdict(Settings(backend="clip", revision=1, model="m", model_revision="1")))
    job = Job(judge=judge, pool=pool)
    with django_assert_num_queries(3):  # documents, their further images, roles of fields
        job.inputs(Side.DOCUMENT, ["D1", "D2", "D3"])


def test_the_hash_of_one_image_is_that_of_releases_without_several() -> None:
    """Stored answers and vectors are found by it."""
    assert ImageInput("a").sha256 == digest(["image", "a"])
    assert SideInput((("caption", "A"),), ("a",)).sha256 == digest(["side", "a", ("caption", "A")])
    assert SideInput((("caption", "A"),)).sha256 == digest(["side", "", ("caption", "A")])
    hashes = [ImageInput("a", more=more).sha256 for more in ((), ("b",), ("b", "c"), ("c", "b"))]
    hashes += [SideInput((), blobs).sha256 for blobs in ((), ("a",), ("a", "b"), ("b", "a"))]
    assert len(set(hashes)) == len(hashes)
