"""The stored releases: a folder each, made by ``make_release`` with the code of that release."""

import io
import tarfile
from dataclasses import dataclass
from pathlib import Path

import zstandard

FOLDER = Path(__file__).with_name("stored")
BACKUP, DATABASE = "backup.tar.zst", "database.sql.zst"
BLOBS = "blobs"  # the folder in a backup, and in a site's folder


@dataclass(frozen=True)
class Release:
    """A filled site of a release: its database as SQL, and its backup."""

    folder: Path

    @property
    def statements(self) -> bytes:
        """The SQL that creates the tables and their rows."""
        return zstandard.decompress((self.folder / DATABASE).read_bytes())

    @property
    def backup(self) -> bytes:
        """The file of `manage.py backup`."""
        return zstandard.decompress((self.folder / BACKUP).read_bytes())

    def store_blobs(self, var: Path) -> None:
        """Copy the blobs of the backup to a site's folder."""
        with tarfile.open(fileobj=io.BytesIO(self.backup)) as archive:
            blobs = [entry for entry in archive if entry.name.startswith(f"{BLOBS}/")]
            archive.extractall(var, members=blobs, filter="data")


RELEASES = [Release(folder) for folder in sorted(FOLDER.glob("*"))]
