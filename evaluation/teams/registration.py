"""Requirements of a track for uploads of teams: approval by the organizers, a signed agreement."""

from __future__ import annotations

import hashlib

import pgtrigger
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.access.people import User
from evaluation.access.schema.names import markdown_field
from evaluation.access.schema.tracking import tracked
from evaluation.teams.models import OfTeamQuerySet, Team
from evaluation.tracks.models import Track

WORDS_MAX = 2000  # characters of an application, and of a note on it


class EntryRulesQuerySet(models.QuerySet["EntryRules"]):
    """Queryset of rules."""

    def visible_to(self, user: User | AnonymousUser) -> EntryRulesQuerySet:
        """Rules of the tracks that the person may see."""
        return self.filter(track__in=Track.objects.visible_to(user))

    def of(self, track: Track) -> EntryRules:
        """Return the rules of the track; without any, rules without requirements."""
        return self.filter(track=track).first() or EntryRules(track=track)


@tracked
class EntryRules(models.Model):
    """The rules of one track. Without a row every team may upload."""

    track = models.OneToOneField(Track, models.CASCADE, related_name="entry_rules")
    needs_approval = models.BooleanField(
        "organizers approve teams",
        default=False,
        help_text="Only approved teams can upload runs. Each team applies on its page.",
    )
    agreement = markdown_field(
        help_text="Markdown. A team can upload once its owner has signed this text. If you change the text, "
        "each owner has to sign it again before the next upload.",
    )

    objects = EntryRulesQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = "entry rules"

    def __str__(self) -> str:
        return f"entry rules of {self.track}"

    @property
    def agreement_sha256(self) -> str:
        """Return the SHA-256 of the agreement; empty without an agreement."""
        return hashlib.sha256(self.agreement.encode()).hexdigest() if self.agreement.strip() else ""


class ApplicationState(models.TextChoices):
    """What the organizers decided."""

    WAITING = "waiting", "waiting"
    APPROVED = "approved", "approved"
    DECLINED = "declined", "declined"


@tracked
class Application(models.Model):
    """A team's application to take part. A declined team can apply again; the audit trail has all changes."""

    team = models.OneToOneField(Team, models.CASCADE, related_name="application")
    state = models.CharField(max_length=8, choices=ApplicationState, default=ApplicationState.WAITING)
    words = models.TextField("what the team says", blank=True)
    applied_at = models.DateTimeField(db_default=Now())
    applied_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    note = models.TextField(blank=True, help_text="From the organizers to the team.")
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")

    track_path = "team__track"
    objects = OfTeamQuerySet.as_manager()

    class Meta:
        ordering = ["applied_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    state=ApplicationState.WAITING, decided_at__isnull=True, decided_by__isnull=True, note=""
                )
                | (
                    ~Q(state=ApplicationState.WAITING) & Q(decided_at__isnull=False, decided_by__isnull=False)
                ),
                name="application_decided_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"application of {self.team}"


@tracked
class Signature(models.Model):
    """The signature of a team's owner under one text of the track's agreement, identified by its SHA-256.

    The audit trail of ``EntryRules`` has all texts.
    """

    team = models.ForeignKey(Team, models.CASCADE, related_name="signatures")
    agreement_sha256 = models.CharField(max_length=64)
    signed_at = models.DateTimeField(db_default=Now(), editable=False)
    signed_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    track_path = "team__track"
    objects = OfTeamQuerySet.as_manager()

    class Meta:
        ordering = ["-signed_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["team", "agreement_sha256"], name="signature_once_a_text"),
            models.CheckConstraint(
                condition=Q(agreement_sha256__regex=r"^[0-9a-f]{64}$"), name="signature_names_a_text"
            ),
        ]
        triggers = [pgtrigger.Protect(name="a_signature_stays", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"signature of {self.team}"
