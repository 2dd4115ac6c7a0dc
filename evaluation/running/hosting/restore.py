"""Restores a site from a backup file: verifies the file first, then replaces the database atomically."""

import json
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any, LiteralString

import psycopg
from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from psycopg.rows import TupleRow

from evaluation.collections.storing import sha256_of
from evaluation.running.hosting.addresses import open_session
from evaluation.running.hosting.backup import BLOBS, FORMAT, MANIFEST, ROWS, BackupManifest, Say
from evaluation.running.hosting.table_copies import TableCopy, replace_by_copies
from trackside.errors import InputError

AGE = b"age-encryption.org/"  # the first bytes of a file that age encrypted
LEAVING_SECONDS = 5.0  # to wait for other sessions, because a session ends shortly after its process
OTHER_SESSIONS: LiteralString = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


def _not_a_backup(path: Path, reason: str) -> InputError:
    return InputError(f"{path} cannot be restored: {reason}. Nothing was changed.")


def restore(path: Path, *, replaces: bool, say: Say) -> None:
    """Replace this site by the one in a backup.

    Args:
        path: a file of `back_up`.
        replaces: whether to replace existing data; if False, the site must be empty.
        say: called with lines of progress.

    Raises:
        InputError: the file is damaged, not a backup, or made by another release with unknown migrations.
        InputError: there are tables and `replaces` is False.
        InputError: other sessions are connected.
        InputError: the rows do not fit the tables of this release; the database is unchanged.
    """
    say("Checking the backup ...")
    manifest = verify(path)
    _check_site(replaces=replaces)
    with tarfile.open(path) as archive:
        _restore(archive, manifest, say)


def _restore(archive: tarfile.TarFile, manifest: BackupManifest, say: Say) -> None:
    blobs = {str(PurePosixPath(entry.name).relative_to(BLOBS)): entry for entry in _blobs(archive)}
    say(f"Blobs: {len(blobs)}")
    for name, entry in blobs.items():
        if not default_storage.exists(name):
            default_storage.save(name, _stream(archive, entry))
    say("Loading the database ...")
    replace_by_copies(
        manifest.tables,
        manifest.sequences,
        manifest.migrations,
        lambda table: _stream(archive, archive.getmember(f"{ROWS}/{table.file_name}")),
    )
    for name in set(stored_names("")) - blobs.keys():
        default_storage.delete(name)


def verify(path: Path) -> BackupManifest:
    """Read the whole file, verify every checksum, and return the manifest.

    Raises:
        InputError: a check failed; the text says which.
    """
    try:
        _check_plain(path)
        with tarfile.open(path) as archive:
            stored = json.load(_stream(archive, archive.getmember(MANIFEST)))
            _check_release(path, stored)
            tables = [TableCopy(**table) for table in stored["tables"]]
            manifest = BackupManifest(**stored | {"tables": tables})
            for table in tables:
                entry = archive.getmember(f"{ROWS}/{table.file_name}")
                if sha256_of(_stream(archive, entry)) != table.sha256:
                    raise _not_a_backup(path, f"the rows of {table.name} are damaged")
            _check_blobs(path, archive, manifest)
            return manifest
    except (OSError, tarfile.TarError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise _not_a_backup(path, f"it is not a complete backup ({error})") from error


def _check_plain(path: Path) -> None:
    with path.open("rb") as file:
        if file.read(len(AGE)) == AGE:
            raise _not_a_backup(path, "it is encrypted; decrypt it first with `age --decrypt`")


def _check_blobs(path: Path, archive: tarfile.TarFile, manifest: BackupManifest) -> None:
    count = 0
    for count, entry in enumerate(_blobs(archive), start=1):  # noqa: B007 - used after the loop
        if sha256_of(_stream(archive, entry)) != PurePosixPath(entry.name).name:
            raise _not_a_backup(path, f"{entry.name} is damaged")
    if count != manifest.blob_count:
        raise _not_a_backup(path, f"it holds {count} of {manifest.blob_count} blobs")


def _check_release(path: Path, stored: dict[str, Any]) -> None:
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    unknown = [name for name in stored["migrations"] if name not in known]
    if stored["format"] != FORMAT or unknown:
        what = f"format {stored['format']}" if stored["format"] != FORMAT else unknown[0]
        raise _not_a_backup(path, f"another release of Trackside made it ({what} is not known here)")


def _check_site(*, replaces: bool) -> None:
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]  # of Django's PostgreSQL backend
    with open_session() as session:
        deadline = time.monotonic() + LEAVING_SECONDS
        while session_count := _count(session, OTHER_SESSIONS):
            if time.monotonic() > deadline:
                raise InputError(
                    f"Others use the site's database (sessions: {session_count}). Stop the site first."
                )
            time.sleep(0.1)
        table_count = _count(session, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
    if table_count and not replaces:
        raise InputError(
            f"The site's database is not empty (tables: {table_count}). To replace everything in it by the "
            "backup, use --replace."
        )


def _count(session: "psycopg.Connection[TupleRow]", statement: LiteralString) -> int:
    row = session.execute(statement).fetchone()
    return int(row[0]) if row else 0


def _blobs(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    return (entry for entry in archive if entry.isfile() and entry.name.startswith(f"{BLOBS}/"))


def _stream(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> IO[bytes]:
    stream = archive.extractfile(entry)
    if stream is None:
        raise KeyError(f"{entry.name} is not a file")
    return stream


def stored_names(folder: str) -> Iterator[str]:
    """Yield the names in the storage of blobs below a folder, recursively."""
    try:
        folders, files = default_storage.listdir(folder)
    except FileNotFoundError:
        return
    yield from (str(PurePosixPath(folder, name)) for name in files)
    for name in folders:
        yield from stored_names(str(PurePosixPath(folder, name)))
