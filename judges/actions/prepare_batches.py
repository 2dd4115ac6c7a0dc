"""Cut a shard into batches that an encoder can take at once, and make them ready ahead of it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from evaluation.models import Blob
from judges.core.ahead import ahead
from judges.core.inputs import FieldsInput, Gap, ImageInput, TextInput, piece_sha256, prompted
from judges.models import Embedding, Side

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judges.core.inputs import Input
    from judges.core.judge import Encoder, Prepared
    from judges.models import Shard

# Half of the cores decode images while the model computes; a card is kept busy by about eight.
THREADS = min(8, max(1, (os.cpu_count() or 1) // 2))


@dataclass
class Batch:
    """A piece of a shard's inputs: the texts or the images that must be encoded for it, by their SHA-256.

    ``size`` is the number of inputs that it settles, ``pieces`` are those of texts that are read in several.
    """

    size: int
    texts: dict[str, str] = field(default_factory=dict)
    images: dict[str, ImageInput] = field(default_factory=dict)
    pieces: dict[str, list[str]] = field(default_factory=dict)
    gaps: dict[str, Gap] = field(default_factory=dict)
    prepared: Prepared = None


def prepare_batches(*, shard: Shard, encoder: Encoder, is_alone: bool = False) -> Iterator[Batch]:
    """What the shard still misses, a batch after the other, the next images decoded meanwhile by threads.

    Inputs that another job has encoded meanwhile are left out. No query runs in a thread. With ``is_alone``
    it is the inputs of the next batch, one by one, and none is decoded before its turn: the one that ends
    its worker is known then.
    """
    size = 1 if is_alone else encoder.batch_size
    left = shard.inputs[shard.encoded_count :][: encoder.batch_size if is_alone else None]
    encoder_sha256 = shard.job.judge.settings.encoder_sha256
    known = Embedding.objects.known(encoder_sha256, [sha256 for _, sha256 in left])
    shown = shard.job.inputs(Side(shard.side), [name for name, sha256 in left if sha256 not in known])
    parts = [left[start : start + size] for start in range(0, len(left), size)]
    batches = [_batch(part, shown, known, encoder) for part in parts]
    met = Embedding.objects.known(encoder_sha256, {piece for each in batches for piece in each.texts})
    for batch in batches:
        batch.texts = {sha256: text for sha256, text in batch.texts.items() if sha256 not in met}
    if is_alone:
        return (_prepared(batch, encoder) for batch in batches)
    return ahead((partial(_prepared, batch, encoder) for batch in batches), threads=THREADS)


def _batch(
    part: Sequence[tuple[str, str]], shown: dict[str, Input | Gap], known: set[str], encoder: Encoder
) -> Batch:
    batch = Batch(len(part))
    for name, sha256 in part:
        if sha256 in known:
            continue
        match _as_planned(shown[name], sha256):
            case Gap() as gap:
                batch.gaps[sha256] = gap
            case TextInput() as text:
                _add_text(batch, sha256, text, encoder)
            case image:
                batch.images[sha256] = image
    return batch


def _as_planned(shown: Input | Gap, planned: str) -> TextInput | ImageInput | Gap:
    """What is shown; a gap when the item is not what it was when the job was planned."""
    if isinstance(shown, Gap):
        return shown
    if isinstance(shown, FieldsInput) or shown.sha256 != planned:  # fields are for generators
        return Gap.ITEM_CHANGED
    return shown


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
    """Read and decode the images; those that the storage lost become gaps."""
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
