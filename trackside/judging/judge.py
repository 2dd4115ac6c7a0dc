"""The protocols of judge backends."""

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from typing import IO, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from trackside.judging.asking import Ask, Response, Take
from trackside.judging.endpoints.batches import RemoteBatch
from trackside.judging.inputs import Gap
from trackside.judging.settings import Settings

Vector = NDArray[np.float32]
Prepared = Any
"""A decoded image in a backend's own format; opaque to callers."""


EVERY_KIND = frozenset({"text-to-image", "image-to-text", "text-to-text", "image-to-image"})
"""The kinds of tasks: what the topics are, and what is retrieved for them."""


class Unit(StrEnum):
    """The unit of work of a backend, into which jobs are split."""

    INPUT = "input"  # a unique text or image
    PAIR = "pair"
    BATCH = "batch"  # pairs in files that are answered within a day
    FILE = "file"  # imported scores; no worker is needed

    @property
    def is_asked(self) -> bool:
        """Whether each pair is a request with a text answer."""
        return self in {Unit.PAIR, Unit.BATCH}


class Backend(Protocol):
    """The common part of all backends. Raise ``revision`` by hand when answers change.

    If ``refuses_long_texts``, a text longer than the model's limit gets no score; else its end may be
    dropped.
    """

    revision: ClassVar[int]
    task_kinds: ClassVar[frozenset[str]]
    unit: ClassVar[Unit]
    refuses_long_texts: ClassVar[bool]

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """Return the settings with all revisions filled in; InputError if the backend cannot run them."""


class Encoder(Backend, Protocol):
    """A judge whose unit of work is one unique text or image.

    It encodes each input once as a unit vector, whatever the number of its pairs; the raw score of a pair
    follows from the cosine of its two vectors. Creating an instance loads the model. ``decoder_count``
    threads prepare images while the model computes.
    """

    batch_size: int
    decoder_count: int

    def __init__(self, settings: Settings) -> None:
        """Load the model. InputError if the model of the settings is not available."""

    def pieces(self, text: str, prompt: str) -> Sequence[str]:
        """Return the text in pieces that fit the model's limit, each with the prompt before it."""

    def token_counts(self, texts: Sequence[str]) -> Sequence[int]:
        """Return the number of tokens of each text, without start and end token."""

    def room(self, prompt: str) -> int:
        """Return how many tokens of a text fit after the prompt; below 1 if the prompt fills the limit."""

    def encode_texts(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return one unit vector (d,) per text, in the given order. Text beyond the limit is dropped."""

    def prepare_image(self, image: bytes, *, is_draft: bool = False) -> Prepared | Gap:
        """Decode an image file for the model; thread-safe. ``is_draft``: decode a JPEG at a reduced size."""

    def encode_images(self, prepared: Sequence[Prepared]) -> Sequence[Vector]:
        """Return one unit vector (d,) per prepared image, in the given order."""

    @staticmethod
    def raw_scores(cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the raw score of each cosine, shape (n,)."""


def encode_files(encoder: Encoder, images: Sequence[bytes], *, is_draft: bool = False) -> list[Vector | Gap]:
    """Prepare and encode image files one after the other: a vector or a gap for each."""
    prepared = [encoder.prepare_image(image, is_draft=is_draft) for image in images]
    readable = [image for image in prepared if not isinstance(image, Gap)]
    vectors = iter(encoder.encode_images(readable) if readable else [])
    return [image if isinstance(image, Gap) else next(vectors) for image in prepared]


class Generator(Backend, Protocol):
    """A judge that takes one pair per request and answers in text."""

    def __init__(self, settings: Settings) -> None:
        """Load the model or open the endpoint. InputError if the model of the settings is not available."""

    def responses(self, take: Take) -> Iterator[Sequence[Response]]:
        """Take requests as capacity allows, and yield their responses as they arrive, in no order.

        Each request taken gets one response. Ends when nothing is in flight and ``take`` returns nothing.
        Yields an empty sequence at least every few seconds, so that the caller can store responses. Raises
        EndpointDown, after a response to each request in flight.
        """


class Submitter(Backend, Protocol):
    """A judge that takes files of requests and answers them later.

    Every method but ``line`` raises EndpointDown if the endpoint refuses the call, and EndpointBusy if it is
    unknown whether the call arrived.
    """

    def __init__(self, settings: Settings) -> None:
        """Store the settings; open no connection."""

    def line(self, ask: Ask) -> bytes:
        """Return the request line of one pair."""

    def upload(self, file: IO[bytes], name: str) -> str:
        """Upload a file of requests; return the endpoint's file id."""

    def create(self, file_id: str, name: str) -> RemoteBatch:
        """Create a batch from a file; the name is stored with it, for ``find``."""

    def find(self, file_id: str, name: str) -> RemoteBatch | None:
        """Return the batch of that file or name that did not fail, or None."""

    def fetch(self, batch_id: str) -> RemoteBatch:
        """Return the current state of a batch."""

    def cancel(self, batch_id: str) -> None:
        """Cancel the rest of a batch."""

    def answers(self, batch: RemoteBatch, ids: Collection[str]) -> list[Response]:
        """Return a response for each id, from the files of an ended batch."""
