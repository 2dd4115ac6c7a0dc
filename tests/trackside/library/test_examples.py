"""The examples in docs/library.md and in the docstrings print what they show."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.ROOT)
MODULES = sorted(path.stem for path in (ROOT / "trackside/library").glob("*.py") if path.stem != "__init__")


def test_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(ROOT / "docs/library.md"), module_relative=False, encoding="utf-8")
    assert (found.failed, found.attempted > 40) == (0, True)


def test_page_names_every_public_name() -> None:
    import trackside

    page = (ROOT / "docs/library.md").read_text()
    assert [name for name in trackside.__all__ if name not in page] == []


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_docstrings_run(module: str) -> None:
    assert doctest.testmod(import_module(f"trackside.library.{module}")).failed == 0
