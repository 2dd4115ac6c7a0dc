"""The report: how near other qrels come to the people's."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.models.qrels import Qrels
from evaluation.models.track import Task

LOST_AFTER = timedelta(minutes=15)

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from evaluation.models.people import User


class ReportQuerySet(models.QuerySet["Report"]):
    """Reads of reports."""

    def visible_to(self, user: User | AnonymousUser) -> ReportQuerySet:
        """Organizers before the release; after it everybody but the track's assessors."""
        return self.filter(
            Q(task__in=Task.objects.organized_by(user)) | Q(task__in=Task.objects.released_to(user))
        )

    def whole(self) -> ReportQuerySet:
        """Those of all runs and topics."""
        return self.filter(choice={})


class Report(models.Model):
    """A computed report; ``inputs_sha256`` covers runs, qrels, families, the choice and code.

    ``choice`` is that of runs and topics as ``core.report.choice`` writes it, empty for all of them.
    ``content`` has the key figures and the groups of topics, ``body`` all sections as ``core.report.stored``
    writes them, some ten times as long.
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="reports")
    reference = models.ForeignKey(Qrels, models.PROTECT, related_name="+")
    choice = models.JSONField(default=dict, blank=True)
    inputs_sha256 = models.CharField(max_length=64)
    content = models.JSONField()
    body = models.JSONField()
    code_version = models.CharField(max_length=64)
    computed_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ReportQuerySet.as_manager()

    class Meta:
        get_latest_by = "computed_at"
        constraints = [models.UniqueConstraint(fields=["task", "inputs_sha256"], name="report_once_an_input")]

    def __str__(self) -> str:
        return f"Report of {self.task}"


class ReportProgressQuerySet(models.QuerySet["ReportProgress"]):
    """Reads of progress."""

    def visible_to(self, user: User | AnonymousUser) -> ReportProgressQuerySet:
        """Those of the tasks whose reports one may see."""
        return self.filter(
            Q(task__in=Task.objects.organized_by(user)) | Q(task__in=Task.objects.released_to(user))
        )

    def waiting(self) -> ReportProgressQuerySet:
        """Asked for and not ended; what has not moved for a quarter of an hour was lost."""
        return self.filter(ended_at__isnull=True, asked_at__gt=Now() - LOST_AFTER)


class ReportProgress(models.Model):
    """How far a report is, of a task and a choice: asked for, begun, so many sections done, ended.

    ``problem`` says why it ended without a report, and ``inputs_sha256`` of which inputs.
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="+")
    choice = models.JSONField(default=dict)
    choice_sha256 = models.CharField(max_length=64)
    inputs_sha256 = models.CharField(max_length=64, blank=True)
    asked_at = models.DateTimeField(db_default=Now())
    begun_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    done_count = models.PositiveSmallIntegerField("sections done", default=0)
    section_count = models.PositiveSmallIntegerField("sections in all", default=0)
    problem = models.TextField(blank=True)

    objects = ReportProgressQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "report progress"
        constraints = [
            models.UniqueConstraint(fields=["task", "choice_sha256"], name="report_progress_once_a_choice")
        ]

    def __str__(self) -> str:
        return f"Progress of the report of {self.task}"
