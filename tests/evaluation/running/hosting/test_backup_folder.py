"""Backups on a schedule, and the rehearsal of their restore."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings

from evaluation.running.hosting.backup import latest_backup, new_backup_file, remove_old_backups
from tests.evaluation.conftest import PATIENCE, Process, make_var, remove_var
from trackside.errors import InputError


def test_folder_keeps_the_latest_backups_and_other_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Make one with"):
        latest_backup(tmp_path)
    times = ("20250101T030000Z", "20251231T030000Z", "20250630T030000Z")
    for name in (*(f"trackside-{time}.tar" for time in times), "trackside-before-the-move.tar", "notes"):
        (tmp_path / name).touch()
    assert latest_backup(tmp_path).name == "trackside-20251231T030000Z.tar"
    removed = remove_old_backups(tmp_path, keep=2)
    assert [path.name for path in removed] == ["trackside-20250101T030000Z.tar"]
    assert new_backup_file(tmp_path) > latest_backup(tmp_path)
    assert (tmp_path / "trackside-before-the-move.tar").exists()
    assert (tmp_path / "notes").exists()


@pytest.mark.whole
def test_units_back_up_each_night_and_rehearse_a_restore(
    site: Path, tmp_path: Path, start: Callable[..., Process]
) -> None:
    """The commands of the units, with another folder of backups."""

    def commands(unit: str) -> list[list[str]]:
        text = Path(settings.ROOT, f"docker/systemd/trackside-{unit}.service").read_text()
        lines = re.findall(r"^ExecStart=/srv/trackside/.venv/bin/python (.+)$", text, re.MULTILINE)
        return [line.replace("/var/backups/trackside", str(tmp_path)).split() for line in lines]

    for name in (
        "trackside-20250101T030000Z.tar",
        *(f"trackside-202601{day}T030000Z.tar" for day in range(10, 24)),
    ):
        (tmp_path / name).touch()
    [back_up_command] = commands("backup")
    made = start(site, *back_up_command)
    assert made.child.wait(PATIENCE) == 0, made.text
    assert len(list(tmp_path.glob("*.tar"))) == 14
    scratch = make_var()
    for command in commands("rehearsal"):
        rehearsed = start(scratch, *command)
        assert rehearsed.child.wait(PATIENCE) == 0, rehearsed.text
    remove_var(scratch)
