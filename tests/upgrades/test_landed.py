"""A landed migration stays as it is: sites have run it, and the next ones build on its tables."""

import hashlib
import json
import re
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings

from evaluation.running.hosting.backup import MANIFEST
from evaluation.running.hosting.schema import OURS
from tests.upgrades.sites import RELEASES, Release

ROOT = Path(settings.ROOT)
LANDED = Path(__file__).with_name("landed.sha256")  # in the format of sha256sum


def lines_of_disk() -> set[str]:
    """The lines that the migrations of the working copy make."""
    files = [path for app in OURS for path in ROOT.glob(f"{app}/migrations/[0-9]*.py")]
    return {f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(ROOT)}" for path in files}


def test_each_migration_is_the_one_that_landed() -> None:
    landed, found = set(LANDED.read_text().splitlines()), lines_of_disk()
    names = {line.split()[1] for line in found}
    assert not {line for line in landed - found if line.split()[1] in names}, (
        "landed migrations differ; undo the change and write a new migration"
    )
    assert not landed - found, "landed migrations are missing; sites have run them, so bring them back"
    assert not found - landed, f"append these lines to {LANDED.name} when the migrations are complete"


def test_list_of_landed_migrations_only_grows() -> None:
    """The main branch has had no line that the list lacks. Without that branch, git is asked about HEAD."""
    logs = [history(revision) for revision in ("main", "HEAD")]
    known = [log for log in logs if log is not None]
    if not known:
        pytest.skip("this is not a working copy of git")
    had = set(re.findall(r"^\+([0-9a-f]{64}  \S+)$", known[0], re.MULTILINE))
    assert had <= set(LANDED.read_text().splitlines())


def history(revision: str) -> str | None:
    """The changes of the list up to a revision; None if git does not know it."""
    log = ["git", "log", "--first-parent", "-m", "-p", "--format=", revision, "--", str(LANDED)]
    done = subprocess.run(log, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.folder.name)
def test_migrations_of_each_stored_release_are_in_the_list(release: Release) -> None:
    with tarfile.open(fileobj=BytesIO(release.backup)) as archive:
        manifest = archive.extractfile(MANIFEST)
        assert manifest
        ran = json.load(manifest)["migrations"]
    landed = {line.split()[1] for line in LANDED.read_text().splitlines()}
    paths = {"/migrations/".join(name.split(".", 1)) + ".py" for name in ran if name.split(".")[0] in OURS}
    assert paths <= landed
