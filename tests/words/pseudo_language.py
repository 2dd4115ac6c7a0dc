"""A language for tests: every text of the catalogue in Hebrew letters, written from right to left.

Texts that bypass gettext stay in Latin letters, so they can be found. Texts of Django and django-allauth are
in Hebrew.
"""

import re
from pathlib import Path

import polib
from django.conf import settings
from pytest_django import Settings

CODE = "he"
GERMAN = Path(settings.CODE, "evaluation/locale/de/LC_MESSAGES/django.po")
KEPT = re.compile(r"(<[^>]*>|%\(\w+\)s|%%|\{\w+\}|&\w+;)")  # markup and placeholders
ALEPH = ord("א")
LETTERS = 22  # without final forms


def in_pseudo_language(text: str) -> str:
    """Replace each Latin letter by a Hebrew one; markup and placeholders stay."""
    parts = KEPT.split(text)
    parts[::2] = [re.sub(r"[A-Za-z]", _letter, part) for part in parts[::2]]
    return "".join(parts)


def _letter(found: re.Match[str]) -> str:
    return chr(ALEPH + ord(found[0].lower()) % LETTERS)


def add_pseudo_language(settings: Settings, folder: Path) -> None:
    """Give the site the language; compile its catalogue into the folder, with the texts of the German one."""
    catalogue = polib.pofile(str(GERMAN))
    for entry in catalogue:
        entry.msgstr = in_pseudo_language(entry.msgid) if not entry.msgid_plural else ""
        if entry.msgid_plural:
            plural = in_pseudo_language(entry.msgid_plural)
            entry.msgstr_plural = {0: in_pseudo_language(entry.msgid), 1: plural, 2: plural, 3: plural}
    catalogue.metadata |= {
        "Language": CODE,
        "Plural-Forms": "nplurals=4; plural=(n == 1 && n % 1 == 0) ? 0 : (n == 2 && n % 1 == 0) ? 1: "
        "(n % 10 == 0 && n % 1 == 0 && n > 10) ? 2 : 3;",
    }
    compiled = folder / CODE / "LC_MESSAGES" / "django.mo"
    compiled.parent.mkdir(parents=True)
    catalogue.save_as_mofile(str(compiled))
    settings.LANGUAGES = [*settings.LANGUAGES, (CODE, "Pseudo")]
    settings.LOCALE_PATHS = [folder, *settings.LOCALE_PATHS]
