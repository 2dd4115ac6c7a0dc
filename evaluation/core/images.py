"""Pictures as they come in, and the copies that people and models see."""

from dataclasses import dataclass
from io import BytesIO

import numpy as np
from PIL import Image, ImageOps

from evaluation.core.errors import InputError

IMAGE_CONTENT_TYPES = {"display": "image/webp", "small": "image/jpeg", "thumbnail": "image/webp"}
FORMATS = ("JPEG", "PNG", "WEBP")
MAX_PIXELS = 100_000_000  # a decoded picture of this size takes 300 MB
MAX_SIDE = 65_500  # the longest that Pillow writes as JPEG
# Longer side by shorter, of what a model is shown. Processors scale the shorter side to the model's, then cut
# the middle out: a line of 1 x 60,000 pixels would grow to 224 x 13 million first, 9 GB.
MAX_RATIO = 100
DISPLAY_SIDE = 2048
SMALL_SIDE = 336  # what CLIP ViT-L/14@336 and LLaVA 1.5 take in
THUMBNAIL_SIDE = 160
WHITE = (255, 255, 255, 255)
# What Pillow raises on files that are no pictures, broken ones or too large ones.
UNREADABLE = (OSError, SyntaxError, ValueError, Image.DecompressionBombError)


class ImageUnreadable(InputError):
    """Bytes that are no JPEG, PNG or WEBP picture, are broken, or hold too many pixels or too long a side."""


class ImageTooThin(ImageUnreadable):
    """A picture that no model can be shown: one side is more than MAX_RATIO times the other."""


@dataclass(frozen=True)
class Derivatives:
    """The copies of one picture, never enlarged.

    ``display`` is WEBP of at most 2,048 px a side, ``small`` JPEG whose shorter side is 336 px, ``thumbnail``
    WEBP of at most 160 px a side. ``width`` and ``height`` are those of the picture as it came, turned.
    """

    display: bytes
    small: bytes
    thumbnail: bytes
    width: int
    height: int


def derivatives(content: bytes) -> Derivatives:
    """Decode a picture and make its copies: turned by EXIF, on white, without the camera's words.

    ImageUnreadable when it is not one, is broken, has more than MAX_PIXELS pixels or a side beyond MAX_SIDE.
    """
    picture = opened(content)
    return Derivatives(
        display=_encoded(_within(picture, DISPLAY_SIDE), "WEBP", quality=90, method=2),
        # No chroma subsampling: painted words stay legible to the models.
        small=_encoded(_shorter_side(picture, SMALL_SIDE), "JPEG", quality=95, subsampling=0),
        thumbnail=_encoded(_within(picture, THUMBNAIL_SIDE), "WEBP", quality=80, method=2),
        width=picture.width,
        height=picture.height,
    )


def opened(content: bytes, *, least_side: int = 0) -> Image.Image:
    """The decoded RGB picture, turned by EXIF and put on white. ImageUnreadable as in ``derivatives``.

    With ``least_side`` a JPEG is decoded at 1/2, 1/4 or 1/8 of its size, several times as fast, as long as no
    side falls below that.
    """
    try:
        file = Image.open(BytesIO(content), formats=FORMATS)
        if file.width * file.height > MAX_PIXELS or max(file.size) > MAX_SIDE:
            raise ImageUnreadable(
                f"The image has {file.width:,} x {file.height:,} pixels, more than {MAX_PIXELS:,} in all or "
                f"{MAX_SIDE:,} on a side. Scale it down."
            )
        if least_side:
            file.draft(None, (least_side, least_side))
        return on_white(ImageOps.exif_transpose(file))
    except UNREADABLE as error:
        raise ImageUnreadable(
            f"The file cannot be read as an image ({error}). Give a whole JPEG, PNG or WEBP file."
        ) from error


def opened_for_model(content: bytes, *, least_side: int = 0) -> Image.Image:
    """As ``opened``; ImageTooThin for what an image processor cannot scale in sensible memory."""
    picture = opened(content, least_side=least_side)
    if max(picture.size) > MAX_RATIO * min(picture.size):
        raise ImageTooThin(
            f"The image has {picture.width:,} x {picture.height:,} pixels: one side is more than "
            f"{MAX_RATIO} times the other, and no model can be shown that. Cut it into pieces."
        )
    return picture


def on_white(picture: Image.Image) -> Image.Image:
    """The picture in RGB, with white where it is transparent."""
    if picture.mode == "I;16":
        return _of_deep_grey(picture)
    if not picture.has_transparency_data:
        return picture.convert("RGB")
    opaque = picture.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", opaque.size, WHITE), opaque).convert("RGB")


def _of_deep_grey(picture: Image.Image) -> Image.Image:
    """A grey picture of 16 bits by its upper eight; Pillow's own conversion makes all above 255 white."""
    deep = np.asarray(picture)
    grey = (deep >> 8).astype(np.uint8)
    if "transparency" in picture.info:
        grey[deep == picture.info["transparency"]] = 255
    return Image.fromarray(grey).convert("RGB")


def _within(picture: Image.Image, side: int) -> Image.Image:
    return _scaled(picture, side / max(picture.size))


def _shorter_side(picture: Image.Image, side: int) -> Image.Image:
    return _scaled(picture, side / min(picture.size))


def _scaled(picture: Image.Image, factor: float) -> Image.Image:
    if factor >= 1:
        return picture
    size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
    return picture.resize(size, Image.Resampling.LANCZOS)


def _encoded(picture: Image.Image, form: str, **options: int) -> bytes:
    file = BytesIO()
    picture.save(file, form, **options)
    return file.getvalue()
