"""Templates, scripts and error messages avoid words that mislead readers; apostrophes are straight."""

import ast
import re
from collections.abc import Callable, Iterator

import pytest

from tests.structure.product_modules import PACKAGES, ROOT, all_modules, on_one_worker

pytestmark = on_one_worker

# What to write instead: show, name, report, reload, dismiss, store, a person who, again, separate.
UNPLAIN = re.compile(
    r"\b(?<!be )told\b|\b(?:tells|hears?|whoever|anew|desks?|shelf|shelves|put away|grown old|look again|"
    r"takes? up|taken up|leave this mail|of (?:its|their|our|your) own)\b|\bstands?\b(?! for| in for)",
    re.IGNORECASE,
)
MARKUP = re.compile(r"<[^<>]*>|\{[%{#].*?[%}#]\}", re.DOTALL)
LITERAL = re.compile(r'"([^"\n]+)"|`([^`]+)`')


def page_texts() -> Iterator[tuple[str, str]]:
    """Path and text of each template, mails included."""
    for path in sorted((ROOT / "templates").rglob("*.*")):
        if path.suffix in {".html", ".txt"}:
            yield str(path.relative_to(ROOT)), MARKUP.sub(" ", path.read_text())


def script_texts() -> Iterator[tuple[str, str]]:
    """Path and texts of each script: literals of several words."""
    for package in PACKAGES:
        for path in sorted((ROOT / package / "static").rglob("*.js")):
            found = ("".join(each.groups(default="")) for each in LITERAL.finditer(path.read_text()))
            yield str(path.relative_to(ROOT)), "\n".join(text for text in found if " " in text)


def error_messages() -> Iterator[tuple[str, str]]:
    """Path and texts of each module's raised errors."""
    for path, tree in all_modules().items():
        raised = (each for each in ast.walk(tree) if isinstance(each, ast.Raise))
        nodes = (node for each in raised for node in ast.walk(each))
        texts = (node.value for node in nodes if isinstance(node, ast.Constant))
        yield str(path.relative_to(ROOT)), "\n".join(text for text in texts if isinstance(text, str))


@pytest.mark.parametrize("texts", [page_texts, script_texts, error_messages])
def test_texts_use_plain_words(texts: Callable[[], Iterator[tuple[str, str]]]) -> None:
    found = dict(texts())
    assert sum(map(bool, found.values())) > 10
    unplain = {path: UNPLAIN.findall(text) for path, text in found.items()}
    assert {path: words for path, words in unplain.items() if words} == {}


def test_apostrophes_are_straight() -> None:
    paths = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    paths += [path for path in (ROOT / "templates").rglob("*.*") if path.is_file()]
    assert [str(path) for path in paths if "\u2019" in path.read_text()] == []
