"""A multipart/form-data body with one file, streamed from disk."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from evaluation.cli.progress import open_with_progress
from evaluation.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PIECE = 1 << 18  # bytes


class FileChanged(InputError):
    """The file changed during the upload."""


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
        length = len(self._before()) + self.size + len(self._after())
        return {
            "Content-Type": f"multipart/form-data; boundary={self.edge}",
            "Content-Length": str(length),
        }

    def parts(self) -> Iterator[bytes]:
        """Yield the body in pieces; on a terminal, show progress. Raises FileChanged."""
        yield self._before()
        sent = 0
        with open_with_progress(str(self.path)) as file:
            if isinstance(file, str):
                raise FileChanged(f"{self.path}: cannot be read any more. Check it and submit it again.")
            while piece := file.read(PIECE):
                sent += len(piece)
                yield piece
        if sent != self.size:
            raise FileChanged(f"{self.path}: changed during the upload. Submit it once it is complete.")
        yield self._after()

    def _before(self) -> bytes:
        lines = []
        for name, value in self.fields.items():
            lines += [f"--{self.edge}", f'Content-Disposition: form-data; name="{name}"', "", value]
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
