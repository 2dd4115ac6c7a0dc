"""Revoke a personal token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models.functions import Now

from evaluation.models import Token

if TYPE_CHECKING:
    from evaluation.models import User


def revoke_token(*, token: Token, by: User) -> None:
    """Make the person's token useless from the next request on; one that is revoked stays as it is."""
    Token.objects.of(by).filter(pk=token.pk, revoked_at__isnull=True).update(revoked_at=Now())
