"""Score pairs with an encoder: each text and picture is encoded once."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from typing import TypeVar

import numpy as np

from trackside.findings.provenance import TextsSeen
from trackside.grading.journal import Journal
from trackside.grading.pairs import Pictures
from trackside.grading.questions import Plan, Question
from trackside.judging.encoding import (
    Batch,
    add_images,
    build_batch,
    encode_batch,
    pair_cosines,
    read_fields,
    sum_readings,
)
from trackside.judging.inputs import Gap, ImageInput, Input, TextInput
from trackside.judging.judge import Encoder, Prepared, Vector

T = TypeVar("T")
Decoded = Mapping[str, "Future[Prepared | Gap]"]


class Encoding:
    """The vectors of a plan's inputs, made when a pair needs them; ``gaps`` are inputs without one."""

    def __init__(self, plan: Plan, encoder: Encoder, pictures: Pictures, long_text: str) -> None:
        self._plan, self._encoder, self._pictures, self._long_text = plan, encoder, pictures, long_text
        self._vectors: dict[str, Vector] = {}
        self._pieces: dict[str, list[str]] = {}
        self._gaps: dict[str, Gap] = {}
        self._planned = set[str]()  # inputs and pieces of texts in batches so far
        self.gaps: dict[str, Gap] = {}

    def run(self, questions: Sequence[Question], journal: Journal, on_progress: Callable[[], None]) -> None:
        """Score the pairs of the questions, a batch at a time, and note each score."""
        parts = self._parts(questions)
        inputs = (list(chain.from_iterable(map(self._inputs, part))) for part in parts)
        for part, _ in zip(parts, self._encoded(inputs), strict=True):
            self._score(part, journal)
            journal.save()
            on_progress()

    def _inputs(self, question: Question) -> tuple[Input, Input]:
        topic, docno = question.pair
        return self._plan.topics[topic], self._plan.documents[docno]  # type: ignore[return-value]

    def vectors(self, inputs: Sequence[Input]) -> list[Vector | None]:
        """Return a unit vector for each input, the mean of its pieces; None for one without any."""
        found: list[Vector | None] = []
        parts = self._parts(inputs)
        for part, _ in zip(parts, self._encoded(parts), strict=True):
            found += [self._mean(item.sha256) for item in part]
        return found

    def _parts(self, rows: Sequence[T]) -> list[Sequence[T]]:
        size = self._encoder.batch_size
        return [rows[start : start + size] for start in range(0, len(rows), size)]

    def _mean(self, key: str) -> Vector | None:
        pieces = self._pieces.get(key, [key])
        if not all(piece in self._vectors for piece in pieces):
            return None
        mean = np.mean([self._vectors[piece] for piece in pieces], axis=0)
        return mean / np.linalg.norm(mean)  # type: ignore[no-any-return]

    def _encoded(self, parts: Iterable[Sequence[Input]]) -> Iterator[None]:
        """Encode each part, and yield after it; threads decode the next part's pictures meanwhile."""
        with ThreadPoolExecutor(self._encoder.decoder_count) as decoding:
            before: list[tuple[Batch, Decoded]] | None = None
            for part in chain(parts, [()]):
                following = list[tuple[Batch, Decoded]]()
                for batch in self._batches(part):
                    tasks = {
                        key: decoding.submit(self._prepared, image) for key, image in batch.shown.items()
                    }
                    following.append((batch, tasks))
                if before is not None:
                    for batch, decoded in before:
                        self._add(batch, decoded)
                    yield
                before = following

    def _batches(self, part: Sequence[Input]) -> list[Batch]:
        """Return the texts and the pictures of a part that no earlier one has."""
        new = {item.sha256: item for item in part if item.sha256 not in self._planned}
        batches = []
        for kind in (TextInput, ImageInput):  # texts of one length are encoded together
            names = [(key, key) for key, item in new.items() if isinstance(item, kind)]
            if names:
                batches.append(batch := build_batch(names, new, (), self._encoder))
                batch.texts = {key: text for key, text in batch.texts.items() if key not in self._planned}
                self._planned |= batch.texts.keys()
        self._planned |= new.keys()
        return batches

    def _add(self, batch: Batch, decoded: Decoded) -> None:
        add_images(batch, {key: image.result() for key, image in decoded.items()})
        self._vectors |= encode_batch(batch, self._encoder)
        self._pieces |= batch.pieces
        self._gaps |= batch.gaps

    def _prepared(self, image: ImageInput) -> Prepared | Gap:
        content = self._pictures.shown(image.blob)
        if isinstance(content, Gap):
            return content
        return self._encoder.prepare_image(content, is_draft=image.is_draft)

    def _score(self, questions: Sequence[Question], journal: Journal) -> None:
        scored = []
        for question in questions:
            keys = [item.sha256 for item in self._inputs(question)]
            if gaps := [self._gaps[key] for key in keys if key in self._gaps]:
                self.gaps[question.key] = gaps[0]
            else:
                scored.append((question, (keys[0], keys[1])))
        pairs = [pair for _, pair in scored]
        vectors = {key: self._vector(key) for key in chain.from_iterable(pairs)}
        cosines = pair_cosines(vectors, pairs, self._long_text)
        scores = self._encoder.raw_scores(cosines) if pairs else np.empty(0)
        for (question, _), score in zip(scored, scores.tolist(), strict=True):
            if np.isfinite(score):
                journal.end(question.key, "ok", score=score)
            else:
                self.gaps[question.key] = Gap.NOT_FINITE

    def _vector(self, key: str) -> Vector:
        pieces = self._pieces.get(key)
        return np.stack([self._vectors[piece] for piece in pieces]) if pieces else self._vectors[key]

    def texts_seen(self) -> TextsSeen:
        """Return how much of each text of the plan the model reads."""
        items = (*self._plan.topics.values(), *self._plan.documents.values())
        texts = {item.sha256: item for item in items if isinstance(item, TextInput)}
        return sum_readings(
            read_fields(
                text,
                self._encoder.token_counts([words for _, words in text.fields]),
                self._encoder.room(text.prompt),
            )
            for text in texts.values()
        )
