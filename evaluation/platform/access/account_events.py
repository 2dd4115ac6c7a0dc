"""What follows from events of accounts: access from before a proof of the address ends, and the log."""

import logging
from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed, password_changed, password_reset, password_set
from allauth.core.internal.ratelimit import get_ip
from allauth.mfa.signals import authentication_failed, authenticator_added, authenticator_removed
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.signals import social_account_added, social_account_removed
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models.functions import Now
from django.dispatch import Signal, receiver
from django.http import HttpRequest

from evaluation.platform.access.people import User
from evaluation.platform.access.tokens import Token
from trackside.log_context import bound

log = logging.getLogger("evaluation.access.account_events")


@transaction.atomic
def end_earlier_access(person: User) -> None:
    """Delete the person's links to providers and revoke the tokens.

    Somebody may have made them before the owner of the address proved it. Sessions end by themselves, because
    their hash covers password and address.
    """
    SocialAccount.objects.filter(user=person).delete()
    Token.objects.of(person).filter(revoked_at__isnull=True).update(revoked_at=Now())


@receiver(email_confirmed)
def end_access_from_before_the_address(
    request: HttpRequest, email_address: EmailAddress, **_values: Any
) -> None:
    """End earlier access, but not the session that has verified the address."""
    end_earlier_access(email_address.user)
    if request.user == email_address.user:
        update_session_auth_hash(request, email_address.user)
    _write(request, "address verified", email_address.user)


@receiver(password_reset)
def end_access_from_before_the_password(request: HttpRequest, user: User, **_values: Any) -> None:
    """End earlier access: whoever resets a password has read the mail with the link."""
    end_earlier_access(user)
    _write(request, "password reset", user)


@receiver(user_login_failed)
def write_failed_sign_in(
    credentials: dict[str, Any], request: HttpRequest | None = None, **_values: Any
) -> None:
    """Log a wrong password, with the account but never with the typed text, which can be a password."""
    address = str(credentials.get("email") or credentials.get("username") or "")
    person = None if "\0" in address else User.objects.filter(email__iexact=address).first()
    _write(request, "sign-in failed", person, level=logging.WARNING)


@receiver(authentication_failed)
def write_failed_code(request: HttpRequest, user: User, **_values: Any) -> None:
    """Log a wrong code of the second factor."""
    _write(request, "second factor failed", user, level=logging.WARNING)


def _write(request: HttpRequest | None, kind: str, person: User | None, level: int = logging.INFO) -> None:
    with bound(person=person.pk if person else "unknown", client=_client(request)):
        log.log(level, kind)


def _client(request: HttpRequest | None) -> str:
    try:
        return get_ip(request) if request else "none"
    except (
        PermissionDenied
    ):  # no address, as behind a misconfigured proxy; a log line must not stop a sign-in
        return "unknown"


def _write_each(signal: Signal, kind: str) -> None:
    """Log each event of the signal, which names the person as ``user``, or by the link to a provider."""

    def write(request: HttpRequest | None, **values: Any) -> None:
        link = values.get("sociallogin") or values.get("socialaccount")
        person = values.get("user") or (link.user if link else None)
        if person:  # nobody was signed in
            _write(request, kind, person)

    signal.connect(write, weak=False, dispatch_uid=f"log: {kind}")


for event, name in {
    user_logged_in: "signed in",
    user_logged_out: "signed out",
    password_changed: "password changed",
    password_set: "password set",
    authenticator_added: "second factor added",
    authenticator_removed: "second factor removed",
    social_account_added: "provider linked",
    social_account_removed: "provider unlinked",
}.items():
    _write_each(event, name)
