"""Pictures as real collections have them: strips, columns, transparent, turned, in CMYK, tiny, a GIF."""

import json
import zipfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import ExifTags, Image

PALETTE = "palette"  # a GIF, which imports refuse
TURNED = 6  # EXIF: the camera was held upright
# By docno: the format, the mode, and width and height as stored in the file.
KINDS: dict[str, tuple[str, str, tuple[int, int]]] = {
    "strip": ("JPEG", "RGB", (4000, 200)),
    "column": ("PNG", "RGB", (10, 600)),
    "glass": ("PNG", "RGBA", (300, 200)),
    "turned": ("JPEG", "RGB", (320, 200)),
    "cmyk": ("JPEG", "CMYK", (240, 240)),
    PALETTE: ("GIF", "P", (200, 160)),
    "tiny": ("PNG", "RGB", (12, 12)),
    "plain": ("PNG", "L", (400, 300)),
}
MUST_BE_OPENED = {"strip", "column"}  # on a wall they are too small to see


def upright(docno: str) -> tuple[int, int]:
    """Width and height as people see the picture."""
    width, height = KINDS[docno][2]
    return (height, width) if docno == "turned" else (width, height)


def write_odd_pictures(path: Path) -> Path:
    """A zip of all pictures with their captions."""
    return _write(path, KINDS, {})


def write_converted(path: Path) -> Path:
    """A zip of the picture that imports refused, as PNG."""
    return _write(path, [PALETTE], {PALETTE: "PNG"})


def _write(path: Path, docnos: Iterable[str], formats: dict[str, str]) -> Path:
    records = []
    with zipfile.ZipFile(path, "w") as archive:
        for docno in docnos:
            written = formats.get(docno, KINDS[docno][0])
            name = f"pictures/{docno}.{written.lower()}"
            archive.writestr(name, _content(docno, written))
            records.append({"id": docno, "image": name, "caption": f"A {docno} picture"})
        archive.writestr("captions.jsonl", "\n".join(map(json.dumps, records)))
    return path


def _content(docno: str, written: str) -> bytes:
    """Squares of chance: no two pictures look alike. Some are nothing where there is an alpha channel."""
    _, mode, size = KINDS[docno]
    squares = np.random.default_rng(list(docno.encode())).integers(0, 256, (8, 9, 4), dtype=np.uint8)
    squares[..., 3] = np.where(squares[..., 3] < 64, 0, 255) if mode == "RGBA" else 255
    picture = Image.fromarray(squares).resize(size, Image.Resampling.NEAREST)
    exif = Image.Exif()
    if docno == "turned":
        exif[ExifTags.Base.Orientation] = TURNED
    with BytesIO() as file:
        (picture if mode == "RGBA" else picture.convert("RGB").convert(mode)).save(file, written, exif=exif)
        return file.getvalue()
