"""Runs: the uploaded bytes, their verdict and their description."""

from __future__ import annotations

import pghistory
import pgtrigger
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import ExpressionWrapper, F, Q
from django.db.models.functions import Lower, Now

from evaluation.collections.blobs import Blob
from evaluation.platform.access.people import User
from evaluation.platform.access.schema.names import FoldedField
from evaluation.submissions.runs.families import Family
from evaluation.submissions.runs.late_exceptions import LateException
from evaluation.submissions.runs.verdicts import RunVerdict
from evaluation.submissions.teams.models import Team
from evaluation.tracks.models import Task
from trackside.text.names import TAG_MAX

# Columns whose changes the audit trail records: a run's state, and what its team and organizers describe.
RECORDED = (
    "state",
    "withdrawn_by",
    "withdrawal_reason",
    "is_late",
    "description",
    "type",
    "backbone",
    "suggested_family",
    "replies",
    "pool_depth",
    "pool_priority",
)


CHECK_ATTEMPTS = 3
UNCHECKED = ("received", "parked")
UNCOUNTED = (*UNCHECKED, "rejected", "asked")  # without a tag


class RunState(models.TextChoices):
    """Received, then rejected or accepted, then replaced or withdrawn; parked if the check keeps failing.

    A run that looks upside down is asked: it counts once its team confirms the order.
    """

    RECEIVED = "received", "received"
    PARKED = "parked", "parked"
    REJECTED = "rejected", "rejected"
    ASKED = "asked", "waits for its team"
    ACCEPTED = "accepted", "accepted"
    REPLACED = "replaced", "replaced"
    WITHDRAWN = "withdrawn", "withdrawn"


class RunType(models.TextChoices):
    """How much a person influenced the results."""

    AUTOMATIC = "automatic", "automatic"
    MANUAL = "manual", "manual"


class RunQuerySet(models.QuerySet["Run"]):
    """Queryset of runs."""

    def accepted(self) -> RunQuerySet:
        """Runs that count: pooled, scored and reported."""
        return self.filter(state=RunState.ACCEPTED)

    def withdrawn_on_record(self) -> RunQuerySet:
        """Runs that organizers withdrew: they do not count, and leaderboards list them with the reason."""
        return self.filter(state=RunState.WITHDRAWN).exclude(withdrawal_reason="")

    def released_to(self, user: User | AnonymousUser) -> RunQuerySet:
        """Accepted runs of released tasks, for everybody but the track's assessors."""
        return self.accepted().filter(task__in=Task.objects.released_to(user))

    def published_to(self, user: User | AnonymousUser) -> RunQuerySet:
        """Released runs of tracks that publish the files; those of practice tasks stay with the teams."""
        return self.released_to(user).filter(task__track__has_public_runs=True, task__is_practice=False)

    def visible_to(self, user: User | AnonymousUser) -> RunQuerySet:
        """Runs of the person's teams and of tasks that they organize, and released runs."""
        return self.filter(
            Q(team__in=Team.objects.of_member(user))
            | Q(task__in=Task.objects.organized_by(user))
            | Q(pk__in=self.model.objects.released_to(user).values("pk"))
        )

    def with_opened_to(self, user: User | AnonymousUser) -> RunQuerySet:
        """Annotate ``is_opened``: whether the person, as team member or organizer, may see file and verdict.

        ``has_file`` is whether the person may see the file, also because the track publishes its files.
        """
        theirs = Q(team__in=Team.objects.of_member(user)) | Q(task__in=Task.objects.organized_by(user))
        published = Q(pk__in=self.model.objects.published_to(user).values("pk"))
        may = {"is_opened": theirs, "has_file": theirs | published}
        truth = models.BooleanField()
        return self.annotate(**{name: ExpressionWrapper(rule, truth) for name, rule in may.items()})


