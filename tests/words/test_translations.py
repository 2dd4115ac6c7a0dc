"""Pages are wholly in the reader's language or wholly in English."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import connection
from django.db.models import CharField, JSONField, TextField
from pytest_django import Settings

from evaluation.models import Phase
from tests.addresses.urlconf import routes
from tests.whole_site import WholeSite
from tests.words.pseudo_language import CODE, add_pseudo_language
from trackside.text.roles import heading_of

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

WORD = re.compile(r"[A-Za-z]{2,}")
HEBREW = re.compile(r"[א-ת]")
# Names, units, and keys of the keyboard, the same in each language.
NAMES = {"Trackside", "UTC", "AoE", "Alt", "Esc", "NUL", "Orcid", "org", "English", "Deutsch", "Pseudo"}
SPOKEN = ("alt", "aria-label", "title", "placeholder")
UNREAD = {"script", "style", "code", "pre", "kbd"}
# Pages of assessors and accounts; a route that stops being translated fails the test.
EXPECTED = {
    "account",
    "account_change_password",
    "account_email",
    "account_login",
    "account_reset_password",
    "account_signup",
    "account_tokens",
    "adjudication_content",
    "adjudication_item",
    "invitation_accept",
    "judging_content",
    "judging_item",
    "judging_items",
    "judging_list",
    "language_change",
    "mfa_index",
    "name_change",
    "training",
    "training_content",
    "training_item",
}


class Texts(HTMLParser):
    """The texts of a page that a person reads or hears, and those that its scripts show."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[str] = []
        self._is_of_scripts = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.found += [values[name] for name in SPOKEN if name in values]
        self.found += [
            value for name, value in values.items() if tag == "script" and name.startswith("data-")
        ]
        self._is_of_scripts = values.get("id") == "texts"
        if tag in UNREAD:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open and self._is_of_scripts:
            self.found += json.loads(data).values()
        elif not self._open:
            self.found.append(data)


@pytest.fixture
def pseudo_language(settings: Settings, tmp_path: Path) -> None:
    add_pseudo_language(settings, tmp_path)


def data_texts() -> re.Pattern[str]:
    """A pattern of every text in the database, longest first: names, topics, criteria, comments; no codes."""
    found: set[str] = set()
    tables = connection.introspection.table_names()
    for model in apps.get_models():
        for field in model._meta.concrete_fields if model._meta.db_table in tables else ():
            if isinstance(field, CharField | TextField | JSONField | ArrayField) and not field.choices:
                for value in model._base_manager.values_list(field.name, flat=True):
                    found.update(_texts_in(value))
    return pattern_of(found)


def pattern_of(texts: Iterable[str]) -> re.Pattern[str]:
    """A pattern of these texts as whole words."""
    longest_first = sorted(filter(WORD.search, texts), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield from (value, heading_of(value))  # the name of a field is shown as a heading
    elif isinstance(value, dict):
        yield from (text for each in value.values() for text in _texts_in(each))
    elif isinstance(value, list):
        yield ", ".join(map(str, value))
        yield from (text for each in value for text in _texts_in(each))


def untranslated(html: str, data: re.Pattern[str]) -> list[str]:
    """The texts of a page that hold words in Latin letters, apart from data, names and placeholders."""
    wrong = []
    for text in Texts(html).found:
        rest = data.sub(" ", re.sub(r"\{\w+\}", " ", text))
        if set(WORD.findall(rest)) - NAMES:
            wrong.append(" ".join(text.split()))
    return wrong


def answers(site: WholeSite, role: str) -> Iterator[tuple[str, Answer, str]]:
    """Name, answer and HTML of each page of ours for the role, in every combination of things."""
    client = site.client(role)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = CODE
    for route in routes():
        is_ours = not route.name.startswith(("admin:", "api:")) and "logout" not in route.name
        if not is_ours or not set(route.parameters) <= site.values.keys():
            continue
        for address in route.all_filled(site.values):
            answer = client.get(address)
            html = b"".join(answer)  # to its end, which closes the file it may come from
            if answer.headers.get("Content-Type", "").startswith("text/html"):
                yield route.name, answer, html.decode()


@pytest.mark.django_db
@pytest.mark.whole
@pytest.mark.usefixtures("pseudo_language")
@pytest.mark.parametrize("phase", [Phase.JUDGING, Phase.CLOSED, Phase.RELEASED])
@pytest.mark.parametrize("role", ["signed-out", "visitor", "assessor", "organizer", "staff"])
def test_pages_are_in_one_language(whole_site: WholeSite, role: str, phase: Phase) -> None:
    whole_site.enter(phase)
    data = data_texts()
    wrong: dict[str, list[str]] = {}
    for name, answer, html in answers(whole_site, role):
        if answer.headers.get("Content-Language") == CODE:
            assert f'lang="{CODE}" dir="rtl"' in html or "<html" not in html, name
            faults = untranslated(html, data)
        else:
            assert '<html lang="en"' in html or "<html" not in html, name
            faults = [text for text in Texts(html).found if HEBREW.search(text)]
        if faults:
            wrong.setdefault(name, []).extend(each for each in faults if each not in wrong.get(name, []))
    assert wrong == {}


@pytest.mark.django_db
@pytest.mark.usefixtures("pseudo_language")
def test_pages_of_assessors_and_accounts_are_translated(whole_site: WholeSite) -> None:
    whole_site.enter(Phase.JUDGING)
    found = set()
    for role in ("signed-out", "assessor", "organizer"):
        client = whole_site.client(role)
        client.defaults["HTTP_ACCEPT_LANGUAGE"] = CODE
        for route in routes():
            if route.name in EXPECTED:
                answer = client.get(route.filled(whole_site.first_values))
                if answer.status_code == 200 and answer.headers.get("Content-Language") == CODE:
                    found.add(route.name)
                    assert "Accept-Language" in answer.headers["Vary"]
    assert found == EXPECTED
