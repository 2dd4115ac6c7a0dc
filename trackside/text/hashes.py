"""Hashes of judged items, which judgments record."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

Fields = Sequence[Sequence[str]]  # [name, text] pairs in reading order


def text_sha256(fields: Fields, more_images: Sequence[str] = ()) -> str:
    """SHA-256 of a document's texts, and of the hashes of the images after its first, in hexadecimal."""
    return _sha256_of([fields, list(more_images)] if more_images else fields)


def topic_sha256(fields: Fields, image_sha256: str | None, more_images: Sequence[str] = ()) -> str:
    """SHA-256 of a topic's texts and the hashes of its images, in hexadecimal."""
    return _sha256_of([fields, image_sha256 or "", *more_images])


def shown_sha256(texts: Sequence[str], images: Sequence[str]) -> str:
    """SHA-256 of an item as it is shown: its texts in reading order, and the hashes of its images."""
    return _sha256_of([list(texts), list(images)])


def _sha256_of(value: Any) -> str:
    """The hash of the value in PostgreSQL's jsonb text format for lists and strings: JSON, blanks, UTF-8."""
    return hashlib.sha256(json.dumps(value, ensure_ascii=False).encode()).hexdigest()
