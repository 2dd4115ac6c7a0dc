"""The stored releases: a folder each, made by ``make_release`` with the code of that release; empty sites."""

import io
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import zstandard
from django.conf import settings

from evaluation.running.hosting.addresses import EMBEDDED_NAME, socket_folder
from evaluation.running.hosting.embedded import EmbeddedServers, embedded_servers
from tests.evaluation.conftest import make_var, remove_var, site_env
from tests.evaluation.other_postgresql import found, other_postgres

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


EMBEDDED = "embedded"


@contextmanager
def empty_site(server: str) -> Iterator[tuple[Path, dict[str, str], str]]:
    """A site's folder, the environment of its commands, and the address of its empty database."""
    var = make_var()
    try:
        if server == EMBEDDED:
            with embedded_servers(EmbeddedServers(var, has_database=True, has_queue=True, is_durable=False)):
                address = f"postgresql://{EMBEDDED_NAME}@/{EMBEDDED_NAME}?host={socket_folder(var)}"
                yield var, site_env(var), address
        else:
            with other_postgres(found(int(server))) as other:
                external = {"DATABASE_URL": other.address, "BROKER_URL": settings.CELERY_BROKER_URL}
                yield var, site_env(var) | external, other.address
    finally:
        remove_var(var)


def run(env: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=settings.ROOT, env=env, capture_output=True, text=True, check=False)