@pghistory.track(
    pghistory.InsertEvent(),  # the first change is a difference to it
    pghistory.UpdateEvent(condition=pghistory.AnyChange(*RECORDED)),
    fields=["task", "tag", *RECORDED],
    model_name="RunEvent",
)
class Run(models.Model):
    """One uploaded run file of a team. In time: ``received_at`` (database clock) is before the close.

    A run received after it, in the task's grace period or by an exception, ``is_late`` and counts as well.
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="runs")
    team = models.ForeignKey(Team, models.PROTECT, related_name="runs")
    tag = models.CharField(
        max_length=TAG_MAX, blank=True, db_collation="C", help_text="The sixth column; empty until accepted."
    )
    tag_folded = FoldedField(of="tag", max_length=TAG_MAX)
    description = models.TextField(blank=True)
    type = models.CharField("run type", max_length=9, choices=RunType, blank=True)
    backbone = models.CharField(
        max_length=120,
        blank=True,
        help_text="The model that the system rests on, such as CLIP ViT-L/14: judges that rest on the same "
        "one may favour it.",
    )
    suggested_family = models.CharField(
        max_length=60, blank=True, help_text="The family that the team suggests; the organizers decide."
    )
    replies = models.JSONField(
        default=dict, blank=True, help_text="Replies to the task's questions, by the questions' names."
    )
    families = models.ManyToManyField(Family, blank=True, related_name="runs")
    pool_depth = models.PositiveIntegerField(
        null=True, blank=True, help_text="Empty: the task's depth for runs of this kind."
    )
    pool_priority = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="1 is pooled first. Empty: after all runs with a priority."
    )
    upload = models.ForeignKey(Blob, models.PROTECT, related_name="+", editable=False)
    file_name = models.CharField(max_length=255, editable=False)
    received_at = models.DateTimeField(db_default=Now(), editable=False)
    is_late = models.BooleanField(
        default=False,
        editable=False,
        help_text="Received after the close, in the grace period or by an exception.",
    )
    late_exception = models.ForeignKey(
        LateException,
        models.PROTECT,
        null=True,
        editable=False,
        related_name="runs",
        help_text="The exception that allowed it after the grace period.",
    )
    received_by = models.ForeignKey(User, models.PROTECT, related_name="+", editable=False)
    state = models.CharField(max_length=9, choices=RunState, default=RunState.RECEIVED, editable=False)
    checked_at = models.DateTimeField(null=True, editable=False)
    check_started_at = models.DateTimeField(null=True, editable=False)  # the last attempt, for fair shares
    check_attempt_count = models.PositiveSmallIntegerField(default=0, editable=False)
    check_error = models.TextField(blank=True, editable=False)  # of the last attempt without a verdict
    verdict = models.OneToOneField(RunVerdict, models.PROTECT, null=True, editable=False)
    client_uuid = models.UUIDField(
        null=True,
        editable=False,
        help_text="Sent with the upload: a repeated upload with the same key creates no second run.",
    )
    replaces = models.OneToOneField(
        "self", models.PROTECT, null=True, editable=False, related_name="replaced_by"
    )
    withdrawn_at = models.DateTimeField(null=True, editable=False)
    withdrawn_by = models.ForeignKey(User, models.PROTECT, null=True, editable=False, related_name="+")
    withdrawal_reason = models.TextField(
        blank=True,
        editable=False,
        help_text="Reason of a withdrawal by the organizers. The leaderboard shows it.",
    )

    is_opened: bool
    has_file: bool
    is_unpooled: bool
    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["tag", "received_at"]
        constraints = [
            models.UniqueConstraint(fields=["received_by", "client_uuid"], name="run_once_a_client_uuid"),
            models.UniqueConstraint(
                F("task"),
                Lower("tag"),
                condition=Q(state=RunState.ACCEPTED),
                name="run_tag_once_a_task",
                violation_error_message="Another accepted run has this tag, ignoring upper and lower case.",
            ),
            models.CheckConstraint(
                condition=Q(state__in=UNCHECKED, verdict__isnull=True, checked_at__isnull=True)
                | (~Q(state__in=UNCHECKED) & Q(verdict__isnull=False, checked_at__isnull=False)),
                name="run_verdict_once_checked",
            ),
            models.CheckConstraint(
                condition=Q(state__in=UNCOUNTED, tag="")
                | (~Q(state__in=UNCOUNTED) & Q(tag__regex=r"^[A-Za-z0-9_-][A-Za-z0-9_.-]*$")),
                name="run_tag_iff_accepted",
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_at__isnull=True, withdrawn_by__isnull=True, withdrawal_reason="")
                | Q(state=RunState.WITHDRAWN, withdrawn_at__isnull=False, withdrawn_by__isnull=False),
                name="run_withdrawal_by_somebody",
            ),
            models.CheckConstraint(
                condition=Q(pool_depth__isnull=True) | Q(pool_depth__gte=1), name="run_pool_depth_positive"
            ),
            models.CheckConstraint(
                condition=Q(late_exception__isnull=True) | Q(is_late=True), name="run_by_exception_is_late"
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
            pgtrigger.Trigger(
                name="a_withdrawal_after_the_close_has_a_reason",
                operation=pgtrigger.UpdateOf("state", "withdrawal_reason"),
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__state=RunState.WITHDRAWN),
                func="""
                    IF OLD.state = 'withdrawn' THEN
                        RAISE EXCEPTION 'run % is withdrawn, and that is final', OLD.id;
                    END IF;
                    IF NEW.withdrawal_reason = '' AND (
                        EXISTS (SELECT FROM evaluation_task WHERE id = OLD.task_id AND closes_at < now())
                        OR EXISTS (SELECT FROM evaluation_poolrun WHERE run_id = OLD.id)
                    ) THEN
                        RAISE EXCEPTION 'run % is closed or pooled: its withdrawal needs a reason', OLD.id;
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Protect(
                name="what_no_longer_counts_stays_so",
                operation=pgtrigger.UpdateOf("state"),
                condition=pgtrigger.Condition(
                    "OLD.state <> NEW.state AND (OLD.state IN ('rejected', 'replaced', 'withdrawn')"
                    " OR (OLD.state = 'accepted' AND NEW.state IN ('received', 'rejected', 'asked')))"
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.tag or f"upload {self.pk}"

    @property
    def lateness(self) -> str:
        """Return in words whether and by which rule the run is late; empty if it is in time."""
        if not self.is_late:
            return ""
        return "late, with an exception" if self.late_exception_id else "late, in the grace period"

    @property
    def depth_in_pool(self) -> int:
        """Return how many results of each topic a depth pool takes."""
        kind_depth = self.task.baseline_pool_depth if self.team.is_baseline else self.task.pool_depth
        return self.pool_depth or kind_depth


@pghistory.track(
    pghistory.InsertEvent(), pghistory.DeleteEvent(), obj_field=None, model_name="RunFamilyEvent"
)
class RunFamily(Run.families.through):  # type: ignore[misc, name-defined]  # made by Django at run time
    """A family of a run, set by the organizers; a model, so that the audit trail records its changes."""

    class Meta:
        proxy = True
        verbose_name = "family of a run"
