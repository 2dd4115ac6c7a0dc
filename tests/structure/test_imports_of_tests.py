"""No module imports a module of tests: what tests share is in a module beside them."""

import ast
from collections.abc import Iterator

import pytest

from tests.structure.product_modules import ROOT, modules_of_tests, on_one_worker

pytestmark = on_one_worker


def imported_tests(module: ast.Module) -> Iterator[str]:
    """The modules of tests that a module imports, also inside functions."""
    for node in ast.walk(module):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            package = node.module or ""
            names = [package, *(f"{package}.{each.name}" for each in node.names)]
        yield from filter(is_test, names)


def is_test(name: str) -> bool:
    path = ROOT.joinpath(*name.split(".")).with_suffix(".py")
    return path.name.startswith("test_") and path.is_file()


def test_no_module_imports_a_module_of_tests() -> None:
    trees = modules_of_tests()
    assert trees
    found = {str(path.relative_to(ROOT)): list(imported_tests(tree)) for path, tree in trees.items()}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "text",
    [
        "import tests.structure.test_layers",
        "from tests.structure import test_layers",
        "def f():\n    from tests.structure.test_layers import linted",
    ],
)
def test_import_of_a_module_of_tests_is_found(text: str) -> None:
    assert list(imported_tests(ast.parse(text))) == ["tests.structure.test_layers"]
    assert list(imported_tests(ast.parse(text.replace("test_layers", "product_modules")))) == []
