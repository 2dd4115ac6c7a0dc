"""Public classes of the product have unique names."""

import ast
from collections import defaultdict

from tests.structure.product_modules import ROOT, modules, on_one_worker

pytestmark = on_one_worker

TWINS: dict[str, tuple[str, ...]] = {
    "Command": ("evaluation/config/management/commands/",),  # Django finds the class by this name
    "Qrels": ("evaluation/qrels/", "trackside/files/"),  # the table of sets, and a set as a file has it
}
"""Names that several classes have, with the folders of all of them."""


def public_classes() -> dict[str, list[str]]:
    """Return the paths in which a class of each name is defined at the top of a module."""
    found = defaultdict(list)
    for path, tree in modules().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(path.relative_to(ROOT)))
    return found


def test_class_names_have_one_meaning() -> None:
    found = public_classes()
    assert len(found) > 500
    assert {
        name: paths
        for name, paths in found.items()
        if len(paths) > 1 and not all(path.startswith(TWINS.get(name, ("nowhere",))) for path in paths)
    } == {}


def test_allowed_twins_exist() -> None:
    found = public_classes()
    assert [name for name in TWINS if len(found[name]) < 2] == []
