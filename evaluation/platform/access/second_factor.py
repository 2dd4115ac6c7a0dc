"""The second factor: its secrets are encrypted at rest, and its codes are limited per person and address."""

import base64
from contextlib import suppress
from functools import cache

from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal.ratelimit import RateLimitUsage, consume, get_ip
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import Error
from django.shortcuts import render

from evaluation.platform.access.limits.views import ACTION, count_attempt
from evaluation.platform.access.recovery_codes import HASHES, hash_code

MARK = "fernet:"  # secrets in clear are base32 or hexadecimal, so they never start with it


@cache
def _fernet(key: str) -> Fernet:
    derived = HKDF(SHA256(), length=32, salt=None, info=b"trackside second factor").derive(key.encode())
    return Fernet(base64.urlsafe_b64encode(derived))


def encrypt(text: str) -> str:
    """Encrypt a secret with a key derived from SECRET_KEY, unless it is encrypted."""
    if text.startswith(MARK):
        return text
    return MARK + _fernet(settings.SECRET_KEY).encrypt(text.encode()).decode()


def decrypt(text: str) -> str:
    """Return the secret in clear; as it is stored if SECRET_KEY is another one than at encryption."""
    if not text.startswith(MARK):  # from a backup of a release that stored secrets in clear
        return text
    with suppress(InvalidToken):
        return _fernet(settings.SECRET_KEY).decrypt(text.removeprefix(MARK)).decode()
    return text


def is_readable(text: str) -> bool:
    """Whether a stored secret was encrypted with today's SECRET_KEY, or is in clear."""
    return not decrypt(text).startswith(MARK)


class SecondFactorAdapter(DefaultMFAAdapter):
    """Encrypts the secrets of authenticators."""

    def encrypt(self, text: str) -> str:
        """Return what is stored of a secret."""
        return encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        """Return a stored secret in clear, or answer with a page that says what to do."""
        if not is_readable(encrypted_text):
            raise ImmediateHttpResponse(render(context.request, "mfa/unreadable.html", status=403))
        return decrypt(encrypted_text)


class _CountedCode(BaseAuthenticateForm):
    """Counts wrong codes per person and client address, so that a stranger's do not lock the owner out.

    A higher limit counts the wrong codes of a person from all addresses.
    """

    def clean_code(self) -> str:
        """Return a right code. Raises ValidationError for a wrong one, or above the limits."""
        attempts = self._count()
        try:
            return self._right_code(attempts)
        except Error:  # of the database: the code may have been right
            _forget(attempts)
            raise

    def _right_code(self, attempts: list[RateLimitUsage]) -> str:
        code: str = self.cleaned_data["code"]
        authenticators = list(Authenticator.objects.filter(user=self.user).order_by("-type"))  # TOTP first
        for authenticator in authenticators:
            is_hashed = HASHES in authenticator.data
            if authenticator.wrap().validate_code(hash_code(code, self.user.pk) if is_hashed else code):
                authenticator.user = self.user
                self.authenticator = authenticator
                _forget(attempts)
                return code
        for authenticator in authenticators[:1]:
            self._emit_authentication_failed(authenticator)
        raise SecondFactorAdapter().validation_error("incorrect_code")

    def _count(self) -> list[RateLimitUsage]:
        request, who = context.request, f"person:{self.user.pk}"
        here = consume(request, app="allauth.account", action=ACTION, key=f"code:{who}:{get_ip(request)}")
        everywhere = here and count_attempt(request, "wrong_code", who)
        if not here or not everywhere:
            raise get_adapter().validation_error("too_many_login_attempts")
        return [here, everywhere]


def _forget(attempts: list[RateLimitUsage]) -> None:
    for attempt in attempts:
        attempt.rollback()


class CodeForm(_CountedCode, AuthenticateForm):
    """The code at sign-in."""


class CodeAgainForm(_CountedCode, ReauthenticateForm):
    """The code before a change of the account."""
