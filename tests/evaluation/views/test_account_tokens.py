"""The page on which people make and revoke their tokens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from evaluation.actions.use_token import use_token
from evaluation.models import Token
from tests.factories import make_user

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_secret_is_shown_once_and_can_be_revoked(client: Client) -> None:
    client.force_login(make_user())
    address = reverse("account_tokens")
    answer = client.post(address, {"name": "laptop", "scopes": ["read"], "days": "90"})
    assert "no-store" in answer.headers["Cache-Control"]
    shown = re.search(r"trackside_[\w-]{43}", answer.content.decode())
    assert shown
    assert use_token(secret=shown[0])
    assert shown[0] not in client.get(address).content.decode()
    client.post(reverse("token_revoke", args=[Token.objects.get().pk]))
    assert use_token(secret=shown[0]) is None


def test_token_needs_a_name_and_a_scope(client: Client) -> None:
    client.force_login(make_user())
    for fields in ({"scopes": ["read"], "days": "30"}, {"name": "laptop", "days": "30"}, {"scopes": ["all"]}):
        assert client.post(reverse("account_tokens"), fields).status_code == 200
    assert not Token.objects.exists()
