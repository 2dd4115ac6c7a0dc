"""Every text that people read goes through gettext, and the German catalogue is complete."""

import ast
import re
from pathlib import Path

import polib
import pytest
from django.conf import settings as site_settings

from assessment.surface.texts import TEXTS
from tests.words.pseudo_language import GERMAN

ROOT = Path(site_settings.CODE)
APPS = ("evaluation", "assessment")

# Texts in code

ASSESSORS_CODE = (
    *(f"assessment/{room}" for room in ("judging", "training", "surface")),
    "assessment/quality/screen.py",
    "assessment/quality/actions.py",
    "assessment/quality/adjudication_pages.py",
    "evaluation/platform/access/pages.py",
    "evaluation/platform/access/actions.py",
    "evaluation/platform/access/accounts.py",
    "evaluation/platform/access/limits/rates.py",
)
GETTEXT = {"gettext", "gettext_lazy", "ngettext", "pgettext"}
SENTENCE = re.compile(r"[A-Za-z]{2,}[,.:;]? [a-z]")
SHOWN = {"add_error", "success", "warning", "error", "ValidationError"}


def bare_texts(source: str) -> list[str]:
    """Texts of several words that are raised or shown without gettext."""
    tree = ast.parse(source)
    found = []
    for node in ast.walk(tree):
        is_shown = isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and _name(node) in SHOWN)
        if not is_shown:
            continue
        translated = {
            id(inner)
            for call in ast.walk(node)
            if isinstance(call, ast.Call) and _name(call) in GETTEXT
            for inner in ast.walk(call)
        }
        found += [
            each.value
            for each in ast.walk(node)
            if isinstance(each, ast.Constant)
            and isinstance(each.value, str)
            and id(each) not in translated
            and SENTENCE.search(each.value)
        ]
    return found


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def test_errors_and_messages_to_assessors_go_through_gettext() -> None:
    folders = [ROOT / name for name in ASSESSORS_CODE]
    paths = [path for each in folders for path in ([each] if each.is_file() else sorted(each.glob("*.py")))]
    bare = {str(path.relative_to(ROOT)): bare_texts(path.read_text()) for path in paths}
    assert {path: texts for path, texts in bare.items() if texts} == {}


LITERAL = re.compile(r'"((?:[^"\n\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
PROSE = re.compile(r"\b[A-Z][a-z]+ [a-z]{2,}|[a-z]{3,} [a-z]+ [a-z]{2,}\b")
LOGGED = re.compile(r"new Error\([^)]*\)")


def test_scripts_show_no_texts_that_they_hold() -> None:
    for path in sorted((ROOT / "assessment/static").rglob("*.js")):
        code = LOGGED.sub("", COMMENT.sub("", path.read_text()))
        texts = ["".join(each) for each in LITERAL.findall(code)]
        assert [text for text in texts if PROSE.search(text)] == [], path.name


def test_scripts_use_each_text_and_no_other() -> None:
    code = "\n".join(path.read_text() for path in (ROOT / "assessment/static").rglob("*.js"))
    words = set(re.findall(r'"(\w+)"', code))
    assert set(TEXTS) <= words
    assert set(re.findall(r'\bsay\("(\w+)"', code)) <= set(TEXTS)


# Catalogues

CATALOGUES = sorted((ROOT / "evaluation/locale").glob("*/LC_MESSAGES/django.po"))
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}|<[^>]*>")


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_catalogue_is_complete_and_compiled(path: Path) -> None:
    catalogue = polib.pofile(str(path))
    assert len(catalogue) > 400
    assert [
        entry.msgid for entry in catalogue if entry.fuzzy or entry.obsolete or not entry.translated()
    ] == []
    compiled = polib.mofile(str(path.with_suffix(".mo")))
    assert _contents(catalogue) == _contents(compiled), "make messages"


def _contents(catalogue: polib.POFile | polib.MOFile) -> dict[tuple[str, str], object]:
    return {(entry.msgctxt or "", entry.msgid): entry.msgstr_plural or entry.msgstr for entry in catalogue}


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_translations_keep_placeholders_markup_and_breaks(path: Path) -> None:
    for entry in polib.pofile(str(path)):
        sources = [entry.msgid, *([entry.msgid_plural] * (len(entry.msgstr_plural) - 1))]
        for source, text in zip(sources, entry.msgstr_plural.values() or [entry.msgstr], strict=True):
            assert sorted(PLACEHOLDER.findall(text)) == sorted(PLACEHOLDER.findall(source)), entry.msgid
            assert text.count("\n") == source.count("\n"), entry.msgid
            assert (text[:1] + text[-1:]).isspace() == (source[:1] + source[-1:]).isspace()


def test_languages_of_the_site_have_catalogues() -> None:
    assert {path.parts[-3] for path in CATALOGUES} == {code for code, _ in site_settings.LANGUAGES[1:]}


def test_every_text_of_the_templates_is_in_the_catalogue() -> None:
    """xgettext is no part of Python, so the simple ones are read here; `make messages` reads all."""
    known = {entry.msgid for entry in polib.pofile(str(GERMAN))}
    simple = re.compile(r"\{% translate \"([^\"]+)\"|\{% translate '([^']+)'|_\(\"([^\"]+)\"\)")
    for path in (ROOT / "templates").rglob("*.*"):
        texts = {"".join(each) for each in simple.findall(path.read_text())}
        assert texts <= known, (path, texts - known)
    calls = {
        argument.value
        for app in APPS
        for path in (ROOT / app).rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and _name(call) in GETTEXT
        for argument in call.args
        if isinstance(argument, ast.Constant) and call.args.index(argument) == (_name(call) == "pgettext")
    }
    assert len(calls) > 100
    assert calls <= known, calls - known
