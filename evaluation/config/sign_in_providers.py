"""Sign-in providers that people may use instead of a password."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from evaluation.config.environment import Environment


@dataclass(frozen=True)
class Provider:
    """A sign-in provider: its kind in django-allauth, the client id and secret, and its address."""

    kind: str
    client_id: str
    secret: str
    address: str
    name: str

    @property
    def origin(self) -> str:
        """Scheme and host, for the Content-Security-Policy."""
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"


def enabled_providers(env: Environment) -> list[Provider]:
    """Return the providers whose client id is set."""
    providers = (
        Provider(
            "openid_connect",
            client_id=env.text("OIDC_CLIENT_ID"),
            secret=env.text("OIDC_CLIENT_SECRET"),
            address=env.text("OIDC_SERVER_URL"),
            name=env.text("OIDC_NAME", "your organization"),
        ),
        Provider(
            "orcid",
            client_id=env.text("ORCID_CLIENT_ID"),
            secret=env.text("ORCID_CLIENT_SECRET"),
            address="https://orcid.org",
            name="ORCID",
        ),
        Provider(
            "github",
            client_id=env.text("GITHUB_CLIENT_ID"),
            secret=env.text("GITHUB_CLIENT_SECRET"),
            address="https://github.com",
            name="GitHub",
        ),
    )
    return [provider for provider in providers if provider.client_id]


def provider_apps(providers: Iterable[Provider]) -> list[str]:
    """Return the Django apps that the providers need."""
    return [f"allauth.socialaccount.providers.{provider.kind}" for provider in providers]


def provider_settings(providers: Iterable[Provider]) -> dict[str, Any]:
    """Return django-allauth's SOCIALACCOUNT_PROVIDERS, with one client per provider."""
    kinds: dict[str, Any] = {}
    for provider in providers:
        client: dict[str, Any] = {
            "client_id": provider.client_id,
            "secret": provider.secret,
            "name": provider.name,
        }
        if provider.kind == "openid_connect":
            client |= {"provider_id": "oidc", "settings": {"server_url": provider.address}}
        kinds[provider.kind] = {"APPS": [client]}
    if "openid_connect" in kinds:
        kinds["openid_connect"]["provider_class"] = (
            "evaluation.platform.access.linked_accounts.CheckedOpenIDConnect"
        )
    if "github" in kinds:
        kinds["github"]["provider_class"] = "evaluation.platform.access.linked_accounts.CheckedGitHub"
        kinds["github"]["SCOPE"] = ["user:email"]  # with it GitHub reports which addresses are verified
    return kinds
