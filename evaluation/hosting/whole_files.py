"""Storage of a server's files that a power failure or a reader never finds in part."""

import os
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage


class WholeFileStorage(FileSystemStorage):
    """Writes a temporary file and then renames it, so that nobody reads a partial file.

    Django truncates an existing file of the same name and writes into it. Two uploads of equal bytes share a
    name, so a reader of the first could read the partial file of the second. A killed process leaves a draft.

    Bytes and name are flushed to disk before `save` returns, because the database keeps a row about them
    through a power failure. `is_durable=False` leaves that to the operating system.
    """

    def __init__(self, *, is_durable: bool = True, **options: Any) -> None:
        super().__init__(**options)
        self.is_durable = is_durable

    def _save(self, name: str, content: File[Any]) -> str:
        target, draft = Path(self.path(name)), f"{name}.{uuid4().hex}"
        has_folder = target.parent.exists()
        try:
            super()._save(draft, content)  # type: ignore[misc]  # Django's own way to extend a storage, not in its types
            self._flush(Path(self.path(draft)))
            Path(self.path(draft)).replace(target)
            self._flush(target.parent)
            if not has_folder:
                self._flush(target.parent.parent)
        finally:
            Path(self.path(draft)).unlink(missing_ok=True)
        return name

    def _flush(self, path: Path) -> None:
        """Wait until the file's bytes, or the folder's names, are on disk."""
        if self.is_durable:
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
