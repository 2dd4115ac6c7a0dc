"""The Content-Security-Policy of all answers."""

import pytest
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db
POLICY = {
    "default-src 'none'",
    *(f"{kind}-src 'self'" for kind in ("script", "style", "img", "font", "connect", "worker")),
    "form-action 'self' https://orcid.org",  # the sign-in provider of settings_test
    "base-uri 'none'",
    "frame-ancestors 'none'",
}


@pytest.mark.parametrize("address", ["/", "/account/login/", "/live", "/nothing-here", "/%00"])
def test_every_answer_has_the_policy(client: Client, address: str) -> None:
    assert set(client.get(address).headers["Content-Security-Policy"].split("; ")) == POLICY


def test_debug_pages_have_none(settings: Settings) -> None:
    settings.DEBUG = True
    client = Client()
    assert "Content-Security-Policy" not in client.get("/nothing-here").headers
    assert "Content-Security-Policy" in client.get("/").headers
