"""Bodies of multipart/form-data: fields alone, or with one file that is streamed from disk."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from trackside.cli.progress import open_with_progress
from trackside.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

PIECE = 1 << 18  # bytes


@dataclass(frozen=True)
class FieldsBody:
    """Fields alone, by name and value. Sites refuse a multipart body that is cut, but no other form."""

    fields: Sequence[tuple[str, str]]
    edge: str = field(default_factory=lambda: secrets.token_hex(16))

    @property
    def headers(self) -> dict[str, str]:
        """The HTTP headers of the body."""
        return _headers(self.edge, len(self._whole()))

    def parts(self) -> Iterator[bytes]:
        """Yield the body."""
        yield self._whole()

    def _whole(self) -> bytes:
        lines = [*_field_lines(self.fields, self.edge), f"--{self.edge}--", ""]
        return "\r\n".join(lines).encode("utf-8", "replace")


def _headers(edge: str, length: int) -> dict[str, str]:
    return {"Content-Type": f"multipart/form-data; boundary={edge}", "Content-Length": str(length)}


def _field_lines(fields: Iterable[tuple[str, str]], edge: str) -> Iterator[str]:
    for name, value in fields:
        yield from (f"--{edge}", f'Content-Disposition: form-data; name="{name}"', "", value)


@dataclass(frozen=True)
class FormBody:
    """Fields and the file of a path, with its size at creation."""

    fields: Mapping[str, str]
    path: Path
    size: int
    edge: str = field(default_factory=lambda: secrets.token_hex(16))

    @property
    def headers(self) -> dict[str, str]:
        """The HTTP headers of the body."""
        return _headers(self.edge, len(self._before()) + self.size + len(self._after()))

    def parts(self) -> Iterator[bytes]:
        """Yield the body in pieces; on a terminal, show progress. Raises InputError."""
        yield self._before()
        sent = 0
        with open_with_progress(str(self.path)) as file:
            if isinstance(file, str):
                raise InputError(f"{self.path}: cannot be read any more. Check it and submit it again.")
            while piece := file.read(PIECE):
                sent += len(piece)
                yield piece
        if sent != self.size:
            raise InputError(f"{self.path}: changed during the upload. Submit it once it is complete.")
        yield self._after()

    def _before(self) -> bytes:
        lines = [*_field_lines(self.fields.items(), self.edge)]
        name = self.path.name.replace("\\", "_").replace('"', "_").replace("\r", "_").replace("\n", "_")
        lines += [
            f"--{self.edge}",
            f'Content-Disposition: form-data; name="file"; filename="{name}"',
            "Content-Type: application/octet-stream",
            "",
            "",
        ]
        return "\r\n".join(lines).encode("utf-8", "replace")

    def _after(self) -> bytes:
        return f"\r\n--{self.edge}--\r\n".encode()
