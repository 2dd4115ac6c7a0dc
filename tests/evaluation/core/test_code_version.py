from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError

import pytest

from evaluation.core import code_version as module
from evaluation.core.code_version import code_version


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    code_version.cache_clear()
    yield
    code_version.cache_clear()


def test_code_version_is_that_of_the_installed_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "version", {"trackside": "1.2.3"}.__getitem__)

    assert code_version() == "1.2.3"


def test_code_version_says_source_where_nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(module, "version", absent)

    assert code_version() == "source"
