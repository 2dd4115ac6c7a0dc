"""Find out whose token a program sent."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q
from django.db.models.functions import Now

from evaluation.models import Token

APART = timedelta(minutes=1)  # a program that asks ten times a second shall not write as often


def use_token(*, secret: str) -> Token | None:
    """The usable token of this secret, with its person; None where there is none. Notes when it was used."""
    token = Token.objects.usable().select_related("user").filter(sha256=Token.hash_of(secret)).first()
    if token:
        stale = Q(used_at__isnull=True) | Q(used_at__lt=Now() - APART)
        Token.objects.filter(stale, pk=token.pk, revoked_at__isnull=True).update(used_at=Now())
    return token
