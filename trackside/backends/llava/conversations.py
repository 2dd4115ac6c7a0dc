"""Conversations as processors of transformers take them: with decoded pictures, also to try a model on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from trackside.image_errors import ImageUnreadable
from trackside.images import opened_for_model
from trackside.judging.asking import Ask, EndpointError, Response

if TYPE_CHECKING:
    from PIL.Image import Image

    Request = tuple[Ask, list[Image]]


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


def decoded(asks: Sequence[Ask]) -> tuple[list[Request], list[Response]]:
    """Return the requests with their decoded pictures, and a refusal of each with an unreadable one."""
    requests: list[Request] = []
    broken = []
    for ask in asks:
        try:
            requests.append((ask, [opened_for_model(part) for part in ask.parts if isinstance(part, bytes)]))
        except ImageUnreadable as error:
            broken.append(Response(ask.id, fault=EndpointError.REQUEST_REFUSED, detail=str(error)))
    return requests, broken
