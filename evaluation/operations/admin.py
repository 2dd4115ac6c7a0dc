"""Read-only admin of operations."""

from __future__ import annotations

from django.contrib import admin

from evaluation.access.admin.base import ReadOnlyAdmin
from evaluation.operations.models import Operation


@admin.register(Operation)
class OperationAdmin(ReadOnlyAdmin):
    """Operations of organizers that workers run."""

    track_path = "task__track"
    list_display = ("kind", "about", "task", "outcome", "requested_by", "requested_at", "ended_at")
    list_filter = ("kind", "outcome", ("task", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("task__track", "requested_by")
    search_fields = ("about", "message")
