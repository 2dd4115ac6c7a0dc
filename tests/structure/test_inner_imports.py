"""An import inside a function has its reason beside it, or belongs to a group that has one here."""

import ast
from collections.abc import Iterator

from tests.structure.product_modules import ROOT, all_modules, modules, on_one_worker

pytestmark = on_one_worker

SLOW = ("scipy", "torch", "transformers", "openai")
"""Packages that take from 0.1 s to many seconds to load; most processes never use them."""
COMMANDS = "trackside/cli/"  # --help and completion load no numpy, no polars and no HTTP client
READY = "ready"  # of an AppConfig: Django calls it when models can be imported


def unexplained(path: str, text: str, module: ast.Module) -> list[int]:
    """Return the lines of imports inside functions that no comment and no group explains.

    A comment counts if it is on the import or directly above it; one comment can explain imports that follow
    each other.
    """
    lines = text.splitlines()
    found: list[int] = []
    explained = 0  # the last line of an import with a comment
    for function, node in _inner_imports(module):
        own = lines[node.lineno - 1 : node.end_lineno]
        above = lines[node.lineno - 2].strip()
        is_next = node.lineno == explained + 1
        if any("  # " in line for line in own) or above.startswith("#") or is_next:
            explained = node.end_lineno or node.lineno
        elif not (path.startswith(COMMANDS) or function == READY or _packages(node) <= set(SLOW)):
            found.append(node.lineno)
    return found


def _inner_imports(tree: ast.Module) -> Iterator[tuple[str, ast.Import | ast.ImportFrom]]:
    functions = (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
    inner = {
        node.lineno: (function.name, node)
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    return (inner[line] for line in sorted(inner))


def _packages(node: ast.Import | ast.ImportFrom) -> set[str]:
    names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
    return {name.partition(".")[0] for name in names}


def test_imports_inside_functions_have_their_reason() -> None:
    names = {path: str(path.relative_to(ROOT)) for path in modules()}
    found = {
        names[path]: unexplained(names[path], path.read_text(), tree) for path, tree in modules().items()
    }
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_no_module_loads_scipy_when_it_is_imported() -> None:
    """Each process of a site imports every model: scipy would add a third of a second to its start."""
    loading = [
        str(path.relative_to(ROOT))
        for path, tree in all_modules().items()
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom) and "scipy" in _packages(node)
    ]
    assert loading == []
