"""An encoder without a model and without Django."""

import hashlib
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from trackside.judging.inputs import Gap, prompted
from trackside.judging.judge import EVERY_KIND, Unit, Vector
from trackside.judging.settings import Settings


class CountingEncoder:
    """An encoder whose vectors depend on the bytes of its inputs; it counts the inputs.

    It rejects bytes that begin with ``broken`` as an image.
    """

    revision: ClassVar[int] = 1
    task_kinds: ClassVar[frozenset[str]] = EVERY_KIND
    unit: ClassVar[Unit] = Unit.INPUT
    refuses_long_texts: ClassVar[bool] = False
    batch_size: int = 2
    decoder_count: int = 1
    seen: ClassVar[list[bytes]] = []

    def __init__(self, settings: Settings) -> None:
        """Nothing to load."""

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """Every setting is fine."""
        return settings

    def encode_texts(self, texts: Sequence[str]) -> Sequence[Vector]:
        """A different vector for each text."""
        return [self._vector(text.encode()) for text in texts]

    def pieces(self, text: str, prompt: str) -> Sequence[str]:
        """Two words a piece."""
        words = text.split()
        return [prompted(prompt, " ".join(words[start : start + 2])) for start in range(0, len(words), 2)]

    def token_counts(self, texts: Sequence[str]) -> Sequence[int]:
        """A word is a token."""
        return [len(text.split()) for text in texts]

    def room(self, prompt: str) -> int:
        """Six words, those of the prompt among them."""
        return 6 - len(prompt.split())

    def prepare_image(self, image: bytes, *, is_draft: bool = False) -> bytes | Gap:
        """The image itself; a draft of it is other bytes."""
        shown = b"draft of " * is_draft + image
        return Gap.IMAGE_UNREADABLE if shown.startswith(b"broken") else shown

    def encode_images(self, prepared: Sequence[bytes]) -> Sequence[Vector]:
        """A different vector for each image."""
        return [self._vector(each) for each in prepared]

    def _vector(self, content: bytes) -> Vector:
        self.seen.append(content)
        return vector_of(content)

    @staticmethod
    def raw_scores(cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """The cosine itself."""
        return cosines.astype(np.float64)


def vector_of(content: bytes) -> Vector:
    """Sixteen floats of length 1, drawn from the content's hash."""
    seed = int.from_bytes(hashlib.sha256(content).digest()[:8])
    drawn = np.random.default_rng(seed).standard_normal(16)
    return (drawn / np.linalg.norm(drawn)).astype(np.float32)
