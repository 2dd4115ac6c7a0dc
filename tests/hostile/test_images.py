"""Hostile pictures are refused by their headers, or decoded within the memory that their size allows."""

import struct
import zlib
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, PngImagePlugin

from evaluation.tracks.work.sandbox import FileRefused, sandbox
from tests.marks import quick_only
from trackside.images import MAX_PIXELS
from trackside.sandbox.limits import Limits

MOST = 256_000_000  # bytes for any small file


def file_of(picture: Image.Image, form: str, **options: Any) -> bytes:
    file = BytesIO()
    picture.save(file, form, **options)
    return file.getvalue()


def png(width: int, height: int, *, depth: int = 8, color: int = 6, is_interlaced: bool = False) -> bytes:
    """A PNG of zeros that names its size; 6 is RGBA, 2 RGB, 0 grey."""
    channels = {0: 1, 2: 3, 6: 4}[color]
    row = b"\0" + bytes(width * channels * depth // 8)
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, is_interlaced)
    chunks = [(b"IHDR", header), (b"IDAT", data), (b"IEND", b"")]
    parts = [struct.pack(">I", len(body)) + name + body + _crc(name + body) for name, body in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _crc(content: bytes) -> bytes:
    return struct.pack(">I", zlib.crc32(content))


def texts() -> PngImagePlugin.PngInfo:
    """Chunks of text that unpack to 60 MB."""
    info = PngImagePlugin.PngInfo()
    for number in range(60):
        info.add_text(f"key{number}", "a" * 1_000_000, zip=True)
    return info


def huge_jpeg() -> bytes:
    """A small JPEG whose header says 65,000 x 65,000."""
    content = file_of(Image.new("RGB", (8, 8)), "JPEG")
    at = content.index(b"\xff\xc0") + 5
    return content[:at] + struct.pack(">HH", 65_000, 65_000) + content[at + 4 :]


def white_of_a_palette(width: int, height: int) -> bytes:
    picture = Image.new("P", (width, height))
    picture.putpalette([0, 0, 0, 255, 255, 255])
    picture.paste(1, (0, 0, width // 2, height))
    return file_of(picture, "PNG", transparency=0)


SMALL = Image.new("RGB", (40, 30))
REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "100 million pixels of RGBA": (lambda: png(9_990, 9_990), "more memory than a file of"),
    "16 bits a channel": (lambda: png(7_000, 7_000, depth=16), "more memory than a file of"),
    "interlaced": (lambda: png(7_000, 7_000, is_interlaced=True), "more memory than a file of"),
    "a side too long": (lambda: png(70_000, 10, color=0), "65,500 on a side"),
    "jpeg that lies": (huge_jpeg, "JPEG, PNG or WEBP"),
    # libwebp allocates its canvases when it opens a file.
    "webp": (
        lambda: file_of(Image.new("RGB", (5_000, 5_000)), "WEBP"),
        "more memory than a file of|create decoder",
    ),
    "animation": (
        lambda: file_of(
            Image.new("RGB", (4_000, 4_000)),
            "WEBP",
            save_all=True,
            append_images=[Image.new("RGB", (4_000, 4_000), "red")],
        ),
        "more memory than a file of",
    ),
    "gif": (lambda: file_of(SMALL, "GIF"), "JPEG, PNG or WEBP"),
    "tiff": (lambda: file_of(SMALL, "TIFF"), "JPEG, PNG or WEBP"),
}
TAKEN: dict[str, Callable[[], bytes]] = {
    "text chunks": lambda: file_of(SMALL, "PNG", pnginfo=texts()),
    "24 million pixels of RGBA": lambda: png(6_000, 4_000),
    "24 million white pixels of RGBA, half transparent": lambda: file_of(
        Image.new("RGBA", (6_000, 4_000), (255, 255, 255, 128)), "PNG"
    ),
    "38 million white pixels of a palette": lambda: white_of_a_palette(7_600, 5_000),
    "24 million pixels of progressive JPEG": lambda: file_of(
        Image.new("RGB", (6_000, 4_000)), "JPEG", progressive=True
    ),
    "12 million pixels of WEBP": lambda: file_of(Image.new("RGB", (4_000, 3_000)), "WEBP"),
    "a short animation": lambda: file_of(
        SMALL, "WEBP", save_all=True, append_images=[Image.new("RGB", (40, 30), "red")] * 50
    ),
}


def copies(content: bytes) -> int:
    """The peak memory of making the copies."""
    limits = Limits.for_file(len(content), cpu_seconds=60, silence_seconds=240.0)
    values = {"sizes": [len(content)], "max_pixels": MAX_PIXELS}
    with sandbox("image", BytesIO(content), limits=limits, values=values) as running:
        (message,) = running.messages()
    assert message.kind == "image"
    return running.peak_bytes


@pytest.mark.parametrize("name", quick_only(REFUSED, quick=["gif", "tiff", "interlaced"]))
def test_hostile_picture_is_refused(name: str) -> None:
    build, words = REFUSED[name]
    content = build()
    assert len(content) < 1_000_000
    with pytest.raises(FileRefused, match=words):
        copies(content)


@pytest.mark.parametrize("name", quick_only(TAKEN, quick=["text chunks", "a short animation"]))
def test_large_picture_is_accepted_within_its_memory(name: str) -> None:
    assert copies(TAKEN[name]()) <= MOST
