"""Teams: who submits runs, and the link by which people join."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.signing import BadSignature, Signer
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.models.people import Membership, Role
from evaluation.models.tracking import tracked

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from evaluation.models.people import User
    from evaluation.models.track import Task

LINKS = Signer(salt="evaluation.team")


class TeamQuerySet(models.QuerySet["Team"]):
    """Reads of teams."""

    def of_member(self, user: User | AnonymousUser) -> TeamQuerySet:
        """Teams that the person belongs to."""
        return self.filter(pk__in=Membership.objects.of(user).values("team"))

    def owned_by(self, user: User | AnonymousUser) -> TeamQuerySet:
        """Teams that the person answers for."""
        owned = Membership.objects.of(user).filter(role=Role.TEAM_OWNER)
        return self.filter(pk__in=owned.values("team"))

    def of_link(self, token: str) -> TeamQuerySet:
        """The team that the link of the token leads to, while that is switched on; else none."""
        try:
            key, version = LINKS.unsign(token).split(":")
        except BadSignature:
            return self.none()
        return self.filter(pk=key, link_version=version, has_link=True)

    def private_to(self, user: User | AnonymousUser) -> TeamQuerySet:
        """One's own and those of tracks one organizes, with all that only they may see."""
        from evaluation.models.track import Track

        own = self.model.objects.of_member(user).values("pk")
        return self.filter(Q(pk__in=own) | Q(track__in=Track.objects.organized_by(user)))

    def visible_to(self, user: User | AnonymousUser) -> TeamQuerySet:
        """One's own, those of tracks one organizes, and the teams of released runs one may see."""
        from evaluation.models.run import Run

        return self.filter(
            Q(pk__in=self.model.objects.private_to(user).values("pk"))
            | Q(pk__in=Run.objects.released_to(user).values("team"))
        )

    def with_submissions(self, task: Task) -> TeamQuerySet:
        """Annotate how many uploads to the task are in each state (``accepted_count``...), ``last_at``."""
        from evaluation.models.run import RunState

        of_task = Q(runs__task=task)
        counts = {
            f"{state}_count": models.Count("runs", filter=of_task & Q(runs__state=state))
            for state in RunState.values
        }
        return self.annotate(last_at=models.Max("runs__received_at", filter=of_task), **counts)


@tracked
class Team(models.Model):
    """Who submits runs. The organizers' own baselines are a team as well, pooled to the baseline depth."""

    track = models.ForeignKey("evaluation.Track", models.CASCADE, related_name="teams")
    name = models.CharField(max_length=60, db_collation="C")
    is_baseline = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    has_link = models.BooleanField(default=False, editable=False)
    link_version = models.PositiveIntegerField(default=0, editable=False)

    objects = TeamQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["track", "name"], name="team_name_once_a_track")]

    def __str__(self) -> str:
        return self.name

    @property
    def link_token(self) -> str:
        """What the present link for members ends in. It is signed, so that it can be shown as often as needed
        though the database holds nothing that opens the team."""
        return LINKS.sign(f"{self.pk}:{self.link_version}")

    @property
    def has_settled_name(self) -> bool:
        """Whether a run was ever accepted: from then on the name stands in pools and reports."""
        return self.runs.exclude(state__in=("received", "rejected")).exists()
