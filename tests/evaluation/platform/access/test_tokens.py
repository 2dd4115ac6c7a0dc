"""Tokens: people make and revoke them, only a hash is stored, and only a usable token signs in."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evaluation.models import Scope, Token, User
from evaluation.platform.access.actions import NewToken, create_token, revoke_token, use_token
from tests.evaluation.platform.access.account_forms import NEW, is_signed_in
from tests.factories import PASSWORD, make_organizer, make_staff, make_track, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> User:
    return make_user()


@pytest.fixture
def made(person: User) -> NewToken:
    return create_token(name="laptop", scopes=[Scope.READ, Scope.SUBMIT], days=30, by=person)


def test_create_token_keeps_a_hash_and_how_it_begins(made: NewToken, person: User) -> None:
    (row,) = Token.objects.values()
    assert made.secret not in str(row)
    assert len(made.secret) - len(row["prefix"]) > 30
    assert made.secret.startswith(row["prefix"])
    assert (row["user_id"], row["scopes"]) == (person.pk, ["read", "submit"])
    assert row["expires_at"] - row["created_at"] == timedelta(days=30)


def test_use_token_finds_the_person_and_stores_the_time(made: NewToken, person: User) -> None:
    found = use_token(secret=made.secret)
    assert found
    assert found.user == person
    first = Token.objects.get().used_at
    assert first
    use_token(secret=made.secret)
    assert Token.objects.get().used_at == first  # a write a minute is enough
    Token.objects.update(used_at=first - timedelta(minutes=2))
    use_token(secret=made.secret)
    again = Token.objects.get().used_at
    assert again
    assert again > first
    assert [use_token(secret=secret) for secret in ("", made.secret[:-1], made.token.sha256)] == [None] * 3
    person.is_active = False
    person.save()
    assert use_token(secret=made.secret) is None


def test_revoked_token_is_useless_for_good(made: NewToken, person: User) -> None:
    revoke_token(token=made.token, by=make_user())
    assert use_token(secret=made.secret)
    revoke_token(token=made.token, by=person)
    assert use_token(secret=made.secret) is None
    with pytest.raises(DatabaseError), transaction.atomic():
        Token.objects.update(revoked_at=None)
    revoked_at = Token.objects.get().revoked_at
    person.set_password("a brand new passphrase")
    person.save()
    assert Token.objects.get().revoked_at == revoked_at


def test_token_expires_by_the_database_clock(person: User) -> None:
    made = create_token(name="brief", scopes=[Scope.READ], days=0, by=person)
    assert made.token.expires_at < timezone.now() + timedelta(minutes=1)
    assert use_token(secret=made.secret) is None


def test_tokens_are_seen_by_their_person_and_the_staff(made: NewToken, person: User) -> None:
    for reader in (person, make_staff()):
        assert list(Token.objects.visible_to(reader)) == [made.token]
    for other in (make_user(), make_organizer(make_track()), AnonymousUser()):
        assert not Token.objects.visible_to(other).exists()


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
