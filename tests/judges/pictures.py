"""Inputs for models in tests: settings of CLIP and pictures of noise. Needs no torch."""

from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from trackside.backends.clip.encoder import ClipEncoder
from trackside.judging.inputs import Gap
from trackside.judging.judge import Vector, encode_files
from trackside.judging.settings import Settings


def settings_of(folder: Path, **changes: object) -> Settings:
    given = {"backend": "clip", "revision": 0, "model": str(folder), "model_revision": ""} | changes
    return Settings(**given)  # type: ignore[arg-type]


def pinned(folder: Path, **changes: object) -> Settings:
    return ClipEncoder.pinned(settings_of(folder, **changes))


def picture(seed: int, size: tuple[int, int] = (80, 60)) -> Image.Image:
    noise = np.random.default_rng(seed).integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
    return Image.fromarray(noise)


def file_of(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    with BytesIO() as file:
        image.save(file, kind, **options)
        return file.getvalue()


def encoded(encoder: ClipEncoder, images: list[bytes], *, is_draft: bool = False) -> list[Vector | Gap]:
    return encode_files(encoder, images, is_draft=is_draft)
