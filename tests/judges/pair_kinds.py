"""Pools of every kind of pair: texts, images and both on either side, and several images an item."""

import io
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image as Picture

from evaluation.models import Criteria, Document, Image, Pool, TaskKind, Topic
from tests.factories import make_blob, make_document, make_pool, make_task, make_topic

DOCUMENTS, WORDS = 14, 8
Parts = list[str | bytes]


def pictures_of(item: Topic | Document) -> list[bytes]:
    keys = [item.image.pk, *item.more_images] if item.image else []
    return [Image.objects.get(pk=key).small.read() for key in keys]


@dataclass(frozen=True)
class Side:
    """What the prompt shows of one side, and the number of images that its items have."""

    shows_text: bool
    image_count: int = 0

    def parts(self, item: Topic | Document) -> Parts:
        text = "\n".join(f"{name.capitalize()}: {text}" for name, text in item.fields)
        return [*pictures_of(item), *([text] if self.shows_text else [])]

    def prompt(self, side: str) -> str:
        shown = [f"{{{side}.image}}"] * bool(self.image_count) + [f"{{{side}.fields}}"] * self.shows_text
        return " ".join(shown)


TEXT, IMAGE = Side(shows_text=True), Side(shows_text=False, image_count=1)
SIDES = {
    "text-text": (TaskKind.TEXT_TO_TEXT, TEXT, TEXT),
    "text-image": (TaskKind.TEXT_TO_IMAGE, TEXT, IMAGE),
    "image-text": (TaskKind.IMAGE_TO_TEXT, IMAGE, TEXT),
    "image-image": (TaskKind.IMAGE_TO_IMAGE, IMAGE, IMAGE),
    "both-both": (TaskKind.IMAGE_TO_TEXT, Side(shows_text=True, image_count=1), Side(True, 1)),
    "three images": (TaskKind.IMAGE_TO_IMAGE, Side(shows_text=False, image_count=3), Side(True, 3)),
}


def make_coloured(rng: np.random.Generator) -> Image:
    """A picture of blocks in drawn colours."""
    colours = rng.integers(0, 256, (4, 4, 3), np.uint8).repeat(16, axis=0).repeat(16, axis=1)
    with io.BytesIO() as file:
        Picture.fromarray(colours).save(file, "PNG")
        blob = make_blob(file.getvalue())
    copies = dict.fromkeys(("original", "display", "small", "thumbnail"), blob)
    return Image.objects.create(sha256=blob.sha256, width=64, height=64, **copies)


CARE = "Judge with care. " * 50  # of a prompt: more bytes than the tokens that the endpoint counts


def prompt_of(sides: str) -> str:
    _, topic, document = SIDES[sides]
    return f"{topic.prompt('topic')}\nFound: {document.prompt('document')}"


def make_kind_pool(sides: str, *, documents: int = DOCUMENTS) -> Pool:
    return make_matrix_pool(*SIDES[sides], range(3), seed=9, documents=documents)


def make_matrix_pool(
    kind: TaskKind, topic: Side, document: Side, grades: range, seed: int, documents: int = DOCUMENTS
) -> Pool:
    """A topic and its documents, and one more without texts and images."""
    rng = np.random.default_rng(seed)

    def content(side: Side) -> dict[str, Any]:
        images = [make_coloured(rng) for _ in range(side.image_count)]
        words = " ".join(f"word{number}" for number in rng.integers(0, WORDS, 5))
        more = [image.pk for image in images[1:]]
        return {"fields": [["text", words]], "image": images[0] if images else None, "more_images": more}

    task = make_task(kind=kind)
    words = [{"grade": grade, "name": f"Grade {grade}", "text": ""} for grade in grades]
    Criteria.objects.filter(task=task).update(grades=words)
    make_topic(task, number="T1", **content(topic))
    docnos = [f"D{number:02}" for number in range(documents + 1)]
    for docno in docnos[:-1]:
        make_document(task.collection, docno=docno, **content(document))
    make_document(task.collection, docno=docnos[-1], fields=[])
    return make_pool(task, pairs=[("T1", docno) for docno in docnos])
