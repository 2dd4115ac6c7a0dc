"""Admin of trials."""

from django.contrib import admin

from evaluation.access.admin.base import ReadOnlyAdmin
from judges.trying.models import Trial


@admin.register(Trial)
class TrialAdmin(ReadOnlyAdmin):
    """Answers of judges in trials on one pair."""

    track_path = "task__track"
    list_display = ("judge", "task", "topic", "docno", "asked_by", "asked_at", "ended_at", "result", "error")
    list_select_related = ("judge", "task__track", "asked_by")
