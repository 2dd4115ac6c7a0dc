"""Sign-in through an identity provider: no account before a verified address, and no claim answers 500."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.test import Client

from evaluation.models import User
from tests.evaluation.platform.access.account_forms import is_signed_in
from tests.evaluation.platform.access.fake_provider import FakeProvider
from tests.factories import make_user

pytestmark = pytest.mark.django_db
ADDRESS = "new@example.org"


@pytest.mark.parametrize("is_verified", [True, "true"], ids=["boolean", "text"])
def test_verified_address_makes_an_account(client: Client, provider: FakeProvider, is_verified: Any) -> None:
    answer = provider.sign_in(client, sub="7", email=ADDRESS, email_verified=is_verified, name="R. Okafor")
    assert answer.status_code == 302
    assert is_signed_in(client)
    person = User.objects.get()
    assert (person.email, person.name, person.has_verified_address) == (ADDRESS, "R. Okafor", True)


@pytest.mark.parametrize(
    "claims",
    [
        {"email": ADDRESS, "email_verified": False},
        {"email": ADDRESS, "email_verified": "false"},
        {"email": ADDRESS, "email_verified": 1},
        {"email": ADDRESS, "email_verified": ["true"]},
        {"email": ADDRESS},
        {"email": "not an address", "email_verified": True},
        {"email": None, "email_verified": True},
        {"email": ["a@example.org"], "email_verified": True},
        {},
    ],
    ids=str,
)
def test_no_account_without_a_verified_address(
    client: Client, provider: FakeProvider, claims: dict[str, Any]
) -> None:
    answer = provider.sign_in(client, sub="7", name="R. Okafor", **claims)
    assert answer.status_code == 403
    assert "/account/signup/" in answer.content.decode()
    assert client.get("/account/linked/signup/").status_code == 302  # nothing waits to be completed
    assert not is_signed_in(client)
    assert not User.objects.exists()
    assert mail.outbox == []


@pytest.mark.parametrize(
    "claims",
    [{}, {"sub": None}, {"sub": ""}, {"sub": {"a": 1}}, {"sub": True}, {"sub": "7\0"}, {"sub": "7" * 300}],
    ids=lambda claims: str(claims)[:40],
)
def test_claims_without_a_usable_identity_are_refused(
    client: Client, provider: FakeProvider, claims: dict[str, Any]
) -> None:
    make_user(email="somebody@example.org")
    assert provider.sign_in_with(client, ["sub", "7"]).status_code == 401  # no object
    answer = provider.sign_in(client, email=ADDRESS, email_verified=True, **claims)
    assert answer.status_code == 401
    assert "Try again" in answer.content.decode()
    assert User.objects.count() == 1


def test_names_of_other_types_are_left_out(client: Client, provider: FakeProvider) -> None:
    claims: dict[str, Any] = {
        "picture": "\0",
        "name": ["R."],
        "given_name": 5,
        "family_name": {"a": 1},
        "preferred_username": 7,
    }
    provider.sign_in(client, sub=7, email=ADDRESS, email_verified=True, **claims)
    assert User.objects.get().name == ""


@pytest.mark.parametrize("is_known_verified", [True, False])
def test_address_of_somebody_else_s_account_signs_nobody_in(
    client: Client, provider: FakeProvider, *, is_known_verified: bool
) -> None:
    person = make_user(email=ADDRESS)
    EmailAddress.objects.filter(user=person).update(verified=is_known_verified)
    answer = provider.sign_in(client, sub="7", email=ADDRESS, email_verified=True)
    assert answer.status_code == 302
    assert not is_signed_in(client)
    assert not SocialAccount.objects.exists()
    (message,) = mail.outbox
    assert message.to == [ADDRESS]


def test_linked_account_signs_in_whatever_its_address(client: Client, provider: FakeProvider) -> None:
    client.force_login(make_user(email="me@example.org"))
    provider.sign_in(client, process="connect", sub="7")
    client.logout()
    provider.sign_in(client, sub="7", email=ADDRESS, email_verified=False)
    assert "me@example.org" in client.get("/account/").content.decode()


def test_account_linked_by_somebody_else_stays_theirs(client: Client, provider: FakeProvider) -> None:
    SocialAccount.objects.create(user=make_user(), provider="oidc", uid="7")
    client.force_login(person := make_user())
    assert provider.sign_in(client, process="connect", sub="7").status_code == 302
    assert not SocialAccount.objects.filter(user=person).exists()
