"""Perceptual hashes of pictures: the directions in which the light changes, and their colours."""

from io import BytesIO

import numpy as np
from PIL import Image

from trackside.image_errors import ImageUnreadable

LEAST_CONTRAST = 8.0  # standard deviation of grey levels below which a picture has nothing to compare


def gradients_of(grey: Image.Image) -> int:
    """Return 64 bits, unsigned: which pixels of a copy of 9 x 8 are lighter than their left neighbour."""
    levels = np.asarray(grey.resize((9, 8), Image.Resampling.BOX), dtype=np.int16)
    return int.from_bytes(np.packbits(levels[:, 1:] > levels[:, :-1]).tobytes(), "big")


def stored_gradients(picture: Image.Image) -> int | None:
    """Return the bits of a picture as a signed integer; None for one of too little contrast to compare."""
    grey = picture.convert("L")
    if np.asarray(grey.resize((16, 16), Image.Resampling.BOX)).std() < LEAST_CONTRAST:
        return None
    bits = gradients_of(grey)
    return bits - 2**64 if bits >= 2**63 else bits


def colours_of(picture: Image.Image) -> bytes:
    """Return the mean red, green and blue of 8 x 8 parts, row by row: 192 bytes."""
    return picture.convert("RGB").resize((8, 8), Image.Resampling.BOX).tobytes()


def look_of(small: bytes, thumbnail: bytes) -> tuple[int | None, bytes]:
    """Return ``stored_gradients`` and ``colours_of`` of a picture from its copies. Raises ImageUnreadable."""
    try:
        return stored_gradients(Image.open(BytesIO(small))), colours_of(Image.open(BytesIO(thumbnail)))
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise ImageUnreadable(f"A stored copy cannot be read ({error}).") from error
