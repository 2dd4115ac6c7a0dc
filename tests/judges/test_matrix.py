"""Every scale and every kind of pair, from the start of a job to published grades, beside a plain loop.

A small model is fitted here and answers behind a server on the loopback; what it is to see of a pair is put
together by hand from the items, without the judges' code.
"""

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image as Picture
from transformers import CLIPModel, CLIPProcessor

from evaluation.models import Document, Pool, Topic
from judges.models import Judge, Mapping
from tests.judges.endpoint import Act, Request, running
from tests.judges.factories import fitted, judged, make_endpoint_judge, make_judge, published
from tests.judges.pair_kinds import DOCUMENTS, SIDES, WORDS, Parts, make_matrix_pool, pictures_of
from trackside.judging.judge import EVERY_KIND

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

COLOURS = 12
LABELS = ("not relevant", "relevant", "very relevant")
SCALES = {
    "two": ("grade-0-1", range(2)),
    "three": ("grade-0-2-json", range(3)),
    "four": ("grade-0-3", range(4)),
    "five": ("grade-0-4", range(5)),
    "hundred": ("relevance-1-100", range(3)),
    "labels": (f"labels:{', '.join(f'{label}={grade}' for grade, label in enumerate(LABELS))}", range(3)),
}


def features(parts: Parts) -> np.ndarray[Any, Any]:
    """Colours of the images' quarters and counts of words; the weight of a part depends on its place."""
    found = np.zeros(COLOURS + WORDS)
    for place, part in enumerate(parts, start=1):
        if isinstance(part, bytes):
            with Picture.open(io.BytesIO(part)) as picture:
                quarters = np.asarray(picture.convert("RGB"), float).reshape(2, 32, 2, 32, 3) / 255
            found[:COLOURS] += place * quarters.mean(axis=(1, 3)).ravel()
        else:
            for word in re.findall(r"\bword(\d)\b", part):
                found[COLOURS + int(word)] += place
    return found


def fitted_model(pairs: list[Parts]) -> Callable[[Parts], float]:
    """A ridge regression of drawn relevance from 0 to 1 on the pairs' features."""
    shown = np.array([features(parts) for parts in pairs])
    wanted = np.random.default_rng(7).permutation(len(pairs)) / len(pairs)
    centre = shown.mean(axis=0)
    inner = (shown - centre).T @ (shown - centre) + 1e-3 * np.eye(shown.shape[1])
    weights = np.linalg.solve(inner, (shown - centre).T @ (wanted - wanted.mean()))
    return lambda parts: float(np.clip((features(parts) - centre) @ weights + wanted.mean(), 0, 1))


def joined(parts: Parts) -> Parts:
    """Texts that follow each other are one part of a request."""
    whole: Parts = []
    for part in parts:
        if isinstance(part, str) and whole and isinstance(whole[-1], str):
            whole[-1] += f"\n{part}"
        else:
            whole.append(part)
    return whole


def score_on(answer: str, share: float) -> int:
    """The score of a form of answer: the number that the server writes, or the label's grade."""
    if answer.startswith("labels"):
        return min(int(share * len(LABELS)), len(LABELS) - 1)
    lowest, highest = map(int, re.findall(r"\d+", answer))
    return lowest + min(int(share * (highest - lowest + 1)), highest - lowest)


def written(answer: str, score: int) -> str:
    if answer.startswith("labels"):
        return f"Grade: {LABELS[score].capitalize()}."
    marker = answer.partition("-")[0]
    return json.dumps({marker: score}) if answer.endswith("json") else f"{marker.capitalize()}: {score}"


def publish(judge: Judge, pool: Pool) -> dict[str, int | None]:
    job = judged(judge, pool)
    mapping = fitted(job)
    qrels = published(job, mapping)
    return dict(qrels.pairs.values_list("docno", "grade"))


