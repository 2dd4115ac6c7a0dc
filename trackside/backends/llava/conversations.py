"""Conversations as processors of transformers take them, and pictures to try a model on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from PIL.Image import Image


def noise(seed: int) -> Image:
    """Return a picture of random pixels: two of them share nothing."""
    from PIL import Image as Pillow

    pixels = np.random.default_rng(seed).integers(0, 256, (224, 224, 3), dtype=np.uint8)
    return Pillow.fromarray(pixels)


def turn(parts: Sequence[str | bytes], pictures: Sequence[Image]) -> dict[str, Any]:
    """Return a conversation's one turn; pictures stand at the places of bytes."""
    remaining = iter(pictures)
    content = [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {"type": "image", **({"image": next(remaining)} if pictures else {})}
        for part in parts
    ]
    return {"role": "user", "content": content}
