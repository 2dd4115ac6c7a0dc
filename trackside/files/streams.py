"""Unpacks a file into blocks of whole lines, within limits that also hold for hostile files."""

import io
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Protocol

import numpy as np

from trackside.errors import InputError

Source = str | Path | bytes | IO[bytes]

BLOCK_BYTES = 1 << 20  # the arrays of larger blocks do not fit into a processor's cache
LINE_BYTES = 1 << 20
MAX_BYTES = 4_000_000_000
# Real runs compress 3 to 15 times; a file of one repeated byte compresses 1,000 times.
MAX_RATIO = 100
RATIO_FROM = 64 << 20
# A zstd block of 4 bytes can expand to 128 KB, so a piece unpacks to 8 MB at most.
_ZSTD_PIECE = 1 << 8
# The largest window of a frame, held in memory; only `zstd --ultra` and `--long` use larger ones.
_ZSTD_WINDOW = 1 << 25
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# A zstd file may begin with a frame to skip, as pzstd writes it.
_MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\x28\xb5\x2f\xfd": "zstd"} | {
    bytes([first]) + b"\x2a\x4d\x18": "zstd" for first in range(0x50, 0x60)
}
_NOT_READ = {
    b"\xfd7zXZ\0": "xz",
    b"PK\x03\x04": "zip",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!\x1a\x07": "rar",
    b"\x04\x22\x4d\x18": "lz4",
}
_TAR = slice(257, 262), b"ustar"  # where a tar file has its magic


class UnreadableFile(InputError):
    """The file does not exist, or its packing is damaged."""


class TooManyBytes(InputError):
    """The file unpacks to more than the limit."""


class LineTooLong(InputError):
    """A line is longer than any run or qrels line can be."""


class _Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


class _Counted:
    """A stream that counts the bytes read from it."""

    def __init__(self, inner: IO[bytes]) -> None:
        self._inner = inner
        self._head = inner.read(4)
        self.packing = next((name for magic, name in _MAGIC.items() if self._head.startswith(magic)), None)
        self.count = 0
        if inner.seekable():
            inner.seek(-len(self._head), io.SEEK_CUR)
            self._head = b""

    def read(self, size: int = -1, /) -> bytes:
        """Up to ``size`` bytes, none at the end."""
        head, self._head = self._head, b""
        if 0 <= size < len(head):
            head, self._head = head[:size], head[size:]
        rest = self._inner.read(size - len(head) if size > 0 else size) if size != len(head) else b""
        self.count += len(head) + len(rest)
        return head + rest if head else rest


