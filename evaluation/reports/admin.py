"""Read-only admin of reports and their zips."""

from django.contrib import admin

from evaluation.reports.models import Packing, Report
from evaluation.web.admin.base import ReadOnlyAdmin


@admin.register(Report)
class ReportAdmin(ReadOnlyAdmin):
    """Computed reports."""

    track_path = "task__track"
    list_display = ("task", "reference", "computed_at", "code_version", "inputs_sha256")
    list_filter = (("task", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("task__track", "reference")
    ordering = ("-computed_at",)


@admin.register(Packing)
class PackingAdmin(ReadOnlyAdmin):
    """Packings of zips."""

    track_path = "task__track"
    list_display = ("task", "report", "queued_at", "claimed_at", "packed_at", "attempt_count", "parked_at")
    list_filter = (("task", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("task__track", "report__task__track")
    ordering = ("-claimed_at",)
