"""Announcements of a track, to everybody, to teams or to assessors."""

from __future__ import annotations

from functools import reduce
from operator import or_

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from evaluation.platform.access.people import TEAM_ROLES, Membership, MembershipQuerySet, Role, User
from evaluation.platform.access.schema.names import markdown_field
from evaluation.platform.access.schema.tracking import tracked
from evaluation.tracks.models import Track


class Audience(models.TextChoices):
    """Who may read an announcement; organizers always may."""

    EVERYBODY = "everybody", "everybody, on the public page of the track"
    TEAMS = "teams", "teams only"
    NO_RUN = "no-run", "teams without an accepted run, while they have none"
    REJECTED = "rejected", "teams with a rejected upload and no accepted run, while they have none"
    APPROVED = "approved", "teams that you approved"
    ASSESSORS = "assessors", "assessors only"


# The states are those of runs and applications, whose modules import this one.
_TEAM = Q(role__in=TEAM_ROLES)
_WITHOUT_RUN = _TEAM & Q(team__is_baseline=False) & ~Q(team__runs__state="accepted")
READERS = {
    Audience.EVERYBODY: ~Q(role=Role.ORGANIZER),
    Audience.TEAMS: _TEAM,
    Audience.NO_RUN: _WITHOUT_RUN,
    Audience.REJECTED: _WITHOUT_RUN & Q(team__runs__state="rejected"),
    Audience.APPROVED: _TEAM & Q(team__application__state="approved"),
    Audience.ASSESSORS: Q(role=Role.ASSESSOR),
}


def readers_of(audience: Audience) -> MembershipQuerySet:
    """Return the memberships of the readers; the track's assessors read nothing that is for teams alone."""
    readers = Membership.objects.filter(READERS[audience])
    if audience in (Audience.EVERYBODY, Audience.ASSESSORS):
        return readers
    same = Membership.objects.filter(user=OuterRef("user"), track=OuterRef("track"))
    return readers.exclude(Exists(same.filter(role=Role.ASSESSOR)))


class AnnouncementQuerySet(models.QuerySet["Announcement"]):
    """Queryset of announcements."""

    def visible_to(self, user: User | AnonymousUser) -> AnnouncementQuerySet:
        """Those to everybody in visible tracks, to the person's team or role, and all in organized tracks."""
        own = Membership.objects.of(user)
        to_them = reduce(
            or_,
            (Q(audience=to, track__in=readers_of(to).filter(pk__in=own).values("track")) for to in READERS),
        )
        return self.filter(
            Q(track__in=Track.objects.organized_by(user))
            | Q(audience=Audience.EVERYBODY, track__in=Track.objects.visible_to(user))
            | to_them
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
