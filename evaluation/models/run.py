"""Runs: the uploaded bytes, their verdict, and the rankings of an accepted one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pghistory
import pgtrigger
from django.db import models
from django.db.models import Exists, ExpressionWrapper, F, Func, OuterRef, Q, Value
from django.db.models.functions import Length, Now, Replace
from django.db.models.lookups import Exact

from evaluation.models.blob import Blob
from evaluation.models.collection import Topic
from evaluation.models.people import User
from evaluation.models.team import Team
from evaluation.models.track import TAG_MAX, Task

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser
    from django.db.models.expressions import CombinedExpression as Expression
    from numpy.typing import NDArray


# What is said of a run, by its team and the organizers; changes of these are kept.
METADATA = (
    "description",
    "type",
    "backbone",
    "suggested_family",
    "replies",
    "pool_depth",
    "pool_priority",
)


class RunState(models.TextChoices):
    """A run is received, then rejected or accepted; an accepted one may be replaced or withdrawn."""

    RECEIVED = "received", "received"
    REJECTED = "rejected", "rejected"
    ACCEPTED = "accepted", "accepted"
    REPLACED = "replaced", "replaced"
    WITHDRAWN = "withdrawn", "withdrawn"


class RunType(models.TextChoices):
    """How much a person had to do with the results."""

    AUTOMATIC = "automatic", "automatic"
    MANUAL = "manual", "manual"


class FamilyQuerySet(models.QuerySet["Family"]):
    """Reads of families."""

    def visible_to(self, user: User | AnonymousUser) -> FamilyQuerySet:
        """Organizers' own, and those of released tasks: a family tells how a run was made."""
        return self.filter(
            Q(task__in=Task.objects.organized_by(user)) | Q(task__in=Task.objects.released_to(user))
        )


class Family(models.Model):
    """A kind of runs, set by the organizers, such as CLIP-based: the groups that evaluation bias compares."""

    task = models.ForeignKey(Task, models.CASCADE, related_name="families")
    name = models.CharField(max_length=60)

    objects = FamilyQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "families"
        constraints = [models.UniqueConstraint(fields=["task", "name"], name="family_name_once_a_task")]

    def __str__(self) -> str:
        return self.name


class RunQuerySet(models.QuerySet["Run"]):
    """Reads of runs."""

    def accepted(self) -> RunQuerySet:
        """Runs that count: pooled, scored and reported."""
        return self.filter(state=RunState.ACCEPTED)

    def released_to(self, user: User | AnonymousUser) -> RunQuerySet:
        """Accepted runs of released tasks, for everybody but the track's assessors."""
        return self.accepted().filter(task__in=Task.objects.released_to(user))

    def published_to(self, user: User | AnonymousUser) -> RunQuerySet:
        """Released runs of tracks that publish the files."""
        return self.released_to(user).filter(task__track__has_public_runs=True)

    def visible_to(self, user: User | AnonymousUser) -> RunQuerySet:
        """One's own team's, those of tasks one organizes, and released ones."""
        return self.filter(
            Q(team__in=Team.objects.of_member(user))
            | Q(task__in=Task.objects.organized_by(user))
            | Q(pk__in=self.model.objects.released_to(user).values("pk"))
        )

    def with_opened_to(self, user: User | AnonymousUser) -> RunQuerySet:
        """Annotate ``is_opened``: whether the person may see the file and its verdict.

        The run's team may, and the task's organizers. ``has_file``: others may have a file that is published.
        """
        theirs = Q(team__in=Team.objects.of_member(user)) | Q(task__in=Task.objects.organized_by(user))
        published = Q(pk__in=self.model.objects.published_to(user).values("pk"))
        may = {"is_opened": theirs, "has_file": theirs | published}
        truth = models.BooleanField()
        return self.annotate(**{name: ExpressionWrapper(rule, truth) for name, rule in may.items()})


