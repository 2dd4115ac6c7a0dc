"""Fixtures of accounts."""

from collections.abc import Iterator

import pytest
from allauth.socialaccount.providers import registry
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from django.utils.module_loading import import_string
from pytest_django import Settings

from evaluation.config.sign_in_providers import Provider, provider_settings
from tests.evaluation.platform.access.fake_provider import FakeProvider, running_provider


@pytest.fixture
def provider(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    """An OpenID Connect server with which people sign in to this site."""
    with running_provider() as fake:
        client = Provider("openid_connect", "trackside", "a secret", fake.url, "Example University")
        settings.SOCIALACCOUNT_PROVIDERS = provider_settings([client])
        settings.ROOT_URLCONF = "tests.evaluation.platform.access.fake_provider"
        provider_class = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"].get("provider_class")
        registered = import_string(provider_class) if provider_class else OpenIDConnectProvider
        monkeypatch.setitem(registry.provider_map, "openid_connect", registered)
        yield fake
