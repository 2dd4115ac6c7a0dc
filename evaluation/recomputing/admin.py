"""Read-only admin of the progress of reports and scores."""

from __future__ import annotations

from django.contrib import admin

from evaluation.access.admin.base import ReadOnlyAdmin
from evaluation.recomputing.models import ReportProgress, Scoring


@admin.register(ReportProgress)
class ReportProgressAdmin(ReadOnlyAdmin):
    """Progress of reports."""

    track_path = "task__track"
    list_display = (
        "task",
        "queued_at",
        "claimed_at",
        "ended_at",
        "attempt_count",
        "parked_at",
        "done_count",
        "section_count",
        "problem",
    )
    list_filter = (("task", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("task__track",)
    ordering = ("-claimed_at",)


@admin.register(Scoring)
class ScoringAdmin(ReadOnlyAdmin):
    """Progress of scores."""

    track_path = "task__track"
    list_display = ("task", "queued_at", "claimed_at", "ended_at", "attempt_count", "parked_at")
    list_filter = (("task", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("task__track",)
    ordering = ("-claimed_at",)
