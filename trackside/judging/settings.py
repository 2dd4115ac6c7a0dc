"""The settings that identify a judge: everything that decides its answers, and nothing else."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

SMALL, ORIGINAL = "small", "original"  # the 336 px copy of an image, or the image as uploaded
DRAFT = "draft"  # the uploaded bytes, a JPEG decoded at a fraction of its size
TRUNCATE = "truncate"  # cut a text at the model's limit, keep the end token
CHUNK_MEAN, CHUNK_MAX = "chunk-mean", "chunk-max"  # split a text into pieces that fit; see ``cosines``
BY_FIELDS = "by-fields"  # encode each field separately, cut at the limit, and average the vectors
IMAGE_SIDE = re.compile(r"[1-9][0-9]{1,4}")  # the longest side of an image in pixels
IMAGE_SIZES = (
    f"{SMALL} (the 336 px copy), {ORIGINAL} (as uploaded), or the longest side in pixels, such as 1024"
)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The identity of a judge.

    ``revision`` is that of our backend, raised by hand when its answers change; ``model_revision`` fixes the
    weights. ``text_fields`` are the names of the text fields that the judge reads; empty for all fields.
    ``image_size`` is SMALL, ORIGINAL, DRAFT or an IMAGE_SIDE; a backend may take some of them only.
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
    def has_asked_size(self) -> bool:
        """Whether a judge that answers in text can be shown images of this size."""
        return self.image_size in {SMALL, ORIGINAL} or bool(IMAGE_SIDE.fullmatch(self.image_size))

    @property
    def identity_sha256(self) -> str:
        """The judge's identity: equal for equal settings."""
        return digest(asdict(self))

    @property
    def encoder_sha256(self) -> str:
        """The identity of the vectors: judges that only differ in the inputs to a model share it."""
        return digest([self.backend, self.revision, self.model, self.model_revision, self.dtype])


def digest(content: object) -> str:
    """Return the SHA-256 of plain JSON content, in hexadecimal; the order of keys does not matter."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
