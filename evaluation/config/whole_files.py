"""Stored files appear whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from django.core.files.storage import FileSystemStorage

if TYPE_CHECKING:
    from typing import Any

    from django.core.files.base import File


class WholeFileStorage(FileSystemStorage):
    """Writes a file beside its name and then renames it, so that nobody reads one that is being written.

    Django truncates what bears the name already and writes there: two uploads of equal bytes have one name,
    and while the second is stored, the first may be read. A killed process leaves its draft, read by nobody.
    """

    def _save(self, name: str, content: File[Any]) -> str:
        draft = f"{name}.{uuid4().hex}"
        try:
            super()._save(draft, content)  # type: ignore[misc]  # Django's own way to extend a storage, not in its types
            Path(self.path(draft)).replace(self.path(name))
        finally:
            Path(self.path(draft)).unlink(missing_ok=True)
        return name
