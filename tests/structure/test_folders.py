"""The tests have the folders of the code: each package has its tests, and each folder of tests its code."""

from collections.abc import Iterable
from pathlib import Path

from tests.structure.product_modules import PACKAGES, ROOT, modules, modules_of_tests, on_one_worker

pytestmark = on_one_worker

ACROSS = {
    "addresses",
    "benchmarks",
    "browser",
    "concurrency",
    "documents",
    "faults",
    "hostile",
    "journeys",
    "live",
    "mutants",
    "oracles",
    "permissions",
    "secret_rows",
    "simulations",
    "structure",
    "upgrades",
    "words",
}
"""Folders of tests that no one package has: whole sites, all addresses, documents, the tests themselves."""

ELSEWHERE = {
    "assessment/templatetags": "words",
    "evaluation/config/formats/en_GB": "words",  # Django reads it for its dates
    "evaluation/core/text": "upgrades",  # landed migrations import it
    "trackside/sandbox": "hostile",
    "trackside/sandbox/jobs": "hostile",
}
"""Packages that are tested only through others, and where."""


def folders(paths: Iterable[Path], *, below: Path) -> set[str]:
    """Return the folders of the modules, relative to a folder; not those that hold only ``__init__``."""
    return {str(path.parent.relative_to(below)) for path in paths if path.name != "__init__.py"}


def in_packages(names: set[str]) -> set[str]:
    return {name for name in names if name.split("/")[0] in PACKAGES}


def test_each_package_has_tests_of_its_own() -> None:
    tests = (path for path in modules_of_tests() if path.name.startswith("test_"))
    tested = in_packages(folders(tests, below=ROOT / "tests"))
    packages = {name for name in folders(modules(), below=ROOT) if "/" in name}
    assert packages - tested == set(ELSEWHERE)
    assert set(ELSEWHERE.values()) <= ACROSS


def test_each_folder_of_tests_has_its_code() -> None:
    """A module that needs many tests may have a folder of them, too."""
    tested = in_packages(folders(modules_of_tests(), below=ROOT / "tests"))
    assert {
        name for name in tested if not ((ROOT / name).is_dir() or (ROOT / f"{name}.py").is_file())
    } == set()


def test_other_folders_of_tests_are_known() -> None:
    top = {name.split("/")[0] for name in folders(modules_of_tests(), below=ROOT / "tests")} - {"."}
    assert top == ACROSS | set(PACKAGES)
