"""What a backend must offer to be a judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from judges.core.inputs import Gap
from judges.core.settings import Settings

Vector = NDArray[np.float32]


class Encoder(Protocol):
    """A judge whose unit of work is one unique text or image.

    It turns each into a vector of length 1, once, whatever the number of pairs they stand in; a pair's raw
    score follows from the cosine of its two vectors. Making an instance loads the model.
    """

    revision: ClassVar[int]
    task_kinds: ClassVar[frozenset[str]]
    batch_size: int

    def __init__(self, settings: Settings) -> None:
        """Load the model. InputError when it cannot be had as the settings name it."""

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """The settings with all revisions filled in; InputError when the backend cannot run them."""

    def encode_texts(self, texts: Sequence[str]) -> Sequence[Vector]:
        """One unit vector (d,) a text, in the given order."""

    def encode_images(self, images: Sequence[bytes]) -> Sequence[Vector | Gap]:
        """One unit vector (d,) an image file, or why there is none, in the given order."""

    @staticmethod
    def raw_scores(cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """The raw score of each cosine, shape (n,)."""