@pghistory.track(
    pghistory.InsertEvent(),  # what later changes differ from
    pghistory.UpdateEvent(condition=pghistory.AnyChange(*METADATA)),
    fields=["task", "tag", *METADATA],
    model_name="RunEvent",
)
class Run(models.Model):
    """One uploaded run file of a team. In time: ``received_at`` (database clock) is before the close.

    One received after it, in the task's grace period, ``is_late`` and counts all the same.
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="runs")
    team = models.ForeignKey(Team, models.PROTECT, related_name="runs")
    tag = models.CharField(
        max_length=TAG_MAX, blank=True, db_collation="C", help_text="The sixth column; empty until accepted."
    )
    description = models.TextField(blank=True)
    type = models.CharField("run type", max_length=9, choices=RunType, blank=True)
    backbone = models.CharField(
        max_length=120,
        blank=True,
        help_text="The model that the system rests on, such as CLIP ViT-L/14: judges that rest on the same "
        "one may favour it.",
    )
    suggested_family = models.CharField(
        max_length=60, blank=True, help_text="What the team would call its kind; the organizers decide."
    )
    replies = models.JSONField(default=dict, blank=True, help_text="To the task's questions, by their names.")
    families = models.ManyToManyField(Family, blank=True, related_name="runs")
    pool_depth = models.PositiveIntegerField(
        null=True, blank=True, help_text="Empty: the task's depth for runs of this kind."
    )
    pool_priority = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="1 is pooled first. Empty: after those that have one."
    )
    upload = models.ForeignKey(Blob, models.PROTECT, related_name="+", editable=False)
    file_name = models.CharField(max_length=255, editable=False)
    received_at = models.DateTimeField(db_default=Now(), editable=False)
    is_late = models.BooleanField(
        default=False, editable=False, help_text="Received in the grace period after the close."
    )
    received_by = models.ForeignKey(User, models.PROTECT, related_name="+", editable=False)
    state = models.CharField(max_length=9, choices=RunState, default=RunState.RECEIVED, editable=False)
    checked_at = models.DateTimeField(null=True, editable=False)
    verdict = models.JSONField(null=True, editable=False)
    client_uuid = models.UUIDField(
        null=True,
        editable=False,
        help_text="Came with the upload: sent again, it makes no other run.",
    )
    replaces = models.OneToOneField(
        "self", models.PROTECT, null=True, editable=False, related_name="replaced_by"
    )

    is_opened: bool
    has_file: bool
    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["tag", "received_at"]
        constraints = [
            models.UniqueConstraint(fields=["received_by", "client_uuid"], name="run_once_a_client_uuid"),
            models.UniqueConstraint(
                fields=["task", "tag"], condition=Q(state=RunState.ACCEPTED), name="run_tag_once_a_task"
            ),
            models.CheckConstraint(
                condition=Q(state=RunState.RECEIVED, verdict__isnull=True, checked_at__isnull=True)
                | (~Q(state=RunState.RECEIVED) & Q(verdict__isnull=False, checked_at__isnull=False)),
                name="run_verdict_once_checked",
            ),
            models.CheckConstraint(
                condition=Q(state__in=(RunState.RECEIVED, RunState.REJECTED), tag="")
                | (
                    ~Q(state__in=(RunState.RECEIVED, RunState.REJECTED))
                    & Q(tag__regex=r"^[A-Za-z0-9_-][A-Za-z0-9_.-]*$")
                ),
                name="run_tag_iff_accepted",
            ),
            models.CheckConstraint(
                condition=Q(pool_depth__isnull=True) | Q(pool_depth__gte=1), name="run_pool_depth_positive"
            ),
            models.CheckConstraint(
                condition=Q(pool_priority__isnull=True) | Q(pool_priority__gte=1),
                name="run_pool_priority_positive",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="an_upload_stays_as_it_came",
                fields=["task", "team", "upload", "file_name", "received_at", "received_by", "client_uuid"],
            ),
            pgtrigger.Protect(name="runs_are_never_deleted", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.tag or f"upload {self.pk}"

    @property
    def depth_in_pool(self) -> int:
        """How many results of each topic go into a depth pool."""
        kind_depth = self.task.baseline_pool_depth if self.team.is_baseline else self.task.pool_depth
        return self.pool_depth or kind_depth


@pghistory.track(
    pghistory.InsertEvent(), pghistory.DeleteEvent(), obj_field=None, model_name="RunFamilyEvent"
)
class RunFamily(Run.families.through):  # type: ignore[misc, name-defined]  # made by Django at run time
    """A family that the organizers gave a run; here for its changes to be kept."""

    class Meta:
        proxy = True
        verbose_name = "family of a run"


def _bytes_of(field: str) -> Func:
    return Func(F(field), function="octet_length", output_field=models.IntegerField())


def _line_feeds_in(field: str) -> Expression:
    return Length(field) - Length(Replace(field, Value("\n"), Value("")))


class RankingQuerySet(models.QuerySet["Ranking"]):
    """Reads of rankings."""

    def visible_to(self, user: User | AnonymousUser) -> RankingQuerySet:
        """Those of the runs one may see."""
        return self.filter(run__in=Run.objects.visible_to(user))

    def without_drafts(self) -> RankingQuerySet:
        """All but those for topics that went back to draft."""
        drafts = Topic.objects.drafts().filter(task=OuterRef("run__task"), number=OuterRef("topic"))
        return self.exclude(Exists(drafts))


class Ranking(models.Model):
    """One run's results for one topic, best first in trec_eval's order.

    Two packed columns decode into numpy about as fast as they are read: docnos joined by line feeds (a docno
    holds no white space), scores as little-endian doubles.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="rankings")
    topic = models.CharField(max_length=255, db_collation="C")
    docnos = models.TextField(db_collation="C")
    scores = models.BinaryField()

    objects = RankingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "topic"], name="ranking_once_a_topic"),
            models.CheckConstraint(
                condition=Exact(_bytes_of("scores"), 8 * (_line_feeds_in("docnos") + 1)),
                name="ranking_one_score_a_docno",
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="rankings_are_immutable", operation=pgtrigger.Update | pgtrigger.Delete)
        ]

    def __str__(self) -> str:
        return f"{self.run}, topic {self.topic}"

    @staticmethod
    def pack(docnos: list[str], scores: NDArray[np.float64]) -> dict[str, str | bytes]:
        """The two columns of a ranking of n results."""
        return {"docnos": "\n".join(docnos), "scores": scores.astype("<f8").tobytes()}

    def unpack(self) -> tuple[list[str], NDArray[np.float64]]:
        """Docnos and scores, both of length n, best first."""
        return self.docnos.split("\n"), np.frombuffer(self.scores, "<f8").astype(np.float64)
