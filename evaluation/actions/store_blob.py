"""Keep bytes that processes share."""

from __future__ import annotations

import hashlib
from typing import IO, TYPE_CHECKING

from django.core.files.storage import default_storage

from evaluation.models import Blob

if TYPE_CHECKING:
    from django.core.files.base import File


def store_blob(*, file: File[bytes]) -> Blob:
    """Keep the file's bytes under their SHA-256, once, and return their row.

    The bytes are in the storage before the row is: a row says that they are whole. A process killed in
    between leaves bytes that the next upload of the same file adopts.
    """
    blob = Blob(sha256=_sha256(file), size=file.size)
    known = Blob.objects.filter(pk=blob.pk).first()
    if known:
        return known
    file.seek(0)
    default_storage.save(blob.path, file)
    Blob.objects.bulk_create([blob], ignore_conflicts=True)
    return blob


def _sha256(file: IO[bytes] | File[bytes]) -> str:
    file.seek(0)
    found = hashlib.sha256()
    while chunk := file.read(1 << 20):
        found.update(chunk)
    return found.hexdigest()
