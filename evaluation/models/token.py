"""Personal tokens: what programs sign in with, in the name of the person who made them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.models.people import User

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser


class Scope(models.TextChoices):
    """What a token is good for. Nobody gains rights by it: each takes away what it does not name."""

    READ = "read", "read what you may see, but for what you see as an organizer"
    SUBMIT = "submit", "submit and withdraw runs"
    ORGANIZE = "organize", "do both as the organizer that you are"


class TokenQuerySet(models.QuerySet["Token"]):
    """Reads of tokens."""

    def visible_to(self, user: User | AnonymousUser) -> TokenQuerySet:
        """One's own; the site's staff see everybody's, without what could be used."""
        return self if user.is_superuser else self.of(user)

    def of(self, user: User | AnonymousUser) -> TokenQuerySet:
        """The person's own; none of somebody who is not signed in."""
        return self.none() if user.pk is None else self.filter(user_id=user.pk)

    def usable(self) -> TokenQuerySet:
        """Neither revoked nor run out, by the database clock, and of an account that is in use."""
        return self.filter(revoked_at__isnull=True, expires_at__gt=Now(), user__is_active=True)


class Token(models.Model):
    """A secret that a program sends instead of a password; only its hash is kept.

    ``prefix`` is how it begins, by which people tell their tokens apart.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    prefix = models.CharField(max_length=20, editable=False)
    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    scopes = ArrayField(models.CharField(max_length=8, choices=Scope))
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField("last used at", null=True, editable=False, help_text="To the minute.")
    revoked_at = models.DateTimeField(null=True, editable=False)

    objects = TokenQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(scopes__contained_by=Scope.values, scopes__len__gte=1), name="token_scopes_known"
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="a_token_stays_what_it_was_made_for",
                fields=["user", "name", "prefix", "sha256", "scopes", "created_at", "expires_at"],
            ),
            pgtrigger.Protect(
                name="a_revoked_token_is_final",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__revoked_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @staticmethod
    def hash_of(secret: str) -> str:
        """The hash under which a secret is kept: it is random and long, so a plain one will do."""
        return hashlib.sha256(secret.encode()).hexdigest()
