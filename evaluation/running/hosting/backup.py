"""A site in one file: a tar of a manifest, the rows of every table, and every blob under its SHA-256."""

import hashlib
import io
import json
import tarfile
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from evaluation.collections.blobs import Blob
from evaluation.running.hosting.table_copies import TableCopy, write_copies
from trackside.errors import InputError

FORMAT = 2
MANIFEST, ROWS, BLOBS = "manifest.json", "rows", "blobs"
NAMED = "trackside-[0-9]*Z.tar"  # files of a folder of backups, by their time in UTC
Say = Callable[[str], object]


@dataclass(frozen=True)
class BackupManifest:
    """The contents of a backup; the names of its blobs are their checksums."""

    format: int
    made_at: str  # ISO 8601, UTC
    migrations: list[str]  # "app.name" of each applied migration
    tables: list[TableCopy]
    sequences: dict[str, int]
    blob_count: int


def back_up(path: Path, *, say: Say) -> None:
    """Write the site to one file that only its owner can read. The site may keep running.

    The rows are one snapshot of the database, without sessions, codes in mails and counters of rate limits.
    They are in a private folder beside the file until it is complete.

    Args:
        path: the file to create; it appears once it is complete.
        say: called with lines of progress.

    Raises:
        InputError: the file exists.
        InputError: a blob does not match its key.
    """
    if path.exists():
        raise InputError(f"{path} exists, and a backup overwrites no file. Choose another name.")
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
        draft, rows = Path(folder, path.name), Path(folder, ROWS)
        rows.mkdir()
        say("Writing the database ...")
        manifest, keys = _copy_rows(rows)
        draft.touch(mode=0o600)
        with tarfile.open(draft, mode="w") as archive:
            _add_bytes(archive, MANIFEST, json.dumps(asdict(manifest), indent=1).encode())
            for table in manifest.tables:
                archive.add(rows / table.file_name, f"{ROWS}/{table.file_name}")
            for number, key in enumerate(keys, start=1):
                _add_blob(archive, key)
                if number % 1000 == 0 or number == len(keys):
                    say(f"Blobs: {number} of {len(keys)}")
        draft.rename(path)
    _last_backup_file().touch(mode=0o600)


def _last_backup_file() -> Path:
    return Path(settings.TRACKSIDE_VAR) / "last-backup"


def last_backup_at() -> datetime | None:
    """Return when the last backup from this folder ended; None if there was none."""
    try:
        return datetime.fromtimestamp(_last_backup_file().stat().st_mtime, UTC)
    except FileNotFoundError:
        return None


@transaction.atomic
def _copy_rows(folder: Path) -> tuple[BackupManifest, list[str]]:
    """Copy all rows; return the manifest and the keys of the blobs that the rows use."""
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    tables, sequences = write_copies(folder)
    keys = list(Blob.objects.order_by("pk").values_list("pk", flat=True))
    applied = sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())
    made_at = timezone.now().isoformat()
    return BackupManifest(FORMAT, made_at, applied, tables, sequences, len(keys)), keys


def _add_bytes(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    archive.addfile(entry, io.BytesIO(content))


def _add_blob(archive: tarfile.TarFile, key: str) -> None:
    path = Blob(sha256=key).path
    content = None
    with suppress(FileNotFoundError), default_storage.open(path) as file:
        content = file.read()
    if content is None or hashlib.sha256(content).hexdigest() != key:
        raise InputError(
            f"The blob {key} is damaged or missing, so the backup cannot be complete. Restore it from "
            "an earlier backup, or delete the objects that use it."
        )
    _add_bytes(archive, f"{BLOBS}/{path}", content)


def new_backup_file(folder: Path) -> Path:
    """Return the path of the next backup in the folder: trackside-20261124T060000Z.tar."""
    return folder / f"trackside-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.tar"


def latest_backup(folder: Path) -> Path:
    """Return the latest backup in the folder. Raises InputError."""
    backups = sorted(folder.glob(NAMED))
    if not backups:
        raise InputError(f"{folder} holds no file {NAMED}. Make one with `manage.py backup {folder}`.")
    return backups[-1]


def remove_old_backups(folder: Path, *, keep: int) -> list[Path]:
    """Delete all but the latest ``keep`` backups in the folder, and return the deleted ones."""
    old = sorted(folder.glob(NAMED))[:-keep]
    for path in old:
        path.unlink()
    return old
