"""A site in one file: a tar of the database's dump, a manifest, and every blob under its SHA-256."""

import hashlib
import io
import json
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Self

from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from evaluation.config.database_tools import dump_database
from evaluation.core.errors import InputError
from evaluation.models import Blob

FORMAT = 1
MANIFEST, DUMP, BLOBS = "manifest.json", "database.dump", "blobs"
CHUNK = 1 << 20  # bytes
Say = Callable[[str], object]


class BackupFileExists(InputError):
    """The file to write is there already."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} exists. A backup overwrites nothing: choose another name.")


class BlobDamaged(InputError):
    """The bytes kept under a key are not the ones it was made of, or are gone."""

    def __init__(self, key: str) -> None:
        super().__init__(
            f"The blob {key} is damaged or missing, so no whole backup can be made. Put it back from an "
            "earlier backup, or delete what uses it."
        )


@dataclass(frozen=True)
class Manifest:
    """What a backup holds; its blobs carry their own checksums as names."""

    format: int
    made_at: str  # ISO 8601, UTC
    migrations: list[str]  # "app.name" of each that the database had
    dump_sha256: str
    blob_count: int

    @classmethod
    def of_site(cls, dump: Path, blob_count: int) -> Self:
        """Describe the site as its dump stands."""
        applied = MigrationRecorder(connection).applied_migrations()
        migrations = sorted(f"{app}.{name}" for app, name in applied)
        return cls(FORMAT, timezone.now().isoformat(), migrations, sha256_of(dump), blob_count)


def back_up(path: Path, *, say: Say) -> None:
    """Write the site to one file. The site may run meanwhile: the dump is one moment of the database.

    Args:
        path: the file to make; it appears when it is whole.
        say: called with lines of progress.

    Raises:
        BackupFileExists: the file is there.
        BlobDamaged: a blob is not what its key says.
        DatabaseToolFailed: pg_dump refused.
    """
    if path.exists():
        raise BackupFileExists(path)
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
        dump, draft = Path(folder, DUMP), Path(folder, path.name)
        say("Writing the database ...")
        dump_database(dump)
        with tarfile.open(draft, "w") as archive:
            # Rows come and go after the dump, bytes only come: what the dump names is there.
            keys = list(Blob.objects.order_by("pk").values_list("pk", flat=True))
            _add_bytes(
                archive, MANIFEST, json.dumps(asdict(Manifest.of_site(dump, len(keys))), indent=1).encode()
            )
            archive.add(dump, DUMP)
            for number, key in enumerate(keys, start=1):
                _add_blob(archive, key)
                if number % 1000 == 0 or number == len(keys):
                    say(f"Blobs: {number} of {len(keys)}")
        draft.rename(path)


def _add_bytes(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    archive.addfile(entry, io.BytesIO(content))


def _add_blob(archive: tarfile.TarFile, key: str) -> None:
    path = Blob(sha256=key).path
    try:
        with default_storage.open(path) as file:
            content = file.read()
    except FileNotFoundError as error:
        raise BlobDamaged(key) from error
    if hashlib.sha256(content).hexdigest() != key:
        raise BlobDamaged(key)
    _add_bytes(archive, f"{BLOBS}/{path}", content)


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return sha256_of_stream(file)


def sha256_of_stream(stream: IO[bytes]) -> str:
    """Return the SHA-256 of what a stream still holds, in hexadecimal."""
    digest = hashlib.sha256()
    while chunk := stream.read(CHUNK):
        digest.update(chunk)
    return digest.hexdigest()
