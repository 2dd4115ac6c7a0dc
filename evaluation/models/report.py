"""The report: how near other qrels come to the people's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.models.qrels import Qrels
from evaluation.models.track import Task

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


class Report(models.Model):
    """A computed report; ``inputs_sha256`` covers runs, qrels, families and code."""

    task = models.ForeignKey(Task, models.PROTECT, related_name="reports")
    reference = models.ForeignKey(Qrels, models.PROTECT, related_name="+")
    inputs_sha256 = models.CharField(max_length=64)
    content = models.JSONField()
    code_version = models.CharField(max_length=64)
    computed_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ReportQuerySet.as_manager()

    class Meta:
        get_latest_by = "computed_at"
        constraints = [models.UniqueConstraint(fields=["task", "inputs_sha256"], name="report_once_an_input")]

    def __str__(self) -> str:
        return f"Report of {self.task}"
