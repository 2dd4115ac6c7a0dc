"""Actions on a person's own account, and authentication by token."""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext

from evaluation.platform.access.people import User
from evaluation.platform.access.tokens import Scope, Token
from trackside.errors import InputError

KIND = "trackside_"  # prefix by which people and secret scanners recognize a token
PREFIX_LENGTH = len(KIND) + 6


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token with its secret, which is not stored and can be shown only once."""

    token: Token
    secret: str


@transaction.atomic
def create_token(*, name: str, scopes: Collection[Scope], days: int, by: User) -> NewToken:
    """Create a token that expires in ``days`` days, by the database clock. Raises too-many-tokens."""
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    if Token.objects.of(by).usable().count() >= settings.MAX_TOKENS:
        problem = gettext("You have {count} tokens in use. Revoke one that you do not need.")
        raise InputError(problem.format(count=settings.MAX_TOKENS), code="too-many-tokens")
    secret = KIND + secrets.token_urlsafe(32)
    token = Token.objects.create(
        user=by,
        name=name,
        prefix=secret[:PREFIX_LENGTH],
        sha256=Token.hash_of(secret),
        scopes=list(scopes),
        expires_at=Now() + timedelta(days=days),
    )
    token.refresh_from_db(fields=["created_at", "expires_at"])
    return NewToken(token, secret)


APART = timedelta(minutes=1)  # ``used_at`` is written at most once a minute, not at every request


def use_token(*, secret: str) -> Token | None:
    """Return the token of this secret with its person, and update ``used_at``; None without a usable one."""
    token = Token.objects.usable().select_related("user").filter(sha256=Token.hash_of(secret)).first()
    if token:
        stale = Q(used_at__isnull=True) | Q(used_at__lt=Now() - APART)
        Token.objects.filter(stale, pk=token.pk, revoked_at__isnull=True).update(used_at=Now())
    return token


def revoke_token(*, token: Token, by: User) -> None:
    """Revoke the person's token, unless it is revoked already; later requests with it are refused."""
    Token.objects.of(by).filter(pk=token.pk, revoked_at__isnull=True).update(revoked_at=Now())


@transaction.atomic
def change_account(*, by: User, **fields: str | bool) -> User:
    """Store the person's own name, language (empty: the browser's) or wish for reminders.

    Others see the name, also at the person's earlier actions.
    """
    for name, value in fields.items():
        setattr(by, name, value)
    by.save(update_fields=list(fields))
    return by