def by_quantiles(scores: dict[str, float], cuts: list[float]) -> dict[str, int | None]:
    """A score's grade is the number of cuts that it reaches, of the last one that it exceeds."""
    levels = np.quantile(list(scores.values()), cuts)
    return {
        docno: int(sum(score >= level for level in levels[:-1]) + (score > levels[-1]))
        for docno, score in scores.items()
    }


def items_of(pool: Pool) -> tuple[Topic, list[Document]]:
    documents = Document.objects.filter(collection=pool.task.collection).exclude(fields=[])
    return pool.task.topics.get(), list(documents.select_related("image"))


@pytest.mark.parametrize("sides", SIDES)
@pytest.mark.parametrize("scale", SCALES)
def test_an_endpoint_judges_every_kind_of_pair_on_every_scale(sides: str, scale: str) -> None:
    (kind, topic_side, document_side), (answer, grades) = SIDES[sides], SCALES[scale]
    pool = make_matrix_pool(kind, topic_side, document_side, grades, seed=7)
    topic, documents = items_of(pool)
    shown = {
        document.docno: joined([*topic_side.parts(topic), *document_side.parts(document)])
        for document in documents
    }
    model = fitted_model(list(shown.values()))

    def plan(request: Request) -> Act:
        return Act(text=written(answer, score_on(answer, model(request.parts))))

    with running(plan) as endpoint:
        prompt = f"{topic_side.prompt('topic')}\n{document_side.prompt('document')}"
        published = publish(make_endpoint_judge(endpoint.url, prompt=prompt, answer=answer), pool)
    scores = {docno: score_on(answer, model(parts)) for docno, parts in shown.items()}
    assert len(set(scores.values())) > 1
    expected: dict[str, int | None] = (
        by_quantiles({docno: float(score) for docno, score in scores.items()}, [0.5, 0.75])
        if scale == "hundred"
        else dict(scores)
    )
    assert published == expected | {f"D{DOCUMENTS}": None}


@pytest.mark.parametrize("sides", SIDES)
def test_clip_judges_every_kind_of_pair(sides: str, tiny_clip: Path) -> None:
    """Beside the plain loop over transformers: one text and one image at a time."""
    kind, topic_side, document_side = SIDES[sides]
    pool = make_matrix_pool(kind, topic_side, document_side, range(5), seed=8)
    judge = make_judge(backend="clip", model=str(tiny_clip), model_revision="", task_kinds=EVERY_KIND)
    published = publish(judge, pool)
    model, processor = CLIPModel.from_pretrained(tiny_clip).eval(), CLIPProcessor.from_pretrained(tiny_clip)

    def vector(item: Topic | Document, modality: str) -> np.ndarray[Any, Any]:
        with torch.inference_mode():
            if modality == "text":
                inputs = processor(text=[item.text_of()], return_tensors="pt", truncation=True)
                found = [model.get_text_features(**inputs).pooler_output[0]]
            else:
                pictures = [Picture.open(io.BytesIO(content)) for content in pictures_of(item)]
                inputs = [processor(images=[picture], return_tensors="pt") for picture in pictures]
                found = [model.get_image_features(**each).pooler_output[0] for each in inputs]
        units = [np.asarray(each, float) / np.linalg.norm(each) for each in found]
        mean = np.mean(units, axis=0)
        return np.asarray(mean / np.linalg.norm(mean))

    of_topic, _, of_document = kind.partition("-to-")
    topic, documents = items_of(pool)
    cosines = {
        document.docno: max(float(vector(topic, of_topic) @ vector(document, of_document)), 0)
        for document in documents
    }
    thresholds = [level for level in Mapping.objects.get().finite_thresholds if level is not None]
    scores = {docno: 2.5 * cosine for docno, cosine in cosines.items()}
    assert {docno: grade for docno, grade in published.items() if grade is not None} == {
        docno: int(sum(score > level for level in thresholds)) for docno, score in scores.items()
    }
    assert published[f"D{DOCUMENTS}"] is None
