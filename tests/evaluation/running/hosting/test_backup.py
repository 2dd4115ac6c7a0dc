"""Backup and restore: a site is restored completely into another database, or nothing changes."""

import hashlib
import io
import json
import os
import stat
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import zstandard
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client

from evaluation.config.settings_test import QUEUE_NUMBER
from evaluation.models import Blob, Mail, User
from evaluation.running.hosting.addresses import open_session
from evaluation.running.hosting.backup import back_up
from evaluation.running.hosting.restore import restore, verify
from tests.evaluation.conftest import PATIENCE, Process, site_env
from trackside.errors import InputError

# Workers of pytest-xdist share the server.
SECOND = f"trackside_second_{QUEUE_NUMBER}"
CONTENT = b"bytes of a picture of worker %d" % QUEUE_NUMBER
KEY = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def blob(transactional_db: None) -> Iterator[Blob]:
    kept = Blob.objects.create(sha256=KEY, size=len(CONTENT))
    default_storage.save(kept.path, ContentFile(CONTENT))
    yield kept
    default_storage.delete(kept.path)


@pytest.fixture
def backup(blob: Blob, tmp_path: Path) -> Path:
    User.objects.create(email="elise@example.org", name="Élise")
    path = tmp_path / "site.tar"
    back_up(path, say=print)
    return path


