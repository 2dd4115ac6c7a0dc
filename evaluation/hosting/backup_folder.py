"""A folder of backups that are made on a schedule: each file is named by its time in UTC."""

from datetime import UTC, datetime
from pathlib import Path

from trackside.errors import InputError

NAMED = "trackside-[0-9]*Z.tar"


def new_backup_file(folder: Path) -> Path:
    """Return the path of the next backup in the folder: trackside-20261124T060000Z.tar."""
    return folder / f"trackside-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.tar"


def latest_backup(folder: Path) -> Path:
    """Return the latest backup in the folder. Raises InputError."""
    found = sorted(folder.glob(NAMED))
    if not found:
        raise InputError(f"{folder} holds no file {NAMED}. Make one with `manage.py backup {folder}`.")
    return found[-1]


def remove_old_backups(folder: Path, *, keep: int) -> list[Path]:
    """Delete all but the latest ``keep`` backups in the folder, and return the deleted ones."""
    old = sorted(folder.glob(NAMED))[:-keep]
    for path in old:
        path.unlink()
    return old
