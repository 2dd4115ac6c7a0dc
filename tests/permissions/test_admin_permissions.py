"""The admin allows each role what tests/permissions/permissions.txt allows, for the rows of each model."""

import itertools
from http import HTTPStatus

import pytest
from django.contrib import admin
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from tests.permissions.own_rows import own_rows as own_rows  # a fixture
from tests.permissions.permission_table import ADMIN_ROLES, model_rows
from tests.whole_site import ROLES, WholeSite, word_of

pytestmark = pytest.mark.django_db

OF_A_ROW = ("change", "delete", "history")


@pytest.fixture
def site(whole_site: WholeSite) -> WholeSite:
    return whole_site


@pytest.fixture
def clients(site: WholeSite) -> dict[str, Client]:
    return site.clients()


def address(row: Model, page: str) -> str:
    of_row = [row.pk] if page in OF_A_ROW else []
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{page}", args=of_row)


def letters_of(client: Client, row: Model) -> str:
    """What the person may do, in the table's letters."""
    answers = {page: client.get(address(row, page)) for page in ("changelist", "add", "change", "delete")}
    is_open = {page: answer.status_code == HTTPStatus.OK for page, answer in answers.items()}
    can_save = is_open["change"] and b'name="_save"' in answers["change"].content
    letters = {
        "l": is_open["changelist"],
        "a": is_open["add"],
        "v": is_open["change"] and not can_save,
        "c": can_save,
        "d": is_open["delete"],
    }
    return "".join(letter for letter, is_allowed in letters.items() if is_allowed) or "-"


def test_admin_table_has_every_model(own_rows: dict[str, Model]) -> None:
    assert set(model_rows()) == {model._meta.label_lower for model in admin.site._registry} == set(own_rows)


@pytest.mark.parametrize("role", ADMIN_ROLES)
def test_admin_allows_each_role_what_the_table_allows(
    own_rows: dict[str, Model], clients: dict[str, Client], role: str
) -> None:
    expected = {label: letters[role] for label, letters in model_rows().items()}
    assert {label: letters_of(clients[role], row) for label, row in own_rows.items()} == expected


def test_rows_of_another_track_are_missing_byte_for_byte(
    own_rows: dict[str, Model], clients: dict[str, Client]
) -> None:
    def content(place: str) -> tuple[int, bytes]:
        answer = clients["stranger"].get(place)
        return answer.status_code, answer.content.replace(place.encode(), b"")

    missing = content("/admin/evaluation/topic/999999999/change/")
    assert missing[0] == HTTPStatus.NOT_FOUND
    for row in own_rows.values():
        for page in OF_A_ROW:
            assert content(address(row, page)) == missing, (row, page)


@pytest.mark.whole
def test_admin_sends_everybody_else_to_the_sign_in_page(
    own_rows: dict[str, Model], clients: dict[str, Client]
) -> None:
    others = [role for role in ROLES if role not in ADMIN_ROLES]
    for (label, row), role in itertools.product(own_rows.items(), others):
        for page in ("changelist", "change"):
            assert word_of(clients[role].get(address(row, page))) == "sign-in", (label, role)
