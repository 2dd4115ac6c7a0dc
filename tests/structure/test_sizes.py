"""No function of the product is longer than 40 lines, none of the tests than 50, and no module than 300.

The docstring of a function does not count. No folder has more than 26 modules: more are sorted into packages.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.structure.product_modules import PACKAGES, ROOT, modules, modules_of_tests, on_one_worker

pytestmark = on_one_worker

MOST = 40
MOST_OF_TESTS = 50
MOST_OF_MODULE = 300
MOST_OF_FOLDER = 26


def long_functions(module: ast.Module, most: int) -> Iterator[str]:
    """The functions that are too long, with the line on which each starts and its length."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = _lines(node) - (_lines(node.body[0]) if ast.get_docstring(node) else 0)
            if length > most:
                yield f"{node.lineno}: {node.name} has {length} lines"


def _lines(node: ast.stmt) -> int:
    assert node.end_lineno
    return node.end_lineno - node.lineno + 1


def functions_longer_than(most: int, trees: Mapping[Path, ast.Module]) -> dict[str, list[str]]:
    assert trees
    found = {str(path.relative_to(ROOT)): list(long_functions(tree, most)) for path, tree in trees.items()}
    return {path: functions for path, functions in found.items() if functions}


def long_modules(paths: Iterable[Path]) -> dict[str, int]:
    counts = {str(path.relative_to(ROOT)): path.read_text().count("\n") for path in paths}
    assert counts
    return {path: count for path, count in counts.items() if count > MOST_OF_MODULE}


def crowded_folders(paths: Iterable[Path]) -> dict[str, int]:
    counts = Counter(str(path.parent.relative_to(ROOT)) for path in paths)
    assert counts
    return {folder: count for folder, count in counts.items() if count > MOST_OF_FOLDER}


def modules_of(package: str) -> dict[Path, ast.Module]:
    return {path: tree for path, tree in modules().items() if path.is_relative_to(ROOT / package)}


@pytest.mark.parametrize("package", PACKAGES)
def test_functions_have_at_most_40_lines(package: str) -> None:
    assert functions_longer_than(MOST, modules_of(package)) == {}


def test_functions_of_tests_have_at_most_50_lines() -> None:
    assert functions_longer_than(MOST_OF_TESTS, modules_of_tests()) == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_have_at_most_300_lines(package: str) -> None:
    assert long_modules(modules_of(package)) == {}


def test_modules_of_tests_have_at_most_300_lines() -> None:
    assert long_modules(modules_of_tests()) == {}


def test_folders_have_at_most_26_modules() -> None:
    assert crowded_folders([*modules(), *modules_of_tests()]) == {}
