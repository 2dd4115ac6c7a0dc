"""Faults of texts: doubles, characters that were lost, fields that tell nothing."""

import re
import zlib
from array import array
from collections import Counter
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from trackside.auditing.doubles import Hashes, equal_rows, near_texts, signatures
from trackside.auditing.findings import Findings, Kind
from trackside.imports.records import Record

WORDS_IN_A_SHINGLE = 3
FEWEST_WORDS = 8  # of a text that can nearly equal another
BATCH = 10_000  # texts
SELDOM = 0.02  # of the records have the field
FEWEST_RECORDS = 50  # of which a field can be seldom or constant
_WORD = re.compile(r"\w+")
LOST = "\N{REPLACEMENT CHARACTER}"


class TextAudit:
    """Looks at the texts of records of one side, one after another, and keeps hashes of them."""

    def __init__(self, findings: Findings, noun: str) -> None:
        self._findings, self._noun = findings, noun
        self.names: list[str] = []
        self.place_of: dict[str, int] = {}
        self._digests = array("Q")  # of 64 bits; 0 without words
        self._has_pictures: list[bool] = []  # one caption may fit many pictures: their texts are not compared
        self._rows: list[int] = []  # of texts with shingles
        self._shingles: list[NDArray[np.uint32]] = []
        self._minima: list[NDArray[np.uint32]] = []
        self._counts: Counter[str] = Counter()
        self._values: dict[
            str, str | None
        ] = {}  # the only value of a field so far, None if there are several

    def add(self, record: Record) -> None:
        """Look at a record."""
        where = f"{self._noun} {record.name}"
        if record.name in self.place_of:
            self._findings.add(Kind.NAME_TWICE, f"{where}, {record.place}", items=[(self._noun, record.name)])
        self.place_of.setdefault(record.name, len(self.names))
        self.names.append(record.name)
        for name, text in record.fields:
            self._counts[name] += 1
            self._values[name] = text if self._values.setdefault(name, text) == text else None
        text = "\n".join(text for _, text in record.fields)
        if LOST in text:
            self._findings.add(Kind.LOST_CHARACTERS, where, items=[(self._noun, record.name)])
        words = _WORD.findall(text.casefold())
        self._digests.append(_digest(words))
        self._has_pictures.append(bool(record.pictures))
        if len(words) >= FEWEST_WORDS and not record.pictures:
            self._rows.append(len(self.names) - 1)
            self._shingles.append(_hashes(words))
            if len(self._shingles) == BATCH:
                self._sign()

    def _sign(self) -> None:
        if self._shingles:
            starts = np.cumsum([0, *map(len, self._shingles[:-1])])
            self._minima.append(signatures(np.concatenate(self._shingles).astype(np.uint64), starts))
            self._shingles.clear()

    def finish(self) -> list[tuple[int, int]]:
        """Report doubles and fields; return the pairs of rows that are doubles or nearly so."""
        self._sign()
        digests = np.where(self._has_pictures, np.uint64(0), self.digests())
        groups = (rows for rows in equal_rows(digests) if digests[rows[0]])
        equal = ((rows[0], other) for rows in groups for other in rows[1:])
        pairs = [(first, other) for first, other in equal if self.names[first] != self.names[other]]
        for first, second in pairs:
            self._add_pair(Kind.TEXT_TWICE, first, second)
        if self._minima:
            rows = self._rows
            for left, right in near_texts(np.concatenate(self._minima)):
                first, second = rows[left], rows[right]
                if self._digests[first] != self._digests[second]:
                    pairs.append((first, second))
                    self._add_pair(Kind.TEXT_NEARLY_TWICE, first, second)
        self._look_at_fields(f"{self._noun}s")
        return pairs

    def _add_pair(self, kind: Kind, *rows: int) -> None:
        names = [self.names[row] for row in rows]
        items = [(self._noun, name) for name in names]
        self._findings.add(kind, f"{self._noun}s {names[0]} and {names[1]}", items=items)

    def _look_at_fields(self, kind_of: str) -> None:
        total = len(self.names)
        if total < FEWEST_RECORDS:
            return
        for name, count in self._counts.items():
            if count < SELDOM * total:
                self._findings.add(Kind.FIELD_SELDOM, f"{name}: {count:,} of {total:,} {kind_of}")
            elif self._values[name] is not None and count > total / 2:
                self._findings.add(Kind.FIELD_CONSTANT, f"{name} of {kind_of}: {self._values[name]}")

    def digests(self) -> Hashes:
        """Return a hash of the words of each text; 0 without words."""
        return np.frombuffer(self._digests, dtype=np.uint64)


def _digest(words: list[str]) -> int:
    content = " ".join(words).encode("utf-8", "replace")
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "big") if words else 0


def _hashes(words: list[str]) -> NDArray[np.uint32]:
    """Return the hashes of all runs of three words."""
    codes = np.array([zlib.crc32(word.encode("utf-8", "replace")) for word in words], dtype=np.uint32)
    mixed = codes[:-2] * np.uint32(0x9E3779B1)
    mixed ^= (codes[1:-1] * np.uint32(0x85EBCA77)) >> np.uint32(3)
    return mixed + codes[2:] * np.uint32(0xC2B2AE3D)
