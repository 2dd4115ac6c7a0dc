"""Models in the worker's process: batches whose pictures are read while one before them is computed.

A reader and a model that sleep stand for a disk and a card: nothing but the loop is measured.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import cast

from tests.benchmarks.measuring import Row, medians
from tests.judges.counting_encoder import CountingEncoder, vector_of
from tests.trackside.backends.generators import taking
from trackside.grading.encoding import Encoding
from trackside.grading.pairs import Pictures
from trackside.grading.questions import Plan
from trackside.judging.asking import Ask, Response
from trackside.judging.batching import two_in_flight
from trackside.judging.inputs import ImageInput
from trackside.judging.judge import Vector, encode_files
from trackside.judging.settings import Settings

BATCH, BATCHES = 8, 40
SECONDS = 0.05  # to read a batch, and to compute it
LEAST = 1.8
SETTINGS = Settings(backend="sleeping", revision=1, model="sleeping", model_revision="1")


def rows(_folder: Path, *, is_full: bool) -> Iterator[Row]:
    """Throughput over that of a loop that reads and computes in turn."""
    del is_full
    yield _row("a judge that answers in text", in_turn, asked)
    yield _row("an encoder of `trackside judge`", partial(encoded, in_turn=True), encoded)


def _row(what: str, in_turn: Callable[[], None], overlapped: Callable[[], None]) -> Row:
    loop, ours = medians({"in turn": in_turn, "ours": overlapped}).values()
    beside = f"ours {ours:.2f} s, in turn {loop:.2f} s; {BATCHES} batches, {1000 * SECONDS:.0f} ms each step"
    figure = f"{loop / ours:.2f}x"
    return Row(
        f"{what}: throughput over one batch after the other",
        figure,
        f"{LEAST}x",
        beside,
        loop / ours >= LEAST,
    )


def requests() -> Callable[[int], Sequence[Ask]]:
    """Requests that take their time to be read."""
    take = taking([Ask(str(number), ()) for number in range(BATCH * BATCHES)])

    def reading(room: int) -> Sequence[Ask]:
        batch = take(room)
        time.sleep(SECONDS if batch else 0)
        return batch

    return reading


def computed(batch: Sequence[Ask]) -> list[Response]:
    time.sleep(SECONDS)
    return [Response(ask.id) for ask in batch]


def in_turn() -> None:
    take = requests()
    while batch := take(BATCH):
        computed(batch)


def asked() -> None:
    for _ in two_in_flight(requests(), lambda: BATCH, list, computed):
        pass


class SleepingEncoder(CountingEncoder):
    """Decodes and encodes in the same time."""

    batch_size = BATCH

    def prepare_image(self, image: bytes, *, is_draft: bool = False) -> bytes:
        time.sleep(SECONDS / BATCH)
        return image

    def encode_images(self, prepared: Sequence[bytes]) -> Sequence[Vector]:
        time.sleep(SECONDS)
        return [vector_of(image) for image in prepared]


class Keys:
    """Pictures whose bytes are their keys."""

    def shown(self, key: str) -> bytes:
        return key.encode()


def encoded(*, in_turn: bool = False) -> None:
    encoder = SleepingEncoder(SETTINGS)
    keys = [str(number) for number in range(BATCH * BATCHES)]
    if in_turn:
        for start in range(0, len(keys), BATCH):
            encode_files(encoder, [key.encode() for key in keys[start : start + BATCH]])
        return
    encoding = Encoding(Plan({}, {}), encoder, cast("Pictures", Keys()), SETTINGS.long_text)
    encoding.vectors([ImageInput(key) for key in keys])
