"""Tokens: only a hash is stored, and only a usable token signs in."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError, transaction
from django.utils import timezone

from evaluation.access.actions import NewToken, create_token, revoke_token, use_token
from evaluation.models import Scope, Token, User
from tests.factories import make_organizer, make_staff, make_track, make_user

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
