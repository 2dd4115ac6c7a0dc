"""Product code uses all that the cores define; code that only tests use belongs in the tests."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.structure.product_modules import ROOT, modules, on_one_worker

pytestmark = on_one_worker

CORES = ("trackside.", "assessment.core.")
LIBRARY = (
    "trackside",
    "trackside.conversions",
    "trackside.library",
    "trackside.plugins",
)  # called by other people's programs
SANDBOX_JOB = ("prepare", "run")  # the sandbox imports its jobs by name and calls these

OBJECT = re.compile(r"([\w.]+):(\w+)")  # loaded by its name, such as a backend

Trees: TypeAlias = "Mapping[str, ast.Module]"
Definition: TypeAlias = ast.FunctionDef | ast.ClassDef


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    return {module_name(path): tree for path, tree in modules().items()}


@pytest.fixture(scope="module")
def template_words() -> set[str]:
    texts = (path.read_text() for path in (ROOT / "templates").rglob("*") if path.is_file())
    return {word for text in texts for word in re.findall(r"\w+", text)}


def unused_definitions(trees: Trees) -> list[str]:
    """Public functions and classes of the cores that no other code of the product names."""
    uses = {use for module, tree in trees.items() for use in _imported(module, tree, trees)}
    uses |= {source for exported, source in _exports(trees) if exported in uses}
    return [
        f"{module}.{each.name}"
        for module, tree in trees.items()
        if module.startswith(CORES) and not _is_public(module)
        for each in _public(tree)
        if (module, each.name) not in uses
        and _names(tree)[each.name] == _names(each)[each.name]
        and not (each.name in SANDBOX_JOB and "SandboxJob" in _names(tree))
    ]


def unused_methods(trees: Trees, template_words: set[str]) -> list[str]:
    """Public methods of the cores' classes, except the library's, that no product code or template names."""
    named: Counter[str] = Counter()
    for tree in trees.values():
        named.update(_names(tree))
    library = (tree for module, tree in trees.items() if _is_public(module))
    exported = {alias.name for tree in library for node in ast.walk(tree) for alias in _aliases(node)}
    return [
        f"{module}.{owner.name}.{each.name}"
        for module, tree in trees.items()
        if module.startswith(CORES)
        for owner in _public(tree)
        if isinstance(owner, ast.ClassDef) and owner.name not in exported
        for each in _public(owner)
        if named[each.name] == _names(each)[each.name] and each.name not in template_words
    ]


def _is_public(module: str) -> bool:
    return module in LIBRARY or module.startswith(
        (
            "trackside.library.",
            "trackside.cli.",
            "trackside.auditing.command",
            "trackside.grading.command",
            "trackside.grading.probe_command",
            "trackside.retrieval.command",
        )
    )


def _public(node: ast.Module | ast.ClassDef) -> Iterator[Definition]:
    for each in node.body:
        if isinstance(each, ast.FunctionDef | ast.ClassDef) and not each.name.startswith("_"):
            yield each


def _names(node: ast.AST) -> Counter[str]:
    """How often the code under the node names each thing; the definitions themselves are not counted."""
    nodes = list(ast.walk(node))
    return Counter(each.id for each in nodes if isinstance(each, ast.Name)) + Counter(
        each.attr for each in nodes if isinstance(each, ast.Attribute)
    )


def _aliases(node: ast.AST) -> list[ast.alias]:
    return node.names if isinstance(node, ast.ImportFrom) else []


def _imported(module: str, tree: ast.Module, trees: Trees) -> Iterator[tuple[str, str]]:
    """Yield (module, name) of what a module imports or names; a package's re-export is no use."""
    is_package = any(other.startswith(f"{module}.") for other in trees)
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        for alias in _aliases(node):
            assert isinstance(node, ast.ImportFrom)
            if not is_package or module in LIBRARY:
                yield str(node.module), alias.name
            if (inner := f"{node.module}.{alias.name}") in trees:
                modules[alias.asname or alias.name] = inner
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield modules[node.value.id], node.attr
        if isinstance(node, ast.Constant) and (named := OBJECT.fullmatch(str(node.value))):
            yield named[1], named[2]


def _exports(trees: Trees) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Names that a package takes from its modules: (package, name), and (module, name) of the definition."""
    for module, tree in trees.items():
        for node in ast.walk(tree):
            for alias in _aliases(node):
                assert isinstance(node, ast.ImportFrom)
                yield (module, alias.asname or alias.name), (str(node.module), alias.name)


def test_product_code_uses_what_the_cores_define(trees: Trees) -> None:
    assert unused_definitions(trees) == []


def test_product_code_uses_the_methods_of_the_cores(trees: Trees, template_words: set[str]) -> None:
    assert unused_methods(trees, template_words) == []
