"""Make a personal token."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from evaluation.models import Token

if TYPE_CHECKING:
    from collections.abc import Collection

    from evaluation.models import Scope, User

KIND = "trackside_"  # by which people, and tools that look for leaked secrets, know what it is
PREFIX_LENGTH = len(KIND) + 6


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token with its secret, which can be shown now and never again."""

    token: Token
    secret: str


@transaction.atomic
def create_token(*, name: str, scopes: Collection[Scope], days: int, by: User) -> NewToken:
    """Make a token of the person for ``days`` days, by the database clock."""
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
