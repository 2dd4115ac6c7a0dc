"""Teams, which submit runs; the link by which people join, and invitations to a role."""

from __future__ import annotations

from typing import Self, TypeVar

import pgtrigger
from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.core.signing import BadSignature, Signer
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.platform.access.people import TEAM_ROLES, Membership, Role, User, tracks_of
from evaluation.platform.access.schema.names import FoldedField, visible_characters
from evaluation.platform.access.schema.tracking import tracked
from evaluation.tracks.models import Track
from trackside.text.names import folded

Row = TypeVar("Row", bound=models.Model, covariant=True)
NAME_NOT_FREE = "This name, or one that looks like it, is not free in the track. Choose another one."
LINKS = Signer(salt="evaluation.team")


class TeamQuerySet(models.QuerySet["Team"]):
    """Queryset of teams."""

    def of_member(self, user: User | AnonymousUser) -> TeamQuerySet:
        """Teams that the person belongs to."""
        return self.filter(pk__in=Membership.objects.of(user).values("team"))

    def alike(self, track: int, name: str) -> TeamQuerySet:
        """Teams of the track whose folded name equals this one's."""
        return self.filter(track=track, name_folded=folded(name))

    def counted_for(self, user: User) -> TeamQuerySet:
        """Teams that count against the person's limit: those they created and those they belong to."""
        member = Membership.objects.of(user).values("team")
        return self.filter(Q(created_by=user) | Q(pk__in=member))

    def owned_by(self, user: User | AnonymousUser) -> TeamQuerySet:
        """Teams that the person owns."""
        owned = Membership.objects.of(user).filter(role=Role.TEAM_OWNER)
        return self.filter(pk__in=owned.values("team"))

    def of_link(self, token: str) -> TeamQuerySet:
        """The team of the link with this token, if the link is switched on; else none."""
        try:
            key, version = LINKS.unsign(token).split(":")
        except BadSignature:
            return self.none()
        return self.filter(pk=key, link_version=version, has_link=True)

    def private_to(self, user: User | AnonymousUser) -> TeamQuerySet:
        """Teams whose private content the person may see: their own, and all in tracks that they organize."""
        team_ids = self.model.objects.of_member(user).values("pk")
        return self.filter(Q(pk__in=team_ids) | Q(track__in=Track.objects.organized_by(user)))

    def visible_to(self, user: User | AnonymousUser) -> TeamQuerySet:
        """The person's teams, those of tracks that they organize, and the teams of visible released runs."""
        runs = apps.get_model("evaluation", "Run").objects  # the module of runs imports this one
        return self.filter(
            Q(pk__in=self.model.objects.private_to(user).values("pk"))
            | Q(pk__in=runs.released_to(user).values("team"))
        )


@tracked
class Team(models.Model):
    """A team that submits runs. Organizers' baselines are a team as well, pooled to the baseline depth."""

    track = models.ForeignKey("evaluation.Track", models.CASCADE, related_name="teams")
    name = models.CharField(max_length=60, db_collation="C")
    name_folded = FoldedField(of="name")
    is_baseline = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(
        "evaluation.User", models.SET_NULL, null=True, editable=False, related_name="+"
    )
    has_link = models.BooleanField(default=False, editable=False)
    link_version = models.PositiveIntegerField(default=0, editable=False)

    objects = TeamQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["track", "name_folded"], name="team_name_once_a_track"),
            visible_characters("name", "team_name_is_visible"),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Reject a name that looks like the name of another team of the track."""
        if self.track_id and Team.objects.alike(self.track_id, self.name).exclude(pk=self.pk).exists():
            raise ValidationError({"name": NAME_NOT_FREE})

    @property
    def link_token(self) -> str:
        """Return the token of the current link for members; it is signed, and not stored in the database."""
        return LINKS.sign(f"{self.pk}:{self.link_version}")

    @property
    def has_settled_name(self) -> bool:
        """Whether a run was ever accepted: from then on pools and reports contain the name."""
        return self.runs.exclude(state__in=("received", "parked", "rejected", "asked")).exists()


class OfTeamQuerySet(models.QuerySet[Row]):
    """Rows of a team. A model without ``team`` names the path to it in ``team_path``."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Those of the person's teams, and of teams in tracks that they organize, also after the release."""
        path = getattr(self.model, "team_path", "team")
        return self.filter(**{f"{path}__in": Team.objects.private_to(user)})


class InvitationQuerySet(models.QuerySet["Invitation"]):
    """Queryset of invitations."""

    def visible_to(self, user: User | AnonymousUser) -> InvitationQuerySet:
        """Invitations to the tracks that the person organizes."""
        return self if user.is_superuser else self.filter(track__in=tracks_of(user, Role.ORGANIZER))

    def open(self) -> InvitationQuerySet:
        """Neither accepted nor expired, by the database clock."""
        return self.filter(accepted_at__isnull=True, expires_at__gt=Now())


class Invitation(models.Model):
    """A mailed link that gives its reader a role in the track; only its token's hash is stored."""

    track = models.ForeignKey(Track, models.CASCADE, related_name="invitations")
    email = models.EmailField(max_length=254)
    role = models.CharField(max_length=16, choices=Role)
    team = models.ForeignKey(Team, models.CASCADE, null=True, editable=False, related_name="invitations")
    token_sha256 = models.CharField(max_length=64, unique=True, editable=False)
    invited_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    client_uuid = models.UUIDField(
        null=True,
        editable=False,
        help_text="Sent with the request: a repeated request with the same key sends no second mail.",
    )
    invited_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, editable=False)
    accepted_by = models.ForeignKey(User, models.PROTECT, null=True, editable=False, related_name="+")

    objects = InvitationQuerySet.as_manager()
    link = ""  # of a new invitation alone: the database has no token to make it from

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True, accepted_by__isnull=True)
                | Q(accepted_at__isnull=False, accepted_by__isnull=False),
                name="invitation_accepted_by_someone",
            ),
            models.CheckConstraint(
                condition=Q(role__in=TEAM_ROLES, team__isnull=False)
                | (~Q(role__in=TEAM_ROLES) & Q(team__isnull=True)),
                name="invitation_team_iff_team_role",
            ),
            models.UniqueConstraint(
                fields=["invited_by", "client_uuid", "email"], name="invitation_once_a_client_uuid"
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="accepted_invitation_is_final",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__accepted_at__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"{self.email} as {self.get_role_display()} of {self.team or self.track}"
