"""Batches of an encoder: what is read of their texts, their vectors, and the cosines of pairs."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from trackside.findings.provenance import FieldSeen, TextsSeen
from trackside.judging.inputs import (
    FieldsInput,
    Gap,
    ImageInput,
    Input,
    SideInput,
    TextInput,
    piece_sha256,
    prompted,
)
from trackside.judging.judge import Encoder, Prepared, Vector
from trackside.judging.settings import CHUNK_MAX

T = TypeVar("T")


class FieldReading(NamedTuple):
    """One field of one text: its number of tokens, and how many of them the model reads."""

    field: str
    tokens: int
    seen_tokens: int


@dataclass
class Batch:
    """A part of a shard's inputs: the texts or images to encode, by their SHA-256.

    ``size`` is the number of inputs that it completes, ``shown`` are the images to decode, ``images`` the
    decoded ones. ``pieces`` are the pieces of split texts and the images of items with several, ``readings``
    say how much of each text is read, even if it is encoded already.
    """

    size: int
    texts: dict[str, str] = field(default_factory=dict)
    shown: dict[str, ImageInput] = field(default_factory=dict)
    images: dict[str, Prepared] = field(default_factory=dict)
    pieces: dict[str, list[str]] = field(default_factory=dict)
    readings: dict[str, list[FieldReading]] = field(default_factory=dict)
    gaps: dict[str, Gap] = field(default_factory=dict)


def build_batch(
    part: Sequence[tuple[str, str]],
    inputs: Mapping[str, Input | Gap],
    encoded: Collection[str],
    encoder: Encoder,
) -> Batch:
    """Return the batch of a part of a shard's inputs, each a name and the SHA-256 at the time of planning.

    ``inputs`` has the current input of each name, except for images that are encoded already. ``encoded`` are
    the hashes of the encoded inputs: of an encoded text only the reading is added.
    """
    batch = Batch(len(part))
    for name, sha256 in part:
        is_encoded = sha256 in encoded
        match _checked(inputs[name], sha256) if name in inputs else None:
            case None:
                continue
            case Gap() as gap:
                batch.gaps |= {} if is_encoded else {sha256: gap}
            case TextInput() as text:
                counts = encoder.token_counts([words for _, words in text.fields])
                batch.readings[sha256] = read_fields(text, counts, encoder.room(text.prompt))
                if not is_encoded:
                    _add_text(batch, sha256, text, encoder)
            case image:
                batch.shown |= {single.sha256: single for single in image.single}
                if image.more:
                    batch.pieces[sha256] = [single.sha256 for single in image.single]
    return batch


def _checked(current: Input | Gap, planned: str) -> TextInput | ImageInput | Gap:
    """Return the input; a gap if the item has changed since the job was planned."""
    if isinstance(current, Gap):
        return current
    if isinstance(current, FieldsInput | SideInput) or current.sha256 != planned:  # inputs of generators
        return Gap.ITEM_CHANGED
    return current


def _add_text(batch: Batch, sha256: str, item: TextInput, encoder: Encoder) -> None:
    if item.is_cut:
        pieces = [piece for text in item.texts for piece in encoder.pieces(text, item.prompt)]
    else:
        pieces = [prompted(item.prompt, text) for text in item.texts]
    by_sha256 = {piece_sha256(piece): piece for piece in pieces}
    batch.texts |= by_sha256
    if list(by_sha256) != [sha256]:
        batch.pieces[sha256] = [piece_sha256(piece) for piece in pieces]


def add_images(batch: Batch, decoded: Mapping[str, Prepared | Gap]) -> None:
    """Add decoded images to the batch; an item whose images are not all readable is a gap."""
    gaps = {sha256: image for sha256, image in decoded.items() if isinstance(image, Gap)}
    batch.images = {sha256: image for sha256, image in decoded.items() if sha256 not in gaps}
    of_items = {
        sha256: [gaps[piece] for piece in pieces if piece in gaps] for sha256, pieces in batch.pieces.items()
    }
    gaps |= {sha256: broken[0] for sha256, broken in of_items.items() if broken}
    batch.pieces = {sha256: pieces for sha256, pieces in batch.pieces.items() if sha256 not in gaps}
    batch.gaps |= gaps


def encode_batch(batch: Batch, encoder: Encoder) -> dict[str, Vector]:
    """Return the vectors of the batch's texts, pieces and images by their SHA-256."""
    vectors: dict[str, Vector] = {}
    if batch.texts:
        vectors |= zip(batch.texts, encoder.encode_texts(list(batch.texts.values())), strict=True)
    if batch.images:
        vectors |= zip(batch.images, encoder.encode_images(list(batch.images.values())), strict=True)
    return vectors


