"""What makes a judge the judge it is: everything that decides its answers, and nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

SMALL, ORIGINAL = "small", "original"  # the 336 px copy of an image, or the bytes as they came
DRAFT = "draft"  # the bytes as they came, a JPEG decoded at a fraction of its size
TRUNCATE = "truncate"  # a text longer than the model reads is cut, its end token kept
CHUNK_MEAN, CHUNK_MAX = "chunk-mean", "chunk-max"  # it is read in pieces that fit; see ``core.cosines``
BY_FIELDS = "by-fields"  # each field is read by itself, cut where it is too long, and they are averaged


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The identity of a judge.

    ``revision`` is that of our backend, raised by hand when its answers change; ``model_revision`` fixes the
    weights. ``text_fields`` are the names of the fields that the judge reads on the side that is text; all of
    them where none is named.
    """

    backend: str
    revision: int
    model: str
    model_revision: str
    dtype: str = "float32"
    prompt: str = ""
    text_fields: tuple[str, ...] = ()
    image_size: str = SMALL
    long_text: str = TRUNCATE
    decoding: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    endpoint: str = ""
    answer: str = ""

    @property
    def identity_sha256(self) -> str:
        """The judge's identity: equal for equal settings."""
        return digest(asdict(self))

    @property
    def encoder_sha256(self) -> str:
        """The identity of the vectors: judges that differ in what they show to a model share it."""
        return digest([self.backend, self.revision, self.model, self.model_revision, self.dtype])


def digest(content: object) -> str:
    """The SHA-256 of plain JSON content, in hexadecimal; the order of keys does not matter."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
