"""The page on which people make and revoke their tokens."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.access.actions import create_token, use_token
from evaluation.models import Scope, Token
from tests.evaluation.access.account_forms import NEW, is_signed_in
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db

CHANGE = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}


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


def test_tokens_and_other_sessions_end_with_a_new_password_and_not_with_a_new_hash(client: Client) -> None:
    person = make_user()
    secrets = [create_token(name=name, scopes=[Scope.READ], days=30, by=person).secret for name in "ab"]
    person.name = "Somebody"
    person.save()
    assert all(use_token(secret=each) for each in secrets)
    # Django rehashes passwords at sign-in: the password is the same.
    person.set_password(PASSWORD)
    vars(person)["_password"] = None
    person.save(update_fields=["password"])
    assert all(use_token(secret=each) for each in secrets)

    elsewhere = Client()
    for session in (client, elsewhere):
        session.force_login(person)
    client.post("/account/password/change/", CHANGE)

    assert (is_signed_in(client), is_signed_in(elsewhere)) == (True, False)
    person.refresh_from_db()
    assert person.check_password(NEW)
    assert not any(use_token(secret=each) for each in secrets)
