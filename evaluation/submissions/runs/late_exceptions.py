"""Late-run exceptions: a later close of a task for one team."""

from __future__ import annotations

from datetime import datetime

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.platform.access.people import User
from evaluation.platform.access.schema.tracking import tracked
from evaluation.submissions.teams.models import OfTeamQuerySet, Team
from evaluation.tracks.models import Task
from trackside.text.time_zones import EPOCH, FUTURE

REASON_MAX = 500  # characters


class LateExceptionQuerySet(OfTeamQuerySet["LateException"]):
    """Queryset of exceptions."""

    def open_at(self, moment: datetime | Now) -> LateExceptionQuerySet:
        """Exceptions that allow uploads at the moment: up to and including their end, and before judging."""
        before_judging = Q(task__judging_at__isnull=True) | Q(task__judging_at__gt=moment)
        return self.filter(
            before_judging, task__opens_at__lte=moment, closes_at__gte=moment, withdrawn_at__isnull=True
        )

    def with_is_over(self) -> LateExceptionQuerySet:
        """Annotate ``is_over``: whether the end has passed, by the database clock."""
        annotations = {"is_over": models.ExpressionWrapper(Q(closes_at__lt=Now()), models.BooleanField())}
        return self.annotate(**annotations)


@tracked
class LateException(models.Model):
    """A later close of a task for one team, with the reason. It can be withdrawn."""

    task = models.ForeignKey(Task, models.CASCADE, related_name="late_exceptions")
    team = models.ForeignKey(Team, models.CASCADE, related_name="late_exceptions")
    closes_at = models.DateTimeField("takes runs until")
    reason = models.CharField(max_length=REASON_MAX, help_text="Organizers and the team read it.")
    granted_at = models.DateTimeField(db_default=Now(), editable=False)
    granted_by = models.ForeignKey(User, models.PROTECT, related_name="+", editable=False)
    withdrawn_at = models.DateTimeField(null=True, editable=False)
    withdrawn_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+", editable=False)

    is_over: bool  # of with_is_over()

    objects = LateExceptionQuerySet.as_manager()

    class Meta:
        ordering = ["-granted_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["task", "team"],
                condition=Q(withdrawn_at__isnull=True),
                name="late_exception_once_a_team",
            ),
            models.CheckConstraint(condition=Q(reason__regex=r"\S"), name="late_exception_has_a_reason"),
            models.CheckConstraint(
                condition=Q(closes_at__range=(EPOCH, FUTURE)), name="late_exception_of_this_age"
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_at__isnull=True, withdrawn_by__isnull=True)
                | Q(withdrawn_at__isnull=False, withdrawn_by__isnull=False),
                name="late_exception_withdrawn_by_somebody",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="a_late_exception_stays_as_granted",
                fields=["task", "team", "closes_at", "reason", "granted_at", "granted_by"],
            ),
            pgtrigger.Trigger(
                name="a_late_exception_fits_its_task",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF (SELECT track_id FROM evaluation_task WHERE id = NEW.task_id)
                       <> (SELECT track_id FROM evaluation_team WHERE id = NEW.team_id) THEN
                        RAISE EXCEPTION 'team % is of another track', NEW.team_id
                        USING ERRCODE = 'check_violation';
                    END IF;
                    IF EXISTS (SELECT FROM evaluation_pool WHERE task_id = NEW.task_id) THEN
                        RAISE EXCEPTION 'task %: a pool is frozen, so no late run can join it', NEW.task_id
                        USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team} in {self.task}"
