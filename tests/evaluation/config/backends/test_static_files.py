"""Static files as a browser gets them from a site in production."""

import os
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from evaluation.config.backends.static_files import collect_static_files
from tests.evaluation.config.collected import fetch

# Closing a streamed response looks at the database connection that an earlier test may have opened.
pytestmark = [pytest.mark.xdist_group("collected_files"), pytest.mark.django_db]

IMPORT = re.compile(r"""^import[^"]*"\./([^"]+)";$""", re.MULTILINE)
HASHED = re.compile(r"\.[0-9a-f]{12}(\.\w+)?$")


def test_hashed_file_is_compressed_and_cached_for_ever(static_root: Path, client: Client) -> None:
    address = staticfiles_storage.url("trackside/base.css")
    assert HASHED.search(address)
    plain, body = fetch(client, address)
    assert "Content-Encoding" not in plain
    for encoding, share in (("br", 0.4), ("gzip", 0.45)):
        answer, sent = fetch(client, address, encoding)
        assert answer["Content-Encoding"] == encoding
        assert answer["Cache-Control"] == "max-age=315360000, public, immutable"
        assert int(answer["Content-Length"]) == len(sent) < share * len(body)


def test_name_without_hash_is_not_cached(static_root: Path, client: Client) -> None:
    answer, _ = fetch(client, "/static/trackside/base.css")
    assert "immutable" not in answer["Cache-Control"]


def test_only_names_with_hash_are_compressed(static_root: Path) -> None:
    compressed = [path.with_suffix("") for path in static_root.rglob("*.br")]
    assert compressed
    assert [path.name for path in compressed if not HASHED.search(path.name)] == []


def test_modules_import_hashed_modules(static_root: Path) -> None:
    """All modules that the judging screen loads: each import names an existing file, by its hash."""
    first = staticfiles_storage.url("assessment/judging.js").removeprefix("/static/")
    waiting, seen = [first], set()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        imported = {f"assessment/{each}" for each in IMPORT.findall((static_root / name).read_text())}
        assert all(HASHED.search(each) for each in imported), name
        waiting += imported - seen
    assert len(seen) > 20


@pytest.mark.whole
def test_second_start_collects_only_what_changed(static_root: Path) -> None:
    manifest = static_root / "staticfiles.json"
    os.utime(manifest, (1, 1))
    collect_static_files()
    assert manifest.stat().st_mtime == 1
    static_root.with_suffix(".state").write_text("other files")
    collect_static_files()
    assert manifest.stat().st_mtime > 1
