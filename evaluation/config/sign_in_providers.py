"""Sign-in providers beside passwords."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable


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


def provider_apps(providers: Iterable[Provider]) -> list[str]:
    """The Django apps that the providers need."""
    return [f"allauth.socialaccount.providers.{provider.kind}" for provider in providers]


def provider_settings(providers: Iterable[Provider]) -> dict[str, Any]:
    """django-allauth's SOCIALACCOUNT_PROVIDERS: one client each."""
    found: dict[str, Any] = {}
    for provider in providers:
        client: dict[str, Any] = {
            "client_id": provider.client_id,
            "secret": provider.secret,
            "name": provider.name,
        }
        if provider.kind == "openid_connect":
            client |= {"provider_id": "oidc", "settings": {"server_url": provider.address}}
        found[provider.kind] = {"APPS": [client]}
    if "github" in found:
        found["github"]["SCOPE"] = ["user:email"]  # GitHub then says which addresses it has verified
    return found
