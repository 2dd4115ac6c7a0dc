"""Teams, which submit runs, and the link by which people join."""

from __future__ import annotations

from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.core.signing import BadSignature, Signer
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.access.people import Membership, Role, User
from evaluation.access.schema.names import FoldedField, visible_characters
from evaluation.access.schema.tracking import tracked
from evaluation.tracks.models import Track
from trackside.text.names import folded

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
        own = self.model.objects.of_member(user).values("pk")
        return self.filter(Q(pk__in=own) | Q(track__in=Track.objects.organized_by(user)))

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
        return self.runs.exclude(state__in=("received", "parked", "rejected")).exists()