class Blocks:
    """The lines of a source in blocks of about 1 MB; each but the last must end at a line end.

    ``block_bytes`` sets another size; reading stops at a line longer than ``line_bytes``. ``packing`` is
    "gzip", "bzip2", "zstd" or None; ``is_marked`` is True if a byte order mark was removed; ``byte_count``
    counts unpacked bytes so far.
    """

    def __init__(
        self,
        source: Source,
        *,
        max_bytes: int = MAX_BYTES,
        block_bytes: int | None = None,
        line_bytes: int = LINE_BYTES,
    ) -> None:
        self.name = name_of(source)
        self._max_bytes = max_bytes
        self._block_bytes = block_bytes or BLOCK_BYTES
        self._line_bytes = line_bytes
        self._source = source
        self.packing: str | None = None
        self.is_marked = False
        self.byte_count = 0

    def __iter__(self) -> Iterator[bytes]:
        """Blocks in order. Raises UnreadableFile, TooManyBytes, LineTooLong."""
        try:
            stream = _open(self._source)
            try:
                yield from self._cut(stream)
            finally:
                if not hasattr(self._source, "read") and self._source != "-":
                    stream.close()
        except (OSError, EOFError, zlib.error) as error:
            raise UnreadableFile(_why_unreadable(self.name, error)) from error

    def _cut(self, stream: IO[bytes]) -> Iterator[bytes]:
        packed = _Counted(stream)
        self.packing = packed.packing
        inner = _unpack(packed)
        rest = b""
        while chunk := inner.read(self._block_bytes):
            if self.byte_count == 0:
                _refuse_packed(self.name, chunk)
                self.is_marked = chunk.startswith(BYTE_ORDER_MARK)
                chunk = chunk.removeprefix(BYTE_ORDER_MARK)
            self.byte_count += len(chunk)
            self._refuse_excess(packed.count)
            end = chunk.rfind(b"\n") + 1
            if end:
                # A whole chunk with no remainder before it is not copied, any other is copied once.
                is_whole = not rest and end == len(chunk)
                yield from self._short_lines(chunk if is_whole else b"".join((rest, memoryview(chunk)[:end])))
                rest = chunk[end:]
            else:
                rest += chunk
            if len(rest) > self._line_bytes:
                raise self._line_too_long()
        if rest:
            yield rest

    def _short_lines(self, block: bytes) -> Iterator[bytes]:
        """The block, or its lines before the first that is too long. Raises LineTooLong."""
        # A line this long leaves a window of half its length without a line end.
        window = max(self._line_bytes // 2, 1)
        starts = range(0, len(block) - window, window)
        if any(block.find(b"\n", start, start + window) < 0 for start in starts):
            ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n"))
            too_long = np.flatnonzero(np.diff(ends, prepend=-1) > self._line_bytes + 1)
            if len(too_long):
                if too_long[0]:
                    yield block[: ends[too_long[0] - 1] + 1]
                raise self._line_too_long()
        yield block

    def _line_too_long(self) -> LineTooLong:
        return LineTooLong(
            f"{self.name}: a line is longer than {self._line_bytes:,} bytes. Write one result per line, "
            "with line ends between them."
        )

    def _refuse_excess(self, packed_count: int) -> None:
        if self.byte_count > self._max_bytes:
            raise TooManyBytes(
                f"{self.name}: more than {self._max_bytes:,} bytes unpacked, which is the limit. "
                "List fewer results per topic, or ask for a higher limit."
            )
        if self.packing and self.byte_count > RATIO_FROM and self.byte_count > MAX_RATIO * packed_count:
            raise TooManyBytes(
                f"{self.name}: unpacks to over {MAX_RATIO} times its size, so reading stopped after "
                f"{self.byte_count:,} bytes. No run file packs this well; send it unpacked."
            )


def name_of(source: Source) -> str:
    """The name of the source in messages: its path, or a word for bytes and streams."""
    if isinstance(source, bytes):
        return "the file"
    if isinstance(source, (str, Path)):
        return "standard input" if source == "-" else str(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "the file"


def refuse_missing(source: Source) -> None:
    """Raise UnreadableFile if the path does not exist: there is no content to check."""
    if isinstance(source, (str, Path)) and source != "-":
        path = Path(source)
        if not path.exists() or path.is_dir():
            error = IsADirectoryError() if path.exists() else FileNotFoundError()
            raise UnreadableFile(_why_unreadable(name_of(source), error))


def _open(source: Source) -> IO[bytes]:
    if isinstance(source, bytes):
        return io.BytesIO(source)
    if isinstance(source, (str, Path)):
        if source != "-":
            return Path(source).open("rb")
        if sys.stdin is None:  # a shell can close it
            raise UnreadableFile("standard input: it is closed. Name a file, or pipe one in.")
        return sys.stdin.buffer
    if getattr(source, "closed", False):
        raise UnreadableFile(f"{name_of(source)}: the stream is closed. Open it again.")
    if isinstance(source, io.TextIOBase):
        raise UnreadableFile(f"{name_of(source)}: a stream of text. Open the file as binary ('rb').")
    return source


def _unpack(packed: _Counted) -> _Readable:
    if packed.packing == "gzip":
        import gzip  # loaded for .gz files only

        return gzip.GzipFile(fileobj=packed)  # type: ignore[call-overload, no-any-return]
    if packed.packing == "bzip2":
        import bz2  # loaded for .bz2 files only

        return bz2.BZ2File(packed)  # type: ignore[call-overload, no-any-return]
    return _Zstd(packed) if packed.packing == "zstd" else packed


class _Zstd:
    """Unpacks consecutive zstd frames; raises EOFError for a truncated or damaged one, as gzip does."""

    def __init__(self, packed: _Counted) -> None:
        import zstandard  # loaded for .zst files only

        self._packed = packed
        self._unpacker = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
        self._fault = zstandard.ZstdError
        self._frame = self._unpacker.decompressobj()
        self._ready = bytearray()

    def read(self, size: int = -1, /) -> bytes:
        """Up to ``size`` unpacked bytes, none at the end."""
        while len(self._ready) < size and (piece := self._packed.read(_ZSTD_PIECE)):
            self._unpack(piece)
        if not self._ready and not self._frame.eof:
            raise EOFError("a zstd frame is not complete")
        ready = bytes(self._ready[:size])
        del self._ready[:size]
        return ready

    def _unpack(self, piece: bytes) -> None:
        try:
            while piece:
                if self._frame.eof:
                    self._frame = self._unpacker.decompressobj()
                self._ready += self._frame.decompress(piece)
                piece = self._frame.unused_data
        except self._fault as error:
            raise EOFError(str(error)) from error


def _refuse_packed(name: str, content: bytes) -> None:
    """Raise UnreadableFile if the content is packed a second time, or in a format that is not supported."""
    extent, mark = _TAR
    packing = next((form for magic, form in (_MAGIC | _NOT_READ).items() if content.startswith(magic)), None)
    is_tar = content[extent] == mark and b"\0" in content[: extent.start]  # a docno may be "ustar"
    form = "tar" if is_tar else packing
    if form:
        raise UnreadableFile(
            f"{name}: contains a {form} file, not lines. Send the file itself, unpacked, or packed once with "
            "gzip, bzip2 or zstd."
        )


def _why_unreadable(name: str, error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return f"{name}: no such file. Check the path."
    if isinstance(error, IsADirectoryError):
        return f"{name}: this is a folder. Name the file in it."
    if isinstance(error, PermissionError):
        return f"{name}: may not be read. Change its permissions."
    return f"{name}: cannot be unpacked ({error}). The file is cut short or damaged; pack it again."


def file_stem(path: str) -> str:
    """The name of a file without the suffix of its packing."""
    name = "stdin" if path == "-" else Path(path).name
    for suffix in (".gz", ".zst", ".bz2"):
        name = name.removesuffix(suffix)
    return name
