"""The requirement of a track for uploads of teams: approval by the organizers."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.platform.access.people import User
from evaluation.platform.access.schema.tracking import tracked
from evaluation.submissions.teams.models import OfTeamQuerySet, Team
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
        help_text="Only approved teams can upload runs. Each team applies on its page. Link an agreement to "
        "sign in the guidelines, and approve the teams that have signed it.",
    )

    objects = EntryRulesQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = "entry rules"

    def __str__(self) -> str:
        return f"entry rules of {self.track}"


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