def read_fields(text: TextInput, counts: Sequence[int], room: int) -> list[FieldReading]:
    """Return how many tokens of each field of a text a model reads.

    ``counts`` are the tokens of each of ``text.fields``, ``room`` is how many tokens fit after the prompt.
    Joined fields share the room in order; fields that are encoded separately have the room each; a text in
    pieces is read whole, unless the prompt leaves no room for one token.
    """
    remaining = max(0, room)
    readings = []
    for (name, _), count in zip(text.fields, counts, strict=True):
        read_count = count if text.is_cut and room > 0 else min(count, remaining)
        readings.append(FieldReading(name, count, read_count))
        if len(text.texts) == 1:
            remaining -= min(read_count, remaining)
    return readings


def sum_readings(texts: Iterable[Sequence[FieldReading]]) -> TextsSeen:
    """Sum the readings of all texts, fields in order of first appearance."""
    items = list(texts)
    by_field: dict[str, list[FieldReading]] = {}
    for reading in (reading for text in items for reading in text):
        by_field.setdefault(reading.field, []).append(reading)
    fields = tuple(
        FieldSeen(
            field,
            texts=len(readings),
            tokens=sum(reading.tokens for reading in readings),
            seen_tokens=sum(reading.seen_tokens for reading in readings),
            never_seen_count=sum(reading.tokens > 0 and reading.seen_tokens == 0 for reading in readings),
        )
        for field, readings in by_field.items()
    )
    cut_count = sum(any(reading.seen_tokens < reading.tokens for reading in text) for text in items)
    return TextsSeen(len(items), cut_count, fields)


def sum_whole_texts(texts: Iterable[Sequence[str]]) -> TextsSeen:
    """Return the sums for a judge that reads every text whole, from the names of each text's fields."""
    items = list(texts)
    names = dict.fromkeys(name for text in items for name in text)
    fields = tuple(FieldSeen(name, sum(name in text for text in items), None, None, 0) for name in names)
    return TextsSeen(len(items), 0, fields)


def unseen_warnings(texts: TextsSeen) -> list[str]:
    """Return a warning for each field that the model skips entirely in more than half of its texts."""
    return [
        f"The judge read no token of the field {seen.field} in {seen.never_seen_count:,} of {seen.texts:,} "
        "texts: the model's limit was reached before it. Use a judge that reads long texts in pieces, or "
        "that reads this field first."
        for seen in texts.fields
        if 2 * seen.never_seen_count > seen.texts
    ]


def pair_cosines(
    vectors: Mapping[str, NDArray[np.float32]], pairs: Sequence[tuple[str, str]], long_text: str = ""
) -> NDArray[np.float32]:
    """Return the cosine of each pair of names, shape (n,), topic by topic.

    A name has one unit vector (d,), or the vectors of its pieces (k, d). `chunk-max` uses the piece with the
    highest cosine; every other policy uses the mean of the pieces' vectors, normalised to unit length. A
    topic is multiplied with its own documents only, in double precision: rounded to single precision, a
    cosine does not depend on the order of summation, and so not on the other pairs.
    """
    cosines = np.empty(len(pairs), np.float32)
    by_topic: dict[str, list[int]] = {}
    for index, (topic, _) in enumerate(pairs):
        by_topic.setdefault(topic, []).append(index)
    for topic, indices in by_topic.items():
        pieces = _pieces(vectors[topic], long_text)
        documents = [_pieces(vectors[pairs[index][1]], long_text) for index in indices]
        starts = np.cumsum([0, *(len(document) for document in documents[:-1])])
        nearest = (np.concatenate(documents).astype(np.float64) @ pieces.T.astype(np.float64)).max(axis=1)
        cosines[indices] = np.maximum.reduceat(nearest, starts)
    return cosines


def _pieces(vector: NDArray[np.float32], long_text: str) -> NDArray[np.float32]:
    """Return the vectors (k, d) that a name is compared by."""
    pieces = np.atleast_2d(vector)
    if long_text == CHUNK_MAX or len(pieces) == 1:
        return pieces
    mean = pieces.mean(axis=0, dtype=np.float64, keepdims=True)
    unit: NDArray[np.float32] = (mean / np.linalg.norm(mean)).astype(np.float32)
    return unit


def ahead(tasks: Iterable[Callable[[], T]], *, threads: int, most: int) -> Iterator[T]:
    """Yield the tasks' results in order while threads run the next ones, at most ``most`` of them.

    A task's exception is raised where its result is due. Leaving the loop waits for running tasks.
    """
    with ThreadPoolExecutor(threads) as pool:
        pending: deque[Future[T]] = deque()
        try:
            for task in tasks:
                pending.append(pool.submit(task))
                if len(pending) > most:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)
