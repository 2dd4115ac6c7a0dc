"""Sign-in through identity providers: which claims count, and who gets an account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount import app_settings
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from django.shortcuts import render

if TYPE_CHECKING:
    from allauth.socialaccount.models import SocialLogin
    from django.http import HttpRequest

    from evaluation.access.people import User

# The other claims are neither used nor stored.
TEXT_CLAIMS = ("email", "name", "given_name", "family_name", "preferred_username")


class LinkedAccountAdapter(DefaultSocialAccountAdapter):
    """Accounts created through an identity provider, and accounts linked to one."""

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Create an account only with an address that the provider has verified; explain what else to do.

        Otherwise a stranger could prepare an account with the address of somebody who joins later.
        """
        if sociallogin.is_existing or sociallogin.state.get("process") == AuthProcess.CONNECT:
            return
        verified = [address for address in sociallogin.email_addresses if address.verified]
        if not verified:
            context = {"provider": sociallogin.provider}
            raise ImmediateHttpResponse(render(request, "socialaccount/no_address.html", context, status=403))
        sociallogin.email_addresses = verified[:1]  # an account has one address; the provider's primary first
        sociallogin.user.email = verified[0].email

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        """Copy the provider's name, cut to 120 characters; django-allauth handles the addresses."""
        user: User = super().populate_user(request, sociallogin, data)
        parts = (data.get("first_name"), data.get("last_name"))
        user.name = (data.get("name") or " ".join(filter(None, parts)))[:120]
        return user


class CheckedOpenIDConnect(OpenIDConnectProvider):
    """OpenID Connect with checked claims: some servers send texts for booleans, or null, or no subject."""

    package = OpenIDConnectProvider.get_package()  # where django-allauth looks for the provider's URLs

    def sociallogin_from_response(self, request: HttpRequest, response: dict[str, Any]) -> SocialLogin:
        """Return the sign-in that the claims describe. Raises OAuth2Error, which becomes an error page."""
        sources = [response[name] for name in ("userinfo", "id_token") if response.get(name)]
        subjects = {_subject(claims) for claims in sources}
        if len(subjects) != 1:  # OpenID Connect Core, 5.3.2: claims about somebody else must not be used
            raise OAuth2Error(
                "The ID token and the user's claims are about different subjects, or are missing."
            )
        return super().sociallogin_from_response(request, _checked(sources[0]) | {"sub": subjects.pop()})


def _subject(claims: Any) -> str:
    """Return the identifier of the person at the provider."""
    subject = claims.get("sub") if isinstance(claims, dict) else None
    text = str(subject) if isinstance(subject, str | int) and not isinstance(subject, bool) else ""
    if not 0 < len(text) <= app_settings.UID_MAX_LENGTH or "\0" in text:
        raise OAuth2Error(f'The claim "sub" must be a text of 1 to {app_settings.UID_MAX_LENGTH} characters.')
    return text


def _checked(claims: dict[str, Any]) -> dict[str, Any]:
    """Return the claims that this site uses; those of a wrong type are left out."""
    texts = {name: claims.get(name) for name in TEXT_CLAIMS}
    found = {name: text for name, text in texts.items() if isinstance(text, str) and "\0" not in text}
    return found | {"email_verified": str(claims.get("email_verified")).lower() == "true"}
