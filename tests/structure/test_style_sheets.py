"""Every class and id in a style sheet is set by a template, a script or Python code."""

import ast
import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.ROOT)
APPS = ("evaluation", "assessment", "judges")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SELECTORS = re.compile(r"([^{};]*)\{")
NOT_A_NAME = re.compile(r"url\([^)]*\)|\"[^\"]*\"|@[\w-]+[^{]*")
NAME = re.compile(r"[.#](-?[A-Za-z_][\w-]*)")
GIVEN = re.compile(r"\b(?:class|id)=(?:\"([^\"]*)\"|'([^']*)')")  # by templates
QUOTED = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`]*)`")  # by scripts
GIVEN_TO_TABLES = re.compile(r"\b(?:css|frame)=\"([^\"]*)\"")  # {% table … css="pin cards" %}
TAG = re.compile(r"\{%.*?%\}", re.DOTALL)
WORD = re.compile(r"-?[A-Za-z_][\w-]*")
BEGUN = re.compile(r"(?<![\w-])([A-Za-z_][\w-]*)(?:\{\{|\$\{)")  # g{{ part.tone }}
DRAWING = (
    "trackside/figures",
    "trackside/reporting/views",
    "evaluation/templatetags",
    "evaluation/organizing/setup",
    "evaluation/results/reports",
)  # modules that write markup
DJANGO_ADMIN = {"breadcrumbs"}  # its own templates


def styled(text: str) -> set[str]:
    """The classes and ids of a style sheet's selectors."""
    selectors = SELECTORS.findall(COMMENT.sub("", text))
    return {name for selector in selectors for name in NAME.findall(NOT_A_NAME.sub("", selector))}


def unused(names: set[str], texts: list[tuple[str, str]]) -> list[str]:
    """The names that no text quotes, in full or as the prefix of a composed name."""
    quoted = [part for suffix, text in texts for part in _quoted(suffix, text)]
    words = {word for part in quoted for word in WORD.findall(part)}
    begun = {begin for part in quoted for begin in BEGUN.findall(part)}
    return sorted(
        name
        for name in names - words - DJANGO_ADMIN
        if not any(name.startswith(begin) and _is_completed(name[len(begin) :], words) for begin in begun)
    )


def _is_completed(rest: str, words: set[str]) -> bool:
    return rest.isdigit() or rest in words


def _quoted(suffix: str, text: str) -> list[str]:
    """Where a text may name classes: attributes of a template, strings of a script or of Python code."""
    if suffix == ".html":
        return ["".join(parts) for parts in GIVEN.findall(TAG.sub(_without_quotes, text))]
    if suffix == ".js":
        return ["".join(parts) for parts in QUOTED.findall(text)]
    nodes = list(ast.walk(ast.parse(text)))
    docs = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    return [str(node.value) for node in nodes if isinstance(node, ast.Constant) and id(node) not in docs]


def _without_quotes(tag: re.Match[str]) -> str:
    given = "".join(f'class="{words}"' for words in GIVEN_TO_TABLES.findall(tag[0]))
    return given or re.sub(r"\b(class|id)=|[\"']", " ", tag[0])


@pytest.fixture(scope="module")
def texts() -> list[tuple[str, str]]:
    folders = [
        ROOT / "templates",
        *(ROOT / app / "static" for app in APPS),
        *(ROOT / name for name in DRAWING),
    ]
    paths = (path for folder in folders for path in folder.rglob("*"))
    return [(path.suffix, path.read_text()) for path in paths if path.suffix in {".html", ".js", ".py"}]


SHEETS = sorted(path for app in APPS for path in (ROOT / app).glob("static/**/*.css"))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_names_of_style_sheets_are_used(sheet: Path, texts: list[tuple[str, str]]) -> None:
    assert unused(styled(sheet.read_text()), texts) == []
