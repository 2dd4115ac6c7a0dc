"""Decoding of uploaded pictures, and the derivatives shown to people and models."""

import math
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO

import numpy as np
import PIL.WebPImagePlugin  # noqa: F401 - Pillow would load it to save a copy, when no memory may be left
from PIL import ExifTags, Image, UnidentifiedImageError
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile

from trackside.gradients import colours_of, stored_gradients
from trackside.image_errors import ImageTooThin, ImageUnreadable

IMAGE_CONTENT_TYPES = {"display": "image/webp", "small": "image/jpeg", "thumbnail": "image/webp"}
FORMATS = ("JPEG", "PNG", "WEBP")
MAX_PIXELS = 100_000_000  # a decoded picture of this size takes 300 MB
MAX_SIDE = 65_500  # the longest side that Pillow writes as JPEG
# Largest aspect ratio for models. Image processors scale the shorter side to the model's, then crop the
# centre: a line of 1 x 60,000 pixels would first grow to 224 x 13 million, 9 GB.
MAX_RATIO = 100
# Bytes that Pillow needs per pixel, by mode (4 in all others), plus those of a WEBP's canvases; measured.
# The total stays below 256 MB or eight times the file, libraries included.
PIXEL_BYTES = {"1": 1, "L": 1, "P": 1, "I;16": 2}
WEBP_BYTES = 12
# How to turn a picture, by EXIF's orientation; from 5 on width and height are swapped.
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
SIDEWAYS = 5
LEAST_MEMORY, MEMORY_A_BYTE = 256_000_000, 8
LIBRARIES, STRIP_PIXELS = 60_000_000, 1_000_000
DISPLAY_SIDE, LONG_RATIO = 2048, 4
LONG_PIXELS = 2 * DISPLAY_SIDE**2
WEBP_SIDE = 16_383  # the longest side of a WEBP picture
SMALL_SIDE = 336  # input size of CLIP ViT-L/14@336 and LLaVA 1.5
THUMBNAIL_SIDE = 160
PLAIN_MODES = ("L", "RGB")  # of files that every endpoint reads
WHITE, MID_GREY = 255, 128  # levels of 255 behind transparent pictures
FAINT = 208  # level from which a pixel hardly shows on white: its contrast is below 1.6 to 1
SEEN = 128  # alpha from which a pixel counts
SAMPLE_SIDE = 1024  # longest side, in pixels, of the sample that decides
# Exceptions of Pillow on invalid, damaged and too large files.
UNREADABLE = (OSError, SyntaxError, ValueError, Image.DecompressionBombError)


@dataclass(frozen=True)
class Derivatives:
    """The copies of one picture, never enlarged, its `stored_gradients` and `colours_of`.

    ``display`` is WEBP of at most 2,048 px per side; if one side is LONG_RATIO times the other or more, of at
    most LONG_PIXELS in all. ``small`` is JPEG whose shorter side is 336 px, ``thumbnail`` WEBP of at most
    160 px per side. ``width`` and ``height`` are the original's, rotated.
    """

    display: bytes
    small: bytes
    thumbnail: bytes
    width: int
    height: int
    gradients: int | None = None
    colours: bytes | None = None


def derivatives(content: bytes, *, max_pixels: int = MAX_PIXELS) -> Derivatives:
    """Decode a picture and make its copies: rotated by EXIF, on white, without metadata.

    Raises ImageUnreadable if it is not a picture, is damaged, has more than ``max_pixels`` or a side
    beyond MAX_SIDE, or needs more memory than its file size allows. Such a JPEG is decoded at a reduced
    size, at least 2,048 px per side, if that helps.
    """
    picture, (width, height) = _opened(content, least_side=0, costly_side=DISPLAY_SIDE, max_pixels=max_pixels)
    return Derivatives(
        display=_encoded(_for_display(picture), "WEBP", quality=90, method=2),
        small=_small(picture),
        thumbnail=_encoded(thumbnail := _within(picture, THUMBNAIL_SIDE), "WEBP", quality=80, method=2),
        width=width,
        height=height,
        gradients=stored_gradients(picture),
        colours=colours_of(thumbnail),
    )


def small_copy(content: bytes) -> bytes:
    """The copy ``small`` of ``derivatives`` alone. Raises ImageUnreadable as it does."""
    return _small(_opened(content, least_side=0, costly_side=DISPLAY_SIDE, max_pixels=MAX_PIXELS)[0])


def _small(picture: Image.Image) -> bytes:
    # No chroma subsampling: text in the picture stays legible to the models.
    return _encoded(_scaled(picture, SMALL_SIDE / min(picture.size)), "JPEG", quality=95, subsampling=0)


