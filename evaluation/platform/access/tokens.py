"""Personal tokens: programs sign in with them as the person who created them."""

from __future__ import annotations

import hashlib

import pgtrigger
from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy

from evaluation.platform.access.people import User
from evaluation.platform.access.schema.tracking import tracked_fields


class Scope(models.TextChoices):
    """What a token may do. A scope adds no rights to the person's own; missing scopes remove rights."""

    READ = "read", gettext_lazy("read what you may see, except as an organizer")
    SUBMIT = "submit", gettext_lazy("submit and withdraw runs")
    ORGANIZE = "organize", gettext_lazy("do both, and act as an organizer")


class TokenQuerySet(models.QuerySet["Token"]):
    """Queryset of tokens."""

    def visible_to(self, user: User | AnonymousUser) -> TokenQuerySet:
        """The person's own tokens; all tokens for the site's staff, who never see the secrets."""
        return self if user.is_superuser else self.of(user)

    def of(self, user: User | AnonymousUser) -> TokenQuerySet:
        """The person's own tokens; none if not signed in."""
        return self.none() if user.pk is None else self.filter(user_id=user.pk)

    def usable(self) -> TokenQuerySet:
        """Neither revoked nor expired, by the database clock, and of an active account."""
        return self.filter(revoked_at__isnull=True, expires_at__gt=Now(), user__is_active=True)


@tracked_fields("user", "name", "scopes", "created_at", "expires_at", "revoked_at", model_name="TokenEvent")
class Token(models.Model):
    """A secret that a program sends instead of a password; only its hash is stored.

    ``prefix`` holds its first characters, by which people identify their tokens.
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
            )
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
        """Return the hash of a secret: SHA-256 without salt is safe because secrets are long and random."""
        return hashlib.sha256(secret.encode()).hexdigest()
