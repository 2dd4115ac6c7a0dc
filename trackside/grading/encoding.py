"""Score pairs with an encoder: each text and picture is encoded once."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain

import numpy as np

from trackside.findings.provenance import TextsSeen
from trackside.grading.journal import Journal
from trackside.grading.pairs import Pictures
from trackside.grading.questions import Plan, Question
from trackside.judging.encoding import (
    Batch,
    add_images,
    ahead,
    build_batch,
    encode_batch,
    pair_cosines,
    read_fields,
    sum_readings,
)
from trackside.judging.inputs import Gap, ImageInput, Input, TextInput
from trackside.judging.judge import Encoder, Prepared, Vector


class Encoding:
    """The vectors of a plan's inputs, made when a pair needs them; ``gaps`` are inputs without one."""

    def __init__(self, plan: Plan, encoder: Encoder, pictures: Pictures, long_text: str) -> None:
        self._plan, self._encoder, self._pictures, self._long_text = plan, encoder, pictures, long_text
        self._vectors: dict[str, Vector] = {}
        self._pieces: dict[str, list[str]] = {}
        self._gaps: dict[str, Gap] = {}
        self.gaps: dict[str, Gap] = {}

    def run(self, questions: Sequence[Question], journal: Journal, on_progress: Callable[[], None]) -> None:
        """Score the pairs of the questions, a batch at a time, and note each score."""
        size = self._encoder.batch_size
        for start in range(0, len(questions), size):
            part = questions[start : start + size]
            self._encode(chain.from_iterable(self._inputs(question) for question in part))
            self._score(part, journal)
            journal.save()
            on_progress()

    def _inputs(self, question: Question) -> tuple[Input, Input]:
        topic, docno = question.pair
        return self._plan.topics[topic], self._plan.documents[docno]  # type: ignore[return-value]

    def vectors(self, inputs: Sequence[Input]) -> list[Vector | None]:
        """Return a unit vector for each input, the mean of its pieces; None for one without any."""
        found: list[Vector | None] = []
        for start in range(0, len(inputs), self._encoder.batch_size):
            part = inputs[start : start + self._encoder.batch_size]
            self._encode(part)
            found += [self._mean(item.sha256) for item in part]
        return found

    def _mean(self, key: str) -> Vector | None:
        pieces = self._pieces.get(key, [key])
        if not all(piece in self._vectors for piece in pieces):
            return None
        mean = np.mean([self._vectors[piece] for piece in pieces], axis=0)
        return mean / np.linalg.norm(mean)  # type: ignore[no-any-return]

    def _encode(self, items: Iterable[Input]) -> None:
        inputs = {item.sha256: item for item in items}
        known = (self._vectors, self._pieces, self._gaps)
        new = {key: item for key, item in inputs.items() if not any(key in part for part in known)}
        for kind in (TextInput, ImageInput):  # texts of one length are encoded together
            part = [(key, key) for key, item in new.items() if isinstance(item, kind)]
            if part:
                self._add(build_batch(part, new, (), self._encoder))

    def _add(self, batch: Batch) -> None:
        batch.texts = {key: text for key, text in batch.texts.items() if key not in self._vectors}
        tasks = [partial(self._prepared, image) for image in batch.shown.values()]
        decoded = ahead(tasks, threads=self._encoder.decoder_count, most=2 * self._encoder.batch_size)
        add_images(batch, dict(zip(batch.shown, decoded, strict=True)))
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
