"""Queue of recomputations, claimed by workers: one row for a task's values, and one for each report."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q

from evaluation.platform.access.people import User
from evaluation.tracks.models import Task
from evaluation.tracks.work.models import LongWork, LongWorkQuerySet


class ReportProgressQuerySet(LongWorkQuerySet["ReportProgress"]):
    """Queryset of progress."""

    def visible_to(self, user: User | AnonymousUser) -> ReportProgressQuerySet:
        """Progress of the reports that the person may see."""
        return self.filter(
            Q(task__in=Task.objects.organized_by(user)) | Q(task__in=Task.objects.released_to(user))
        )


class ReportProgress(LongWork):
    """Progress of the report of a task and a choice, in sections.

    If it ended without a report, ``problem`` holds the reason and ``inputs_sha256`` identifies the inputs.
    """

    task_name = "evaluation.run_reports"

    task = models.ForeignKey(Task, models.PROTECT, related_name="+")
    choice = models.JSONField(default=dict)
    choice_sha256 = models.CharField(max_length=64)
    inputs_sha256 = models.CharField(max_length=64, blank=True)
    ended_at = models.DateTimeField(null=True)
    done_count = models.PositiveSmallIntegerField("sections done", default=0)
    section_count = models.PositiveSmallIntegerField("sections in all", default=0)
    problem = models.TextField(blank=True)

    objects = ReportProgressQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "report progress"
        constraints = [
            *LongWork.Meta.constraints,
            models.UniqueConstraint(fields=["task", "choice_sha256"], name="report_progress_once_a_choice"),
        ]

    def __str__(self) -> str:
        return f"Progress of the report of {self.task}"


class Scoring(LongWork):
    """The computation of all values of a task's runs under its qrels, one row a task."""

    task_name = "evaluation.run_scores"

    task = models.OneToOneField(Task, models.PROTECT, related_name="+")
    ended_at = models.DateTimeField(null=True)

    objects = LongWorkQuerySet.as_manager()

    class Meta:
        constraints = [*LongWork.Meta.constraints]

    def __str__(self) -> str:
        return f"Scores of {self.task}"