@pytest.fixture
def second(transactional_db: None, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of another site: an empty database, an empty folder."""
    host = settings.DATABASES["default"]["HOST"]
    with psycopg.connect(host=host, user="trackside", dbname="postgres", autocommit=True) as server:
        server.execute(f"CREATE DATABASE {SECOND}")
        yield site_env(tmp_path / "second") | {
            "DATABASE_URL": f"postgresql://trackside@/{SECOND}?host={host}",
            "BROKER_URL": settings.CELERY_BROKER_URL,
        }
        server.execute(f"DROP DATABASE {SECOND}")


def run_restore(env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", "restore", *arguments]
    return subprocess.run(command, cwd=settings.ROOT, env=env, capture_output=True, text=True, check=False)


def changed(backup: Path, change: Callable[[str, bytes], bytes | None]) -> Path:
    """A copy of a backup with changed members; None removes a member."""
    copy = backup.with_name("changed.tar")
    with tarfile.open(backup) as old, tarfile.open(copy, "w") as new:
        for entry in old:
            content = old.extractfile(entry)
            assert content is not None
            now = change(entry.name, content.read())
            if now is not None:
                entry.size = len(now)
                new.addfile(entry, io.BytesIO(now))
    return copy


@pytest.mark.whole
def test_backup_is_restored_completely_in_an_empty_site(backup: Path, second: dict[str, str]) -> None:
    done = run_restore(second, str(backup))
    assert done.returncode == 0, done.stderr
    with psycopg.connect(second["DATABASE_URL"]) as database:
        assert database.execute("SELECT name FROM evaluation_user").fetchall() == [("Élise",)]
        assert database.execute("SELECT sha256, size FROM evaluation_blob").fetchall() == [
            (KEY, len(CONTENT))
        ]
        with pytest.raises(psycopg.DatabaseError, match="blobs_are_immutable"):
            database.execute("UPDATE evaluation_blob SET size = 0")
    assert Path(second["TRACKSIDE_VAR"], "blobs", KEY[:2], KEY).read_bytes() == CONTENT


@pytest.mark.whole
def test_restore_replaces_a_site_only_on_request(backup: Path, second: dict[str, str]) -> None:
    with psycopg.connect(second["DATABASE_URL"], autocommit=True) as database:
        database.execute("CREATE TABLE older ()")
    older = Path(second["TRACKSIDE_VAR"], "blobs", "ab", "older")
    older.parent.mkdir(parents=True)
    older.touch()

    refused = run_restore(second, str(backup))
    assert refused.returncode == 1
    assert "not empty (tables: 1)" in refused.stderr
    assert "--replace" in refused.stderr
    assert older.exists()

    assert run_restore(second, str(backup), "--replace").returncode == 0
    with psycopg.connect(second["DATABASE_URL"]) as database:
        assert database.execute("SELECT to_regclass('older')").fetchone() == (None,)
    assert not older.exists()


def test_restore_under_a_running_site_is_refused(backup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The site would continue to write into tables that are being replaced."""
    monkeypatch.setattr("evaluation.running.hosting.restore.LEAVING_SECONDS", 0.0)
    with open_session(), pytest.raises(InputError, match=r"sessions: \d"):
        restore(backup, replaces=True, say=print)
    assert User.objects.filter(name="Élise").exists()


def test_backup_is_readable_by_its_owner_only(blob: Blob, tmp_path: Path, client: Client) -> None:
    """A stolen file holds no sessions, and no codes or links of unsent mails."""
    person = User.objects.create(email="elise@example.org", name="Élise")
    client.force_login(person)
    session = Session.objects.get().session_key
    codes = {"account": "code-7391", "invitation": "link-7392", "run_accepted": "verdict-7393"}
    for what, text in codes.items():
        Mail.objects.create(what=what, to=person.email, subject="s", text=text)
    caches["default"].set("throttle-7394", "counted")
    path = tmp_path / "site.tar"
    before = os.umask(0o022)
    try:
        back_up(path, say=print)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = all_rows(path)
    assert "verdict-7393" in text
    assert "elise@example.org" in text
    for secret in (session, codes["account"], codes["invitation"], "throttle-7394"):
        assert secret not in text


def all_rows(path: Path) -> str:
    """The rows of all tables of a backup as text."""
    with tarfile.open(path) as archive:
        packed = [archive.extractfile(entry) for entry in archive if entry.name.startswith("rows/")]
        return "".join(
            zstandard.ZstdDecompressor().stream_reader(file).read().decode() for file in packed if file
        )


def test_encrypted_backup_must_be_decrypted_first(tmp_path: Path) -> None:
    path = tmp_path / "site.tar.age"
    path.write_bytes(b"age-encryption.org/v1\n-> X25519 ...")
    with pytest.raises(InputError, match="age --decrypt"):
        verify(path)


def test_backup_overwrites_no_file(backup: Path) -> None:
    before = backup.read_bytes()
    with pytest.raises(InputError, match="exists"):
        back_up(backup, say=print)
    assert backup.read_bytes() == before


@pytest.mark.parametrize("damage", [b"other bytes", None], ids=["changed", "missing"])
def test_backup_of_a_damaged_blob_is_refused_and_leaves_no_file(
    blob: Blob, tmp_path: Path, damage: bytes | None
) -> None:
    default_storage.delete(blob.path)
    if damage is not None:
        default_storage.save(blob.path, ContentFile(damage))
    with pytest.raises(InputError, match=KEY):
        back_up(tmp_path / "site.tar", say=print)
    assert list(tmp_path.iterdir()) == []


def test_damaged_backups_are_refused(backup: Path) -> None:
    verify(backup)

    rows = "rows/evaluation_user.tsv.zst"
    damaged_rows = changed(backup, lambda name, old: old[:-1] + b"x" if name == rows else old)
    with pytest.raises(InputError, match="rows of evaluation_user are damaged"):
        verify(damaged_rows)

    damaged_blob = changed(backup, lambda name, old: b"x" if KEY in name else old)
    with pytest.raises(InputError, match=KEY):
        verify(damaged_blob)

    fewer = changed(backup, lambda name, old: None if KEY in name else old)
    with pytest.raises(InputError, match="0 of 1 blobs"):
        verify(fewer)

    cut = backup.with_name("cut.tar")
    cut.write_bytes(backup.read_bytes()[:5000])
    with pytest.raises(InputError, match="cannot be restored"):
        verify(cut)

    cut.write_text("something else")
    with pytest.raises(InputError, match="not a complete backup"):
        verify(cut)


def test_backup_of_a_newer_release_is_refused(backup: Path) -> None:
    def add_migration(name: str, old: bytes) -> bytes:
        if name != "manifest.json":
            return old
        manifest = json.loads(old)
        manifest["migrations"].append("evaluation.9999_of_the_future")
        return json.dumps(manifest).encode()

    with pytest.raises(InputError, match="9999_of_the_future"):
        verify(changed(backup, add_migration))


@pytest.mark.whole
def test_commands_start_the_embedded_servers_themselves(
    site: Path, var: Path, tmp_path: Path, start: Callable[..., Process]
) -> None:
    file = tmp_path / "site.tar"
    written = start(site, "manage.py", "backup", str(file))
    assert written.child.wait(PATIENCE) == 0, written.text
    back = start(var, "manage.py", "restore", str(file))
    assert back.child.wait(PATIENCE) == 0, back.text
    again = start(var, "manage.py", "restore", str(file))
    assert again.child.wait(PATIENCE) == 1
    assert "--replace" in again.text
