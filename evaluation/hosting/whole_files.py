"""Atomic file storage."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from django.core.files.storage import FileSystemStorage

if TYPE_CHECKING:
    from typing import Any

    from django.core.files.base import File


class WholeFileStorage(FileSystemStorage):
    """Writes a temporary file and then renames it, so that nobody reads a partial file.

    Django truncates an existing file of the same name and writes into it. Two uploads of equal bytes share a
    name, so a reader of the first could read the partial file of the second. A killed process leaves a draft.
    """

    def _save(self, name: str, content: File[Any]) -> str:
        draft = f"{name}.{uuid4().hex}"
        try:
            super()._save(draft, content)  # type: ignore[misc]  # Django's own way to extend a storage, not in its types
            Path(self.path(draft)).replace(self.path(name))
        finally:
            Path(self.path(draft)).unlink(missing_ok=True)
        return name
