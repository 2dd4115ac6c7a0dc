"""The report: agreement of other qrels with the people's."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.db import models
from django.db.models.functions import Now

from evaluation.results.qrels.models import Qrels
from evaluation.tracks.models import Task
from evaluation.tracks.visibility import ReleasedQuerySet
from evaluation.tracks.work.models import LongWork, LongWorkQuerySet
from trackside.reporting.findings import FORM, Findings
from trackside.reporting.writers.stored import from_json


class ReportQuerySet(ReleasedQuerySet["Report"]):
    """Queryset of reports."""

    def whole(self) -> ReportQuerySet:
        """Reports on all runs and topics."""
        return self.filter(choice={})


class Report(models.Model):
    """A computed report. Its findings are ``facts`` and, a hundred times as long, ``sections``."""

    task = models.ForeignKey(Task, models.PROTECT, related_name="reports")
    reference = models.ForeignKey(Qrels, models.PROTECT, related_name="+")
    choice = models.JSONField(default=dict, blank=True)
    inputs_sha256 = models.CharField(max_length=64)
    facts = models.JSONField()
    sections = models.JSONField()
    code_version = models.CharField(max_length=64)
    computed_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ReportQuerySet.as_manager()

    class Meta:
        get_latest_by = "computed_at"
        constraints = [models.UniqueConstraint(fields=["task", "inputs_sha256"], name="report_once_an_input")]

    def __str__(self) -> str:
        return f"Report of {self.task}"

    @property
    def is_old(self) -> bool:
        """Whether older software stored the findings in another form, of which only tables can be shown."""
        return bool(self.facts.get("form", 1) != FORM)

    @property
    def stored(self) -> dict[str, Any]:
        """The findings in the format of ``core.report.writers.stored`` and ``findings.json``."""
        parts = self.facts if "form" in self.facts else {"form": 1, "facts": self.facts}
        return {**parts, "sections": self.sections}

    @cached_property
    def summary(self) -> Findings:
        """The findings without sections. Raises InputError."""
        return from_json({**self.facts, "form": self.facts.get("form", 1)})


class Packing(LongWork):
    """The packing of a report's zip; ``stored_as`` is the zip's name in the storage once it is packed."""

    task_name = "evaluation.run_packings"

    task = models.ForeignKey(Task, models.PROTECT, related_name="+")
    report = models.OneToOneField(Report, models.CASCADE, related_name="+")
    stored_as = models.CharField(max_length=100, blank=True)
    packed_at = models.DateTimeField(null=True)

    objects = LongWorkQuerySet.as_manager()

    class Meta:
        constraints = [*LongWork.Meta.constraints]

    def __str__(self) -> str:
        return f"Zip of the report of {self.task}"
