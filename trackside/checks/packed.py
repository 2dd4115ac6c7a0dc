"""The rankings of a run in the database's format, on disk until the run is accepted."""

import struct
import tempfile
from collections.abc import Iterator
from typing import Self

from trackside.files import Rankings

_SIZES = struct.Struct("<III")


class PackedRankings:
    """Topics with their docnos and scores in the form of ``Rankings.packed``."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, rankings: Rankings) -> None:
        """Write the topics of some rankings."""
        for topic, docnos, scores in rankings.packed():
            name, names = topic.encode(), docnos.encode()
            self._file.write(_SIZES.pack(len(name), len(names), len(scores)) + name + names + scores)

    def __iter__(self) -> Iterator[tuple[str, str, bytes]]:
        """Each topic in the order they were added."""
        self._file.seek(0)
        while sizes := self._file.read(_SIZES.size):
            topic, docnos, scores = map(self._file.read, _SIZES.unpack(sizes))
            yield topic.decode(), docnos.decode(), scores
