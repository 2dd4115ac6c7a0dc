"""A site out of the file of `backup`: verified before anything is touched, the database all or nothing."""

import json
import tarfile
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, LiteralString

import psycopg
from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from psycopg.rows import TupleRow

from evaluation.config.backup import BLOBS, DUMP, FORMAT, MANIFEST, Manifest, Say, sha256_of_stream
from evaluation.config.database_tools import open_session, replace_database
from evaluation.core.errors import InputError

LEAVING_SECONDS = 5.0  # a session ends a moment after its process
OTHER_SESSIONS: LiteralString = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


class NotABackup(InputError):
    """The file is no backup of ours, or a damaged one."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} cannot be restored: {reason}. Nothing was changed.")


class SiteNotEmpty(InputError):
    """There is something that a restore would replace."""

    def __init__(self, table_count: int) -> None:
        super().__init__(
            f"The site's database is not empty (tables: {table_count}). To replace everything in it by the "
            "backup, say --replace."
        )


class SiteInUse(InputError):
    """Others are connected to the database."""

    def __init__(self, session_count: int) -> None:
        super().__init__(f"Others use the site's database (sessions: {session_count}). Stop the site first.")


def restore(path: Path, *, replaces: bool, say: Say) -> None:
    """Put the site of a backup in the place of this one.

    Args:
        path: a file of `back_up`.
        replaces: whether what the site holds may go; otherwise it must be empty.
        say: called with lines of progress.

    Raises:
        NotABackup: the file is damaged, no backup, or made by a newer release.
        SiteNotEmpty: there are tables and `replaces` is false.
        SiteInUse: somebody is connected.
        DatabaseToolFailed: the dump could not be loaded; the database is as it was.
    """
    say("Checking the backup ...")
    verify(path)
    _check_site(replaces=replaces)
    with tarfile.open(path) as archive, tempfile.TemporaryDirectory() as folder:
        blobs = {str(PurePosixPath(entry.name).relative_to(BLOBS)): entry for entry in _blobs(archive)}
        say(f"Blobs: {len(blobs)}")
        for name, entry in blobs.items():
            if not default_storage.exists(name):
                default_storage.save(name, _stream(archive, entry))
        say("Loading the database ...")
        archive.extract(DUMP, folder, filter="data")
        replace_database(Path(folder, DUMP), Path(folder, "script.sql"))
    for name in set(stored_names("")) - blobs.keys():
        default_storage.delete(name)


def verify(path: Path) -> None:
    """Read the whole file and compare every checksum.

    Raises:
        NotABackup: something does not agree; the text says what.
    """
    try:
        with tarfile.open(path) as archive:
            manifest = Manifest(**json.load(_stream(archive, archive.getmember(MANIFEST))))
            _check_release(path, manifest)
            if sha256_of_stream(_stream(archive, archive.getmember(DUMP))) != manifest.dump_sha256:
                raise NotABackup(path, "the dump of the database is damaged")
            count = 0
            for count, entry in enumerate(_blobs(archive), start=1):  # noqa: B007 - used after the loop
                if sha256_of_stream(_stream(archive, entry)) != PurePosixPath(entry.name).name:
                    raise NotABackup(path, f"{entry.name} is damaged")
            if count != manifest.blob_count:
                raise NotABackup(path, f"it holds {count} of {manifest.blob_count} blobs")
    except (OSError, tarfile.TarError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise NotABackup(path, f"it is no whole backup ({error})") from error


def _check_release(path: Path, manifest: Manifest) -> None:
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    unknown = [name for name in manifest.migrations if name not in known]
    if manifest.format != FORMAT or unknown:
        what = f"format {manifest.format}" if manifest.format != FORMAT else unknown[0]
        raise NotABackup(path, f"a newer release of Trackside made it ({what} is not known here)")


def _check_site(*, replaces: bool) -> None:
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]  # of Django's PostgreSQL backend
    with open_session() as session:
        deadline = time.monotonic() + LEAVING_SECONDS
        while session_count := _count(session, OTHER_SESSIONS):
            if time.monotonic() > deadline:
                raise SiteInUse(session_count)
            time.sleep(0.1)
        table_count = _count(session, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
    if table_count and not replaces:
        raise SiteNotEmpty(table_count)


def _count(session: "psycopg.Connection[TupleRow]", statement: LiteralString) -> int:
    row = session.execute(statement).fetchone()
    return int(row[0]) if row else 0


def _blobs(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    return (entry for entry in archive if entry.isfile() and entry.name.startswith(f"{BLOBS}/"))


def _stream(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> IO[bytes]:
    stream = archive.extractfile(entry)
    if stream is None:
        raise KeyError(f"{entry.name} is no file")
    return stream


def stored_names(folder: str) -> Iterator[str]:
    """Walk the storage of blobs, below a folder."""
    try:
        folders, files = default_storage.listdir(folder)
    except FileNotFoundError:
        return
    yield from (str(PurePosixPath(folder, name)) for name in files)
    for name in folders:
        yield from stored_names(str(PurePosixPath(folder, name)))
