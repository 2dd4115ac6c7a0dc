"""Sign-in through identity providers: which claims count, and who gets an account."""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount import app_settings
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.github.provider import GitHubProvider
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import URLPattern, URLResolver
from requests import RequestException

from evaluation.platform.access.people import User
from trackside.imports.faults import printable

# The other claims are neither used nor stored.
TEXT_CLAIMS = ("email", "name", "given_name", "family_name", "preferred_username")


class LinkedAccountAdapter(DefaultSocialAccountAdapter):
    """Accounts created through an identity provider, and accounts linked to one."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """Also on a site without mail: the provider has verified the address."""
        return True

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Create an account only with an address that the provider has verified; explain what else to do.

        Otherwise a stranger could prepare an account with the address of somebody who joins later.
        """
        if sociallogin.is_existing or sociallogin.state.get("process") == AuthProcess.CONNECT:
            return
        verified = [address for address in sociallogin.email_addresses if address.verified is True]
        if not verified:
            context = {"provider": sociallogin.provider}
            raise ImmediateHttpResponse(render(request, "socialaccount/no_address.html", context, status=403))
        sociallogin.email_addresses = verified[:1]  # an account has one address; the provider's primary first
        sociallogin.user.email = verified[0].email

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        """Copy the provider's name, cut to 120 characters; django-allauth handles the addresses.

        Only texts are used, and no others are stored.
        """
        texts = {name: text for name, text in data.items() if _is_text(text)}
        sociallogin.account.extra_data = texts
        user: User = super().populate_user(request, sociallogin, texts)
        parts = (texts.get("first_name"), texts.get("last_name"))
        user.name = (texts.get("name") or " ".join(filter(None, parts)))[:120]
        return user


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and printable(value) == value


# What asking a provider and reading its answer raise if it is down, or if parts are missing or wrong.
UNREADABLE = (
    *(ArithmeticError, AttributeError, LookupError, RecursionError, RequestException, TypeError, ValueError),
    ImproperlyConfigured,  # an identifier that is too long
)
log = logging.getLogger(__name__)


def guarded(patterns: list[URLPattern | URLResolver]) -> list[URLPattern | URLResolver]:
    """Return the URLs of providers, whose views answer with an error page if they cannot read an answer."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            guarded(pattern.url_patterns)
        else:
            pattern.callback = _guard(pattern.callback)
    return patterns


def _guard(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    @wraps(view)
    def guarded_view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except UNREADABLE:
            log.exception("The answer of a sign-in provider cannot be read: %s", request.path)
            page: HttpResponseBase = render_authentication_error(request, None)
            return page

    return guarded_view


class CheckedGitHub(GitHubProvider):
    """GitHub with a checked id: django-allauth would take the text "None" for that of all who have none."""

    package = GitHubProvider.get_package()  # where django-allauth looks for the provider's URLs

    def extract_uid(self, data: dict[str, Any]) -> str:
        """Return the number of the account. Raises TypeError."""
        if type(data["id"]) is not int:
            raise TypeError("The id of an account at GitHub is a whole number.")
        return str(data["id"])


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
    known = {name: text for name, text in texts.items() if _is_text(text)}
    return known | {"email_verified": str(claims.get("email_verified")).lower() == "true"}