def on_chosen_background(content: bytes, *, max_pixels: int = MAX_PIXELS) -> bytes:
    """The file itself; if most of its picture would vanish on white, a PNG of it, upright and on mid grey.

    It is opaque, so that people and models see, and hashes name, the same picture. Raises ImageUnreadable as
    ``derivatives`` does.
    """
    try:
        file = Image.open(BytesIO(content), formats=FORMATS)
    except UNREADABLE:
        return content  # decoding it says why it is refused
    if not file.has_transparency_data or file.mode.startswith("I"):
        return content
    with _faults_named():
        picture, _ = _decoded(content, least_side=0, costly_side=0, max_pixels=max_pixels)
        if not _is_faint(picture):
            return content
        return _encoded(_flat(picture, MID_GREY), "PNG")


def _is_faint(picture: Image.Image) -> bool:
    """Whether most of the pixels that are not transparent hardly show on white."""
    width, height = picture.size
    factor = min(1, SAMPLE_SIDE / max(picture.size))
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    sample = picture.resize(size, Image.Resampling.NEAREST).convert("RGBA")
    levels = np.asarray(sample.convert("RGB").convert("L"))[np.asarray(sample.getchannel("A")) >= SEEN]
    return bool(levels.size) and float((levels >= FAINT).mean()) >= 1 / 2


def for_model(content: bytes, *, longest_side: int) -> bytes:
    """The picture upright, on white, without motion, with that longest side at most, as a file.

    This is the file itself if it is so already, else a JPEG without metadata.
    Raises ImageUnreadable as ``derivatives`` does.
    """
    try:
        file = Image.open(BytesIO(content), formats=FORMATS)
    except UNREADABLE as error:
        raise ImageUnreadable(f"The file cannot be read as an image: {error}") from error
    is_still = getattr(file, "n_frames", 1) == 1
    is_plain = file.mode in PLAIN_MODES and not file.has_transparency_data and _orientation(file) == 1
    if is_plain and is_still and max(file.size) <= longest_side:
        return content
    picture = _within(opened(content, least_side=longest_side), longest_side)
    return _encoded(picture, "JPEG", quality=95, subsampling=0)


def opened(content: bytes, *, least_side: int = 0) -> Image.Image:
    """The decoded RGB picture, rotated by EXIF, on white. Raises ImageUnreadable as ``derivatives`` does.

    With ``least_side`` a JPEG is decoded at 1/2, 1/4 or 1/8 of its size, several times as fast, if no side
    falls below that.
    """
    return _opened(content, least_side=least_side, costly_side=0, max_pixels=MAX_PIXELS)[0]


def _opened(content: bytes, **limits: int) -> tuple[Image.Image, tuple[int, int]]:
    """The picture ``_decoded`` on white, and the width and height of the file after rotation."""
    with _faults_named():
        picture, size = _decoded(content, **limits)
        return _flat(picture, WHITE), size


@contextmanager
def _faults_named() -> Iterator[None]:
    try:
        yield
    except UNREADABLE as error:
        # Pillow's message on an unknown format contains the address of a Python object.
        why = "unknown format" if isinstance(error, UnidentifiedImageError) else error
        raise ImageUnreadable(
            f"The file cannot be read as an image ({why}). Give a whole JPEG, PNG or WEBP file."
        ) from error


def _decoded(
    content: bytes, *, least_side: int, costly_side: int, max_pixels: int
) -> tuple[Image.Image, tuple[int, int]]:
    """The picture in the file's mode, upright, and the width and height of the file after rotation."""
    file = Image.open(BytesIO(content), formats=FORMATS)
    if file.width * file.height > max_pixels or max(file.size) > MAX_SIDE:
        raise ImageUnreadable(
            f"The image has {file.width:,} x {file.height:,} pixels, more than {max_pixels:,} in all or "
            f"{MAX_SIDE:,} on a side. Scale it down."
        )
    size = file.size
    most = max(LEAST_MEMORY, MEMORY_A_BYTE * len(content)) - LIBRARIES
    if costly_side and _decoding_bytes(file, size) > most:
        least_side = costly_side
    if least_side:
        file.draft(None, (least_side, least_side))
    if _decoding_bytes(file, size) > most:
        raise ImageUnreadable(
            f"The image has {size[0]:,} x {size[1]:,} pixels: decoding it takes more memory than a file "
            f"of {len(content):,} bytes may fill. Scale it down."
        )
    file.load()
    orientation = _orientation(file)
    # Pillow's exif_transpose rewrites the EXIF and fails if a value has the wrong type.
    turned = file.transpose(TURNS[orientation]) if orientation in TURNS else file
    return turned, (size[1], size[0]) if orientation >= SIDEWAYS else size


