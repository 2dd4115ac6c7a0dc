"""Access prepared for somebody else's address ends when its owner proves the address."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.test import Client
from pytest_django import Settings

from evaluation.models import User
from evaluation.platform.access.actions import create_token, use_token
from evaluation.platform.access.tokens import Scope
from tests.evaluation.platform.access.account_forms import NEW, code_in, is_signed_in, the_mail
from tests.evaluation.platform.access.fake_provider import FakeProvider
from tests.factories import make_user

pytestmark = pytest.mark.django_db
VICTIM = "victim@example.org"


def reset_password(client: Client, settings: Settings) -> None:
    client.post("/account/password/reset/", {"email": VICTIM})
    (link,) = re.findall(rf"{re.escape(settings.SITE_URL)}(/account/password/reset/\S+)", the_mail())
    form = client.get(link, follow=True).redirect_chain[-1][0]
    assert client.post(form, {"password1": NEW, "password2": NEW}).status_code == 302


def token_of(person: User) -> str:
    return create_token(name="laptop", scopes=[Scope.READ], days=30, by=person).secret


def test_attacker_s_link_ends_when_the_victim_resets_the_password(
    client: Client, provider: FakeProvider, settings: Settings
) -> None:
    """An earlier release made accounts for unverified addresses, so such links exist."""
    account = User.objects.create_user(VICTIM)
    EmailAddress.objects.create(user=account, email=VICTIM, primary=True)
    SocialAccount.objects.create(user=account, provider="oidc", uid="attacker")
    reset_password(client, settings)
    attacker = Client()
    assert provider.sign_in(attacker, sub="attacker", email=VICTIM, email_verified=False).status_code == 403
    assert not is_signed_in(attacker)
    assert client.login(username=VICTIM, password=NEW)


def test_attacker_s_link_ends_when_the_victim_enters_the_code(client: Client, provider: FakeProvider) -> None:
    account = User.objects.create_user(VICTIM, NEW)
    SocialAccount.objects.create(user=account, provider="oidc", uid="attacker")
    client.post("/account/login/", {"login": VICTIM, "password": NEW})
    client.post("/account/confirm-email/", {"code": code_in(the_mail())})
    assert is_signed_in(client)
    attacker = Client()
    assert provider.sign_in(attacker, sub="attacker").status_code == 403
    assert not is_signed_in(attacker)


def test_sessions_and_tokens_end_when_the_password_is_reset(client: Client, settings: Settings) -> None:
    person = make_user(email=VICTIM)
    attacker, secret = Client(), token_of(person)
    attacker.force_login(person)
    reset_password(client, settings)
    assert not is_signed_in(attacker)
    assert use_token(secret=secret) is None


def test_other_sessions_links_and_tokens_end_when_a_new_address_is_verified(client: Client) -> None:
    person = make_user(email="old@example.org")
    attacker, secret = Client(), token_of(person)
    attacker.force_login(person)
    client.force_login(person)
    SocialAccount.objects.create(user=person, provider="oidc", uid="attacker")
    client.post("/account/email/", {"action_add": "yes", "email": VICTIM})
    assert is_signed_in(attacker)
    client.post("/account/confirm-email/", {"code": code_in(str(mail.outbox[0].body))})
    assert is_signed_in(client)
    assert not is_signed_in(attacker)
    assert use_token(secret=secret) is None
    assert not SocialAccount.objects.exists()


def test_link_made_with_the_account_stays(client: Client, provider: FakeProvider) -> None:
    claims: dict[str, Any] = {"sub": "7", "email": VICTIM, "email_verified": True}
    provider.sign_in(client, **claims)
    client.logout()
    provider.sign_in(client, **claims)
    assert is_signed_in(client)
