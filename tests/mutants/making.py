"""Make the mutants of a module, with the operators of mutmut and two of ours.

mutmut's own runner leaves out functions with a decorator, such as every atomic action, and forks a process
that has run tests. So only its operators are used.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

import libcst as cst
import libcst.matchers as m
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

from tests.mutants.mutant import Mutant

# Not changed: types, decorators, imports, errors, prose (texts with a blank), and facts that hold anyway.
LEFT_OUT = (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom, cst.Raise, cst.Assert, cst.TypeAlias)
TEXTS = m.SimpleStatementLine(body=[m.Expr(m.SimpleString() | m.ConcatenatedString())])
TYPING = m.If(test=m.Name("TYPE_CHECKING"))
DECLARED = m.ClassDef(name=m.Name("Meta"))  # Django's: its content is in the migrations
LENGTHS = re.compile(r", (strict=\w+)?\)")
STRICT = m.Arg(keyword=m.Name("strict"))  # zip's: lengths are equal


@dataclass(frozen=True)
class _Change:
    line: int
    node: cst.CSTNode
    replacement: cst.CSTNode


class _Changes(cst.CSTVisitor):
    """Collects the changes of a module; outside functions only if ``has_constants``."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, *, has_constants: bool) -> None:
        super().__init__()
        self.changes: list[_Change] = []
        self._is_everywhere = has_constants
        self._depth = 0

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Collect the node's changes; do not descend into nodes that are left out."""
        left_out = TEXTS | TYPING | DECLARED | STRICT
        if isinstance(node, LEFT_OUT) or m.matches(node, left_out):
            return False
        if isinstance(node, cst.Parameters) and not self._is_everywhere:
            return False  # defaults are constants
        self._depth += isinstance(node, cst.FunctionDef)
        if self._depth or self._is_everywhere:
            line = self.get_metadata(PositionProvider, node).start.line
            self.changes += [_Change(line, node, changed) for changed in _changed(node)]
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        """Count the functions around."""
        self._depth -= isinstance(original_node, cst.FunctionDef)


def _changed(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    is_prose = isinstance(node, cst.SimpleString) and " " in node.raw_value
    for kind, operator in mutation_operators:
        if isinstance(node, kind) and not is_prose:
            yield from operator(node)
    if isinstance(node, cst.If | cst.IfExp | cst.While | cst.CompIf):
        yield node.with_changes(test=cst.UnaryOperation(cst.Not(), _bracketed(node.test)))
    if isinstance(node, cst.Expr):
        yield cst.Pass()


def _bracketed(test: cst.BaseExpression) -> cst.BaseExpression:
    return test.with_changes(lpar=[cst.LeftParen(), *test.lpar], rpar=[*test.rpar, cst.RightParen()])


def make_mutants(
    module: str, path: Path, *, sample: int | None, seed: int, has_constants: bool
) -> tuple[int, list[Mutant]]:
    """Return how many mutants the module has, and all of them or a sample that depends on the seed."""
    source = path.read_text()
    wrapper = MetadataWrapper(cst.parse_module(source))
    visitor = _Changes(has_constants=has_constants)
    wrapper.visit(visitor)
    chosen: Sequence[_Change] = visitor.changes
    if sample is not None and sample < len(chosen):
        chosen = random.Random(f"{seed} {module}").sample(chosen, sample)
    made = (_mutant(module, path, source, wrapper.module, change) for change in chosen)
    return len(visitor.changes), [mutant for mutant in made if mutant]


def _mutant(module: str, path: Path, source: str, tree: cst.Module, change: _Change) -> Mutant | None:
    """Return the mutant; None if the change breaks the syntax, or only leaves out a check of lengths."""
    changed_tree = tree.deep_replace(change.node, change.replacement)
    assert isinstance(changed_tree, cst.Module)
    changed = changed_tree.code
    try:
        compile(changed, module, "exec")
    except SyntaxError:
        return None
    lines = list(unified_diff(source.splitlines(), changed.splitlines(), lineterm="", n=0))[3:]
    before, after = (
        " ".join(line[1:].strip() for line in lines if line.startswith(sign)) for sign in ("-", "+")
    )
    if LENGTHS.sub(")", before) == LENGTHS.sub(")", after):
        return None
    return Mutant(module, str(path), change.line, before, after, changed)
