"""Verdicts of checks, in a table of their own, so that lists of runs do not load them."""

from __future__ import annotations

from typing import Any

import pgtrigger
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Func, IntegerField, Q
from django.db.models.functions import Cast
from django.db.models.lookups import LessThanOrEqual

from evaluation.access.people import User
from evaluation.teams.models import Team
from evaluation.tracks.models import Task
from trackside.checks.verdict import JSON_BYTES


class RunVerdictQuerySet(models.QuerySet["RunVerdict"]):
    """Queryset of verdicts."""

    def visible_to(self, user: User | AnonymousUser) -> RunVerdictQuerySet:
        """Verdicts on runs of the person's teams, and of the tasks that they organize."""
        return self.filter(
            Q(run__team__in=Team.objects.of_member(user)) | Q(run__task__in=Task.objects.organized_by(user))
        )


class RunVerdict(models.Model):
    """The verdict of one check: ``content`` is ``trackside.checks.Verdict.to_json()``."""

    content = models.JSONField()

    objects = RunVerdictQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=LessThanOrEqual(
                    Func(
                        Cast("content", models.TextField()),
                        function="octet_length",
                        output_field=IntegerField(),
                    ),
                    JSON_BYTES,
                ),
                name="run_verdict_is_small",
            )
        ]
        triggers = [
            pgtrigger.Protect(name="verdicts_are_immutable", operation=pgtrigger.Update | pgtrigger.Delete)
        ]

    def __str__(self) -> str:
        return f"verdict {self.pk}"

    @property
    def faults(self) -> list[dict[str, Any]]:
        """Return the kinds of fault, in the format of ``to_json``."""
        faults: list[dict[str, Any]] = self.content["faults"]
        return faults
