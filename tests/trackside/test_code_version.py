import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from trackside import code_version as module
from trackside.code_version import code_version, sources_sha256


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    code_version.cache_clear()
    yield
    code_version.cache_clear()


def test_code_version_is_that_of_the_installed_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "version", {"trackside": "1.2.3"}.__getitem__)

    assert re.fullmatch(r"1\.2\.3\+[0-9a-f]{12}", code_version())


def test_code_version_is_source_where_nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(module, "version", absent)

    assert code_version().startswith("source+")


def test_code_version_changes_with_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "measuring").mkdir()
    (tmp_path / "measuring" / "gains.py").write_text("log2 = 2")
    monkeypatch.setattr(module, "LIBRARY", tmp_path)
    before = code_version()
    (tmp_path / "measuring" / "gains.py").write_text("log2 = 3")
    code_version.cache_clear()
    assert code_version() != before


def test_texts_of_the_command_make_no_result_stale(tmp_path: Path) -> None:
    (tmp_path / "gains.py").write_text("log2 = 2")
    before = sources_sha256(tmp_path)
    for room in ("cli", "judging", "library"):
        (tmp_path / room).mkdir()
        (tmp_path / room / "help.py").write_text("TEXT = 'score runs'")
    assert sources_sha256(tmp_path) == before


def test_sources_are_distinguished_by_name_and_content(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    one = sources_sha256(tmp_path)
    (tmp_path / "a.py").rename(tmp_path / "b.py")
    assert sources_sha256(tmp_path) != one
