"""Exclusions: statements that an assessor's judgments do not count."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import OuterRef, Q
from django.db.models.functions import Now

from assessment.models.aggregate_updates import EXCLUDED_VARIABLES, UPDATE_EXCLUDED
from assessment.models.judgment import Judgment, JudgmentQuerySet
from evaluation.platform.access.people import User
from evaluation.platform.access.schema.tracking import tracked
from evaluation.tracks.models import Task
from evaluation.tracks.visibility import OrganizedQuerySet


class ExclusionQuerySet(OrganizedQuerySet["Exclusion"]):
    """Reads of exclusions."""

    def in_force(self) -> ExclusionQuerySet:
        """Exclusions that are not undone."""
        return self.filter(undone_at__isnull=True)

    def of_topic(self, topic: OuterRef | str) -> ExclusionQuerySet:
        """Exclusions of the whole task and of this topic."""
        return self.filter(Q(topic="") | Q(topic=topic))

    def of_later_work(self) -> ExclusionQuerySet:
        """Exclusions in force without an end: what the assessor judges from now on does not count either."""
        return self.in_force().filter(until__isnull=True)

    def covering(self, moment: str = "judged_at") -> ExclusionQuerySet:
        """Exclusions in force of the judgment, or remark, of the outer query; ``moment`` is its time."""
        begun = Q(since__isnull=True) | Q(since__lte=OuterRef(moment))
        not_over = Q(until__isnull=True) | Q(until__gt=OuterRef(moment))
        rows = self.in_force().of_topic(OuterRef("topic"))
        return rows.filter(begun, not_over, task=OuterRef("task"), assessor=OuterRef("assessor"))


@tracked
class Exclusion(models.Model):
    """A statement that an assessor's judgments of a task, or of one topic, or of a time, do not count.

    The judgments stay. Triggers take them out of the aggregates, so that no page and no qrels count them.
    Without ``until`` it is also about later judgments. After an undo the judgments count again.
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="exclusions")
    assessor = models.ForeignKey(User, models.PROTECT, related_name="exclusions")
    topic = models.CharField(max_length=255, blank=True, db_collation="C", help_text="Empty: all topics.")
    since = models.DateTimeField(null=True, help_text="Empty: from the first judgment on.")
    until = models.DateTimeField(null=True, help_text="Empty: later judgments do not count either.")
    reason = models.TextField(help_text="Published with the qrels.")
    made_at = models.DateTimeField(db_default=Now(), editable=False)
    made_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    undone_at = models.DateTimeField(null=True, editable=False)
    undone_by = models.ForeignKey(User, models.PROTECT, null=True, editable=False, related_name="+")

    task_path: ClassVar = "task"
    objects = ExclusionQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="exclusion_has_a_reason"),
            models.CheckConstraint(
                condition=Q(since__isnull=True) | Q(until__isnull=True) | Q(since__lt=models.F("until")),
                name="exclusion_ends_after_it_begins",
            ),
            models.CheckConstraint(
                condition=Q(undone_at__isnull=True, undone_by__isnull=True)
                | Q(undone_at__isnull=False, undone_by__isnull=False),
                name="exclusion_undone_by_someone",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="exclusions_are_not_changed",
                fields=["task", "assessor", "topic", "since", "until", "reason", "made_at", "made_by"],
            ),
            pgtrigger.Protect(
                name="undone_exclusions_stay_so",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__undone_at__isnull=False),
            ),
            pgtrigger.Protect(name="exclusions_are_not_deleted", operation=pgtrigger.Delete),
            pgtrigger.Trigger(
                name="excluded_judgments_are_recounted",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.After,
                declare=EXCLUDED_VARIABLES,
                func=UPDATE_EXCLUDED,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assessor}: {self.topic or 'all topics'}"

    @property
    def judgments(self) -> JudgmentQuerySet:
        """The current judgments that it is about, whether or not it is in force."""
        rows = Judgment.objects.filter(task=self.task_id, assessor=self.assessor_id)
        if self.topic:
            rows = rows.filter(topic=self.topic)
        bounds = {"judged_at__gte": self.since, "judged_at__lt": self.until}
        latest = rows.current().values("pk")
        return rows.filter(pk__in=latest, **{name: moment for name, moment in bounds.items() if moment})
