"""A drill breaks every part of a marked copy, and nothing that the site acknowledged is lost."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings

from evaluation.running.hosting import drill
from evaluation.running.hosting.drill import check_rehearsal, mark_rehearsal
from tests.evaluation.conftest import Process, make_var, remove_var, wait_for
from tests.upgrades.sites import RELEASES
from trackside.errors import InputError


@pytest.mark.django_db
def test_drill_refuses_a_database_that_is_not_marked() -> None:
    with pytest.raises(InputError, match=r"not marked as a rehearsal copy.*restore FILE --rehearsal"):
        check_rehearsal()
    mark_rehearsal()  # rolled back with the test
    check_rehearsal()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 16 MiB; the test is skipped where none may be mounted."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(tmp_path)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no file system can be mounted: {done.stderr.strip()}")
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], check=True)


def test_full_disk_refuses_writes_and_is_freed(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "TRACKSIDE_VAR", small_disk)
    monkeypatch.setattr(drill, "AWAY", 2.0)
    free = shutil.disk_usage(small_disk).free
    with ThreadPoolExecutor() as pool:
        filling = pool.submit(drill._fill)
        wait_for(lambda: not shutil.disk_usage(small_disk).free, "a full disk")
        with pytest.raises(OSError, match="No space left"):
            (small_disk / "run").write_bytes(b"T1 Q0 D1 1 1 tag")
        assert filling.result() == "Filled the disk, and freed it."
    (small_disk / "run").unlink()
    assert shutil.disk_usage(small_disk).free == free


def test_disk_of_the_host_is_not_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "TRACKSIDE_VAR", tmp_path)
    assert "The disk was not filled" in drill._fill()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_drill_loses_no_acknowledged_upload() -> None:
    var = make_var()
    try:
        (var / "site.tar").write_bytes(RELEASES[-1].backup)
        restored = Process(var, "manage.py", "restore", str(var / "site.tar"), "--rehearsal")
        assert restored.child.wait() == 0, restored.text
        process = Process(var, "manage.py", "drill")
        assert process.child.wait() == 0, process.text
        found = re.search(r"Acknowledged (\d+) = stored (\d+)", process.text)
        assert found
        assert found[1] == found[2] != "0"
    finally:
        remove_var(var)