def _flat(picture: Image.Image, level: int) -> Image.Image:
    """The picture in RGB, on grey of that level, without metadata."""
    flat = flattened(picture, level)
    # Pillow writes comments and XMP of the file into copies. The colour profile stays: colours need it.
    flat.info = {name: picture.info[name] for name in ("icc_profile",) if name in picture.info}
    return flat


def _orientation(file: ImageFile) -> int:
    """EXIF's orientation; 1 (upright) if it is missing or unreadable."""
    try:
        orientation = file.getexif().get(ExifTags.Base.Orientation)
    except (*UNREADABLE, struct.error):
        return 1
    return orientation if isinstance(orientation, int) else 1


def _decoding_bytes(file: ImageFile, size: tuple[int, int]) -> int:
    """Bytes of memory that decoding needs, from the header. ``size`` is the file's, before any draft mode."""
    pixels, file_pixels = file.width * file.height, size[0] * size[1]
    filled = PIXEL_BYTES.get(file.mode, 4) + (0 if file.mode == "RGB" else 4)
    if file.format == "WEBP":
        filled += WEBP_BYTES
    coefficients = 0
    if isinstance(file, JpegImageFile) and file.info.get("progressive"):
        # libjpeg needs two bytes per coefficient of the whole file. A layer: id, horizontal, vertical, table.
        sampled = [(horizontal, vertical) for _, horizontal, vertical, _ in file.layer]
        whole = max(h for h, _ in sampled) * max(v for _, v in sampled)
        coefficients = 2 * file_pixels * sum(h * v for h, v in sampled) // whole
    return filled * pixels + coefficients


def opened_for_model(content: bytes, *, least_side: int = 0) -> Image.Image:
    """Like ``opened``, but raises ImageTooThin if image processors would need too much memory to scale it."""
    picture = opened(content, least_side=least_side)
    if max(picture.size) > MAX_RATIO * min(picture.size):
        raise ImageTooThin(
            f"The image has {picture.width:,} x {picture.height:,} pixels: one side is more than "
            f"{MAX_RATIO} times the other, which models cannot process. Cut it into pieces."
        )
    return picture


def flattened(picture: Image.Image, level: int = WHITE) -> Image.Image:
    """The picture in RGB, with white, or grey of another level, where it is transparent."""
    if picture.mode == "RGB" and not picture.has_transparency_data:
        return picture
    whole = Image.new("RGB", picture.size)
    # Strip by strip: whole pictures in every intermediate mode would need several times the memory.
    height = max(1, STRIP_PIXELS // picture.width)
    for top in range(0, picture.height, height):
        strip = picture.crop((0, top, picture.width, min(top + height, picture.height)))
        whole.paste(_strip_on(level, strip), (0, top))
    return whole


def _strip_on(level: int, picture: Image.Image) -> Image.Image:
    if picture.mode == "I;16":  # the upper eight bits; Pillow's own conversion turns all above 255 white
        deep = np.asarray(picture)
        grey = (deep >> 8).astype(np.uint8)
        if "transparency" in picture.info:
            grey[deep == picture.info["transparency"]] = level
        return Image.fromarray(grey).convert("RGB")
    if not picture.has_transparency_data:
        return picture.convert("RGB")
    opaque = picture.convert("RGBA")
    behind = Image.new("RGBA", opaque.size, (level, level, level, 255))
    return Image.alpha_composite(behind, opaque).convert("RGB")


def _for_display(picture: Image.Image) -> Image.Image:
    """A copy for people. A long picture is not scaled by its longer side: it would become a stripe."""
    short, long = sorted(picture.size)
    if long < LONG_RATIO * short:
        return _within(picture, DISPLAY_SIDE)
    by_area = math.sqrt(LONG_PIXELS / (short * long))
    return _scaled(picture, min(DISPLAY_SIDE / short, WEBP_SIDE / long, by_area))


def _within(picture: Image.Image, side: int) -> Image.Image:
    return _scaled(picture, side / max(picture.size))


def _scaled(picture: Image.Image, factor: float) -> Image.Image:
    if factor >= 1:
        return picture
    size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
    return picture.resize(size, Image.Resampling.LANCZOS)


def _encoded(picture: Image.Image, form: str, **options: int) -> bytes:
    file = BytesIO()
    picture.save(file, form, **options)
    return file.getvalue()
