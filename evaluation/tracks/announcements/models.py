"""Announcements of a track, to everybody, to teams or to assessors."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.platform.access.people import TEAM_ROLES, Role, User, tracks_of
from evaluation.platform.access.schema.names import markdown_field
from evaluation.platform.access.schema.tracking import tracked
from evaluation.tracks.models import Track


class Audience(models.TextChoices):
    """Who may read an announcement; organizers always may."""

    EVERYBODY = "everybody", "everybody, on the public page of the track"
    TEAMS = "teams", "teams only"
    ASSESSORS = "assessors", "assessors only"


ROLES = {
    Audience.EVERYBODY: (*TEAM_ROLES, Role.ASSESSOR),
    Audience.TEAMS: TEAM_ROLES,
    Audience.ASSESSORS: (Role.ASSESSOR,),
}


class AnnouncementQuerySet(models.QuerySet["Announcement"]):
    """Queryset of announcements."""

    def visible_to(self, user: User | AnonymousUser) -> AnnouncementQuerySet:
        """Those to everybody in visible tracks, those to the person's role, and all in organized tracks."""
        return self.filter(
            Q(track__in=Track.objects.organized_by(user))
            | Q(audience=Audience.EVERYBODY, track__in=Track.objects.visible_to(user))
            | Q(audience=Audience.TEAMS, track__in=tracks_of(user, *TEAM_ROLES))
            | Q(audience=Audience.ASSESSORS, track__in=tracks_of(user, Role.ASSESSOR))
        )


@tracked
class Announcement(models.Model):
    """A dated text of the organizers, in Markdown."""

    track = models.ForeignKey(Track, models.PROTECT, related_name="announcements")
    audience = models.CharField("who reads it", max_length=10, choices=Audience)
    subject = models.CharField(max_length=120)
    text = markdown_field(help_text="Markdown. Links may lead to http, https and mailto; HTML is not shown.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+", editable=False)

    objects = AnnouncementQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.subject
