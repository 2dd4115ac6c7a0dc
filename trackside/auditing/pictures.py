"""Faults of pictures: unreadable, cut off, of one colour, tiny, animated, or twice."""

import hashlib
from io import BytesIO
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFile, UnidentifiedImageError

from trackside.auditing.doubles import near_pictures
from trackside.auditing.findings import Findings, Kind
from trackside.errors import InputError
from trackside.gradients import LEAST_CONTRAST, gradients_of
from trackside.image_errors import ImageUnreadable
from trackside.images import FORMATS, MAX_PIXELS, UNREADABLE, flattened
from trackside.imports.records import Record

LEAST_SIDE = 32  # pixels; smaller pictures are icons
LOOKED_AT = 64  # pixels a side: what the looks below need
FLAT = 3  # grey levels of 255 between the lightest and the darkest: one colour
EMPTY_SHARE = 0.25  # of the rows, at the end, are black or the grey of missing blocks
MISSING = ((0, 2), (126, 130))  # grey levels of what a decoder fills in
LIKE = 6.0  # mean difference of grey levels of near-duplicates in 16 x 16 pixels


class Look(NamedTuple):
    """A picture's faults, the hash of its file, 64 bits of its gradients, and 16 x 16 grey levels."""

    faults: tuple[Kind, ...]
    sha256: bytes
    gradients: int = 0
    grey: NDArray[np.uint8] | None = None


def look_at(content: bytes) -> Look:
    """Decode a picture at a small size and look at it."""
    digest = hashlib.sha256(content).digest()
    try:
        file = Image.open(BytesIO(content), formats=FORMATS)
        if file.width * file.height > MAX_PIXELS:
            return Look((Kind.PICTURE_UNREADABLE,), digest)
        faults = [Kind.PICTURE_TINY] if min(file.size) < LEAST_SIDE else []
        faults += [Kind.PICTURE_ANIMATED] if getattr(file, "n_frames", 1) > 1 else []
        file.draft("RGB", (LOOKED_AT, LOOKED_AT))
        file.load()
    except UnidentifiedImageError:
        return Look((Kind.PICTURE_UNREADABLE,), digest)
    except UNREADABLE as error:
        is_cut = "truncated" in str(error).lower() or _opens_leniently(content)
        return Look((Kind.PICTURE_TRUNCATED if is_cut else Kind.PICTURE_UNREADABLE,), digest)
    grey = flattened(file).convert("L")
    levels = np.asarray(grey.resize((LOOKED_AT, LOOKED_AT), Image.Resampling.BOX), dtype=np.int16)
    if levels.max() - levels.min() <= FLAT:
        return Look((*faults, Kind.PICTURE_OF_ONE_COLOUR), digest)
    if _is_cut_off(levels):
        faults.append(Kind.PICTURE_TRUNCATED)
    small = np.asarray(grey.resize((16, 16), Image.Resampling.BOX))
    return Look(tuple(faults), digest, gradients_of(grey), small)


def _opens_leniently(content: bytes) -> bool:
    """Whether Pillow can show the file when the missing end is allowed."""
    parser = ImageFile.Parser()
    try:
        parser.feed(content)
    except UNREADABLE:
        return False
    return parser.image is not None


def _is_cut_off(levels: NDArray[np.int16]) -> bool:
    """Whether the last rows are as a decoder fills in what is missing, and the first are not."""
    return any(
        _filled_rows(levels[::-1], *range_) >= EMPTY_SHARE * LOOKED_AT for range_ in MISSING
    ) and not any(_filled_rows(levels, *range_) for range_ in MISSING)


def _filled_rows(levels: NDArray[np.int16], low: int, high: int) -> int:
    """Count the first rows of which every level is in the range."""
    is_filled = ((levels >= low) & (levels <= high)).all(axis=1)
    return len(levels) if is_filled.all() else int(np.argmin(is_filled))


class PictureAudit:
    """Looks at the pictures of records, one after another."""

    def __init__(self, findings: Findings, noun: str) -> None:
        self._findings, self._noun = findings, noun
        self._rows: list[int] = []
        self._places: list[str] = []  # in words
        self._names: list[str] = []
        self._first: dict[bytes, int] = {}  # place of the first picture of a file
        self._doubles: list[tuple[int, int]] = []
        self._gradients: list[int] = []
        self._greys: list[NDArray[np.uint8]] = []

    def add(self, row: int, record: Record) -> None:
        """Look at the pictures of a record, which is at ``row`` among its side's."""
        for number, read in enumerate(record.pictures, start=1):
            which = f" picture {number}" if len(record.pictures) > 1 else ""
            where, items = f"{self._noun} {record.name}{which}", [(self._noun, record.name)]
            try:
                look = look_at(read())
            except (ImageUnreadable, InputError, OSError) as error:
                self._findings.add(Kind.PICTURE_UNREADABLE, f"{where}: {error}", items=items)
                continue
            for fault in look.faults:
                self._findings.add(fault, where, items=items)
            self._compare(row, where, record.name, look)

    def _compare(self, row: int, where: str, name: str, look: Look) -> None:
        place = self._first.get(look.sha256)
        if place is not None:
            if self._rows[place] != row:
                self._doubles.append((self._rows[place], row))
                items = [(self._noun, of) for of in (self._names[place], name)]
                self._findings.add(Kind.PICTURE_TWICE, f"{self._places[place]} and {where}", items=items)
            return
        self._first[look.sha256] = len(self._rows)
        self._rows.append(row)
        self._places.append(where)
        self._names.append(name)
        self._gradients.append(look.gradients)
        grey = look.grey if look.grey is not None and look.grey.std() >= LEAST_CONTRAST else None
        self._greys.append(np.zeros(0, dtype=np.uint8) if grey is None else grey)

    def finish(self) -> list[tuple[int, int]]:
        """Report near-duplicates; return the pairs of rows that have the same picture or nearly so."""
        places = [place for place, grey in enumerate(self._greys) if grey.size]
        hashes = np.array([self._gradients[place] for place in places], dtype=np.uint64)
        for left, right in near_pictures(hashes) if places else ():
            first, second = places[left], places[right]
            difference = self._greys[first].astype(np.int16) - self._greys[second]
            if self._rows[first] != self._rows[second] and np.abs(difference).mean() <= LIKE:
                self._doubles.append((self._rows[first], self._rows[second]))
                self._findings.add(
                    Kind.PICTURE_NEARLY_TWICE,
                    f"{self._places[first]} and {self._places[second]}",
                    items=[(self._noun, self._names[place]) for place in (first, second)],
                )
        return self._doubles
