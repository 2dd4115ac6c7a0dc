"""Whatever an identity provider answers, signing in ends in an account or in an error page of ours."""

import copy
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers import registry
from allauth.socialaccount.providers.github.views import GitHubOAuth2Adapter
from allauth.socialaccount.providers.orcid.views import OrcidOAuth2Adapter
from django.db import transaction
from django.test import Client
from django.utils.module_loading import import_string
from pytest_django import Settings

from evaluation.config.sign_in_providers import Provider, provider_settings
from evaluation.models import User
from tests.evaluation.platform.access.fake_provider import ORCID, FakeProvider

pytestmark = pytest.mark.django_db
ADDRESS = "new@example.org"
TOKEN = {"access_token": "a token", "token_type": "Bearer", "expires_in": 60, "orcid": ORCID}
CONFIGURATION = "/.well-known/openid-configuration"
NAME = {"given-names": {"value": "R."}, "family-name": {"value": "Okafor"}}
# What each provider answers by path, as its documentation shows it.
ANSWERS: dict[str, dict[str, Any]] = {
    "github": {
        "/token": TOKEN,
        "/user": {"id": 7, "login": "okafor", "name": "R. Okafor", "email": None},
        "/user/emails": [{"email": ADDRESS, "primary": True, "verified": True}],
    },
    "orcid": {
        "/token": TOKEN,
        f"/{ORCID}/record": {
            "orcid-identifier": {"path": ORCID},
            "person": {"emails": {"email": [{"email": ADDRESS}]}, "name": NAME},
        },
    },
    "oidc/oidc": {
        CONFIGURATION: None,  # the fake provider's own
        "/token": TOKEN,
        "/userinfo": {"sub": "7", "email": ADDRESS, "email_verified": True, "name": "R. Okafor"},
    },
}
BODIES = (
    b"",
    b"<!doctype html><title>Bad gateway</title>",
    b"[" * 100_000,
    b"\xff\xfe",
    b"null",
    b'{"access_token": "a token", "expires_in": "soon"}',
    b'{"access_token": "\xd0\xb4", "orcid": "../x", "id_token": 5, "expires_in": 1e99}',
)
LONG = "x" * 300
VALUES: tuple[Any, ...] = (
    *(None, [], {}, "", "text", 7, True, 1e99, "\0", "\ud800", LONG, f"{LONG}@example.org", [[]]),
)


@pytest.fixture
def providers(provider: FakeProvider, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> FakeProvider:
    """One server that is ORCID, GitHub and a server of OpenID Connect."""
    kinds = [Provider(kind, "trackside", "a secret", provider.url, kind) for kind in ("orcid", "github")]
    settings.SOCIALACCOUNT_PROVIDERS |= provider_settings(kinds)
    github = import_string(settings.SOCIALACCOUNT_PROVIDERS["github"]["provider_class"])
    monkeypatch.setitem(registry.provider_map, "github", github)
    for adapter, profile in ((OrcidOAuth2Adapter, "%s/record"), (GitHubOAuth2Adapter, "user")):
        monkeypatch.setattr(adapter, "access_token_url", f"{provider.url}/token")
        monkeypatch.setattr(adapter, "profile_url", f"{provider.url}/{profile}")
    monkeypatch.setattr(GitHubOAuth2Adapter, "emails_url", f"{provider.url}/user/emails")
    return provider


def usual_answers(providers: FakeProvider, kind: str) -> dict[str, Any]:
    providers.answers = {}
    return {path: answer or providers.answer(path) for path, answer in ANSWERS[kind].items()}


def changed_answers(answer: Any) -> Iterator[Any]:
    """The answer with each part in turn missing or of another value, and then other values instead of it."""
    if isinstance(answer, dict | list):
        for key in range(len(answer)) if isinstance(answer, list) else list(answer):
            for value in changed_answers(answer[key]):
                yield (changed := copy.deepcopy(answer))
                changed[key] = value
            yield (changed := copy.deepcopy(answer))
            del changed[key]
    yield from VALUES


def try_to_sign_in(client: Client, kind: str) -> None:
    """Sign in, and check that an account, if there is one, is of the right person; then undo it."""
    page = f"/account/{kind}/login/"
    client.raise_request_exception = False
    with transaction.atomic():
        answer = client.post(page)
        if answer.status_code == 302:
            (state,) = parse_qs(urlsplit(answer.headers["Location"]).query)["state"]
            answer = client.get(f"{page}callback/", {"code": "a code", "state": state})
        assert answer.status_code in {302, 401, 403}
        people = list(User.objects.values_list("email", flat=True))
        assert people in ([], [ADDRESS])
        uids = list(SocialAccount.objects.values_list("uid", flat=True))
        assert len(uids) == len(people)
        assert not {"None", "", "[]", "{}", "True"}.intersection(uids)
        transaction.set_rollback(True)


@pytest.mark.parametrize(
    ("status", "content_type"), [(200, "text/html"), (200, ""), (500, "application/json")]
)
@pytest.mark.parametrize("kind", ANSWERS)
def test_bodies_of_any_kind(
    client: Client, providers: FakeProvider, kind: str, status: int, content_type: str
) -> None:
    usual = usual_answers(providers, kind)
    providers.status, providers.content_type = status, content_type
    for path in usual:
        for body in BODIES:
            providers.answers = usual | {path: body}
            try_to_sign_in(client, kind)


@pytest.mark.whole
@pytest.mark.parametrize("kind", ANSWERS)
def test_values_of_any_kind(client: Client, providers: FakeProvider, kind: str) -> None:
    usual = usual_answers(providers, kind)
    for path, answer in usual.items():
        for changed in changed_answers(answer):
            providers.answers = usual | {path: changed}
            try_to_sign_in(client, kind)


def test_orcid_s_usual_answer_has_no_address(client: Client, providers: FakeProvider) -> None:
    identifier = {"orcid-identifier": {"path": ORCID}}
    record: dict[str, Any] = identifier | {"person": {"emails": {"email": []}, "name": None}}
    assert providers.sign_in(client, page="/account/orcid/login/", **record).status_code == 403
    assert not User.objects.exists()


def test_github_s_answers_make_an_account(client: Client, providers: FakeProvider) -> None:
    providers.answers = usual_answers(providers, "github")
    providers.sign_in(client, page="/account/github/login/")
    person, account = User.objects.get(), SocialAccount.objects.get()
    assert (person.email, person.name, person.has_verified_address) == (ADDRESS, "R. Okafor", True)
    assert (account.uid, account.user) == ("7", person)
    assert "okafor" in client.get("/account/linked/").content.decode()
