"""Verdicts of checks, in a table of their own, so that lists of runs do not load them."""

from __future__ import annotations

from typing import Any

import pgtrigger
from django.db import models
from django.db.models import Func, IntegerField
from django.db.models.functions import Cast
from django.db.models.lookups import LessThanOrEqual

from evaluation.submissions.teams.models import OfTeamQuerySet
from trackside.checks.verdict import JSON_BYTES


class RunVerdict(models.Model):
    """The verdict of one check: ``content`` is ``trackside.checks.Verdict.to_json()``."""

    content = models.JSONField()

    team_path = "run__team"
    objects = OfTeamQuerySet["RunVerdict"].as_manager()

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
