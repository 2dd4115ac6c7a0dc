"""Encode images and texts in batches."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from evaluation.collections.blobs import Blob
from judges.core.ahead import ahead
from judges.core.inputs import FieldsInput, Gap, ImageInput, TextInput, piece_sha256, prompted
from judges.core.settings import ORIGINAL
from judges.core.texts import FieldReading, read_fields
from judges.jobs.embeddings import Embedding, TextPieces
from judges.jobs.models import Side
from judges.jobs.shards import Shard

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judges.core.inputs import Input
    from judges.core.judge import Encoder, Prepared
    from judges.jobs.models import Job

# Half of the cores decode images while the model computes; about eight threads keep a GPU busy.
THREADS = min(8, max(1, (os.cpu_count() or 1) // 2))


@dataclass
class Batch:
    """A part of a shard's inputs: the texts or images to encode, by their SHA-256.

    ``size`` is the number of inputs that it completes, ``pieces`` are the pieces of split texts, ``readings``
    say how much of each text is read, even if it is encoded already.
    """

    size: int
    texts: dict[str, str] = field(default_factory=dict)
    images: dict[str, ImageInput] = field(default_factory=dict)
    pieces: dict[str, list[str]] = field(default_factory=dict)
    readings: dict[str, list[FieldReading]] = field(default_factory=dict)
    gaps: dict[str, Gap] = field(default_factory=dict)
    prepared: Prepared = None


def prepare_batches(*, shard: Shard, encoder: Encoder, is_alone: bool = False) -> Iterator[Batch]:
    """Yield the shard's remaining batches, while threads decode the next images.

    Images that another job has encoded are skipped; tokens of texts are counted in any case. Threads run no
    queries. With ``is_alone``, yield the inputs of the next batch one by one, and decode none ahead: an input
    that crashes the worker is then identified.
    """
    size = 1 if is_alone else encoder.batch_size
    left = shard.inputs[shard.encoded_count :][: encoder.batch_size if is_alone else None]
    encoder_sha256 = shard.job.judge.settings.encoder_sha256
    hashes = [sha256 for _, sha256 in left]
    known = Embedding.objects.known(encoder_sha256, hashes) | set(
        TextPieces.objects.of(encoder_sha256, hashes)
    )
    is_text = shard.side == shard.job.text_side
    names = [name for name, sha256 in left if is_text or sha256 not in known]
    shown = shard.job.inputs(Side(shard.side), names)
    parts = [left[start : start + size] for start in range(0, len(left), size)]
    batches = [_batch(part, shown, known, encoder) for part in parts]
    encoded = Embedding.objects.known(encoder_sha256, {piece for each in batches for piece in each.texts})
    for batch in batches:
        batch.texts = {sha256: text for sha256, text in batch.texts.items() if sha256 not in encoded}
    if is_alone:
        return (_prepared(batch, encoder) for batch in batches)
    return ahead((partial(_prepared, batch, encoder) for batch in batches), threads=THREADS)


def _batch(
    part: Sequence[tuple[str, str]], shown: dict[str, Input | Gap], known: set[str], encoder: Encoder
) -> Batch:
    batch = Batch(len(part))
    for name, sha256 in part:
        is_known = sha256 in known
        match _checked(shown[name], sha256) if name in shown else None:
            case None:
                continue
            case Gap() as gap:
                batch.gaps |= {} if is_known else {sha256: gap}
            case TextInput() as text:
                batch.readings[sha256] = _reading(text, encoder)
                if not is_known:
                    _add_text(batch, sha256, text, encoder)
            case image:
                batch.images[sha256] = image
    return batch


def _checked(shown: Input | Gap, planned: str) -> TextInput | ImageInput | Gap:
    """Return the input; a gap if the item has changed since the job was planned."""
    if isinstance(shown, Gap):
        return shown
    if isinstance(shown, FieldsInput) or shown.sha256 != planned:  # only generators take fields
        return Gap.ITEM_CHANGED
    return shown


def _reading(text: TextInput, encoder: Encoder) -> list[FieldReading]:
    counts = encoder.token_counts([words for _, words in text.fields])
    return read_fields(text, counts, encoder.room(text.prompt))


def _add_text(batch: Batch, sha256: str, shown: TextInput, encoder: Encoder) -> None:
    if shown.is_cut:
        pieces = [piece for text in shown.texts for piece in encoder.pieces(text, shown.prompt)]
    else:
        pieces = [prompted(shown.prompt, text) for text in shown.texts]
    named = {piece_sha256(piece): piece for piece in pieces}
    batch.texts |= named
    if list(named) != [sha256]:
        batch.pieces[sha256] = [piece_sha256(piece) for piece in pieces]


def _prepared(batch: Batch, encoder: Encoder) -> Batch:
    """Read and decode the images; images missing from storage become gaps."""
    contents: list[bytes] = []
    for sha256, image in list(batch.images.items()):
        try:
            contents.append(Blob(sha256=image.blob).read())
        except FileNotFoundError:
            batch.gaps[sha256] = Gap.IMAGE_MISSING
            del batch.images[sha256]
    if contents:
        is_draft = any(image.is_draft for image in batch.images.values())
        batch.prepared = encoder.prepare_images(contents, is_draft=is_draft)
    return batch


SAMPLE = 32  # images of a job


def measure_images(*, shard: Shard, encoder: Encoder) -> None:
    """Store the largest distance between vectors of resized and of uploaded images, over a sample.

    The distance of two unit vectors bounds the difference of their cosines with any text. Only the first
    shard of a job's images is sampled; nothing is measured if the judge reads the uploaded images.
    """
    job = shard.job
    if job.judge.image_size == ORIGINAL or job.shards.filter(side=shard.side, pk__lt=shard.pk).exists():
        return
    sample = dict(shard.inputs[:SAMPLE])
    used = Embedding.objects.vectors(job.judge.settings.encoder_sha256, list(sample.values()))
    originals = _originals(job, Side(shard.side), [name for name, sha256 in sample.items() if sha256 in used])
    if not originals:
        return
    vectors = encoder.encode_images(encoder.prepare_images(list(originals.values())))
    distances = [
        float(np.linalg.norm(used[sample[name]] - vector))
        for name, vector in zip(originals, vectors, strict=True)
        if isinstance(vector, np.ndarray)
    ]
    Shard.objects.filter(pk=shard.pk).update(image_distance=max(distances, default=None))


def _originals(job: Job, side: Side, names: list[str]) -> dict[str, bytes]:
    """Return the uploaded bytes of the named items' images, without those missing from storage."""
    found: dict[str, bytes] = {}
    for name, item in job.items(side, names).items():
        try:
            found |= {name: Blob(sha256=item.image.original_id).read()} if item.image else {}
        except FileNotFoundError:
            continue
    return found
