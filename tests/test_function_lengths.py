"""No function of the product is longer than 40 lines, without its docstring, and no module than 300."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from tests.product_modules import PACKAGES, ROOT, modules, on_one_worker

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = on_one_worker

MOST = 40
MOST_OF_MODULE = 300


def long_functions(module: ast.Module) -> Iterator[str]:
    """The functions that are too long, with the line on which each starts and its length."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = _lines(node) - (_lines(node.body[0]) if ast.get_docstring(node) else 0)
            if length > MOST:
                yield f"{node.lineno}: {node.name} has {length} lines"


def _lines(node: ast.stmt) -> int:
    assert node.end_lineno
    return node.end_lineno - node.lineno + 1


def modules_of(package: str) -> dict[Path, ast.Module]:
    return {path: tree for path, tree in modules().items() if path.is_relative_to(ROOT / package)}


@pytest.mark.parametrize("package", PACKAGES)
def test_functions_have_at_most_40_lines(package: str) -> None:
    of_package = modules_of(package)
    assert of_package
    found = {str(path.relative_to(ROOT)): list(long_functions(tree)) for path, tree in of_package.items()}
    assert {path: functions for path, functions in found.items() if functions} == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_have_at_most_300_lines(package: str) -> None:
    counts = {str(path.relative_to(ROOT)): path.read_text().count("\n") for path in modules_of(package)}
    assert counts
    assert {path: count for path, count in counts.items() if count > MOST_OF_MODULE} == {}


def test_long_function_is_found() -> None:
    def function(line_count: int) -> ast.Module:
        body = "".join(f"        x{number} = 1\n" for number in range(line_count - 1))
        return ast.parse(f'class A:\n    async def f(self):\n        """One\n        two."""\n{body}')

    assert list(long_functions(function(MOST))) == []
    assert list(long_functions(function(MOST + 1))) == ["2: f has 41 lines"]
