"""Read-only admin of reports."""

from __future__ import annotations

from django.contrib import admin

from evaluation.access.admin.base import ReadOnlyAdmin
from evaluation.reports.models import Report


@admin.register(Report)
class ReportAdmin(ReadOnlyAdmin):
    """Computed reports."""

    track_path = "task__track"
    list_display = ("task", "reference", "computed_at", "code_version", "inputs_sha256")
    list_filter = (("task", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("task__track", "reference")
    ordering = ("-computed_at",)
