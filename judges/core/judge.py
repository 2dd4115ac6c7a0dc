"""What a backend must offer to be a judge."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from typing import IO, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from judges.core.asking import Ask, Reply, Take
from judges.core.batches import RemoteBatch
from judges.core.inputs import Gap
from judges.core.settings import Settings

Vector = NDArray[np.float32]
Prepared = Any
"""Images as their encoder's model takes them: its own affair."""


class Unit(StrEnum):
    """What a backend works on, and jobs are cut into."""

    INPUT = "input"  # a unique text or image
    PAIR = "pair"
    BATCH = "batch"  # pairs, too, in files that are answered within a day
    FILE = "file"  # scores that somebody else made; no worker is needed
    JUDGES = "judges"  # scores of other judges on the same pool

    @property
    def is_asked(self) -> bool:
        """Whether each pair is a request, with an answer in words."""
        return self in {Unit.PAIR, Unit.BATCH}


class Backend(Protocol):
    """What all backends have in common. ``revision`` is raised by hand when answers change."""

    revision: ClassVar[int]
    task_kinds: ClassVar[frozenset[str]]
    unit: ClassVar[Unit]

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """The settings with all revisions filled in; InputError when the backend cannot run them."""


class Encoder(Backend, Protocol):
    """A judge whose unit of work is one unique text or image.

    It turns each into a vector of length 1, once, whatever the number of pairs they stand in; a pair's raw
    score follows from the cosine of its two vectors. Making an instance loads the model.
    """

    batch_size: int

    def __init__(self, settings: Settings) -> None:
        """Load the model. InputError when it cannot be had as the settings name it."""

    def pieces(self, text: str, prompt: str) -> Sequence[str]:
        """The text in pieces that each fit into what the model reads, each behind the prompt."""

    def encode_texts(self, texts: Sequence[str]) -> Sequence[Vector]:
        """One unit vector (d,) a text, in the given order. What does not fit is left out at its end."""

    def prepare_images(self, images: Sequence[bytes], *, is_draft: bool = False) -> Prepared:
        """Decode image files for the model; any thread may do so. A draft is a JPEG decoded at a fraction."""

    def encode_images(self, prepared: Prepared) -> Sequence[Vector | Gap]:
        """One unit vector (d,) an image, or why there is none, in the given order."""

    @staticmethod
    def raw_scores(cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """The raw score of each cosine, shape (n,)."""


class Generator(Backend, Protocol):
    """A judge that is asked about one pair at a time and answers in words."""

    def __init__(self, settings: Settings) -> None:
        """Load the model or open the endpoint. InputError when it cannot be had as the settings name it."""

    def replies(self, take: Take) -> Iterator[Sequence[Reply]]:
        """Take asks as there is room for them, and give the replies as they come, in no order.

        Each ask taken is replied to once. Ends when nothing is under way and ``take`` gives nothing; an
        empty sequence comes at least every few seconds, so that the caller can store what it has. Raises
        EndpointDown, after a reply to each ask under way.
        """


class Submitter(Backend, Protocol):
    """A judge that is handed files of requests and answers them later.

    Every method but ``line`` raises EndpointDown where the endpoint refuses us, and EndpointBusy where
    nobody knows whether it heard.
    """

    def __init__(self, settings: Settings) -> None:
        """Open no connection yet."""

    def line(self, ask: Ask) -> bytes:
        """The line of a file that asks about one pair."""

    def upload(self, file: IO[bytes], name: str) -> str:
        """Hand over a file of requests; the endpoint's name for it."""

    def create(self, file_id: str, name: str) -> RemoteBatch:
        """Have the requests of a file answered; the name goes along, for ``find``."""

    def find(self, file_id: str, name: str) -> RemoteBatch | None:
        """The batch made of that file or under that name, None where there is none that did not fail."""

    def fetch(self, batch_id: str) -> RemoteBatch:
        """How a batch stands."""

    def cancel(self, batch_id: str) -> None:
        """Let the endpoint answer no more of a batch."""

    def answers(self, batch: RemoteBatch, ids: Collection[str]) -> list[Reply]:
        """A reply for each id, from the files of a batch that has ended."""
