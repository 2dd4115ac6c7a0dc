"""The plan of a task's judging: percentages, the exam and the length of a lease."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q

from evaluation.access.people import User
from evaluation.access.schema.tracking import tracked
from evaluation.tracks.models import Task

MOST_MIXED_IN = 30  # per cent of an assessor's items


class JudgingPlanQuerySet(models.QuerySet["JudgingPlan"]):
    """Reads of plans."""

    def visible_to(self, user: User | AnonymousUser) -> JudgingPlanQuerySet:
        """Organizers only: it shows how often assessors are checked."""
        return self.filter(task__in=Task.objects.organized_by(user))

    def of(self, task: Task) -> JudgingPlan:
        """Return the task's plan, or an unsaved default one."""
        try:
            return task.judging_plan  # no query if the task was selected with it
        except JudgingPlan.DoesNotExist:
            return JudgingPlan(task=task)


@tracked
class JudgingPlan(models.Model):
    """The organizers' settings for a task's judging, read when items are assigned or leased."""

    task = models.OneToOneField(Task, models.CASCADE, related_name="judging_plan")
    gold_percent = models.PositiveSmallIntegerField(
        default=0, help_text="Gold items mixed in, per cent of an assessor's items in a topic."
    )
    repeat_percent = models.PositiveSmallIntegerField(
        default=0, help_text="Items shown a second time, per cent of an assessor's items in a topic."
    )
    pass_percent = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="Exam items to grade right before the real work, per cent. Empty: there is no exam.",
    )
    lease_minutes = models.PositiveSmallIntegerField(
        default=30, help_text="How long items are reserved for an assessor if a pool is judged item by item."
    )

    objects = JudgingPlanQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(gold_percent__lte=MOST_MIXED_IN, repeat_percent__lte=MOST_MIXED_IN),
                name="plan_rates_not_too_high",
                violation_error_message=f"Mix in {MOST_MIXED_IN} per cent at most.",
            ),
            models.CheckConstraint(condition=Q(lease_minutes__gte=1), name="plan_lease_positive"),
            models.CheckConstraint(
                condition=Q(pass_percent__isnull=True) | Q(pass_percent__lte=100), name="plan_pass_is_a_share"
            ),
        ]

    def __str__(self) -> str:
        return f"Judging of {self.task}"

    @property
    def lease(self) -> timedelta:
        """The duration of a lease."""
        return timedelta(minutes=self.lease_minutes)
