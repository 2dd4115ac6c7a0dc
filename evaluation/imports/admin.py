"""Read-only admin of imports."""

from __future__ import annotations

from django.contrib import admin

from evaluation.imports.models import Import
from evaluation.web.admin.base import ReadOnlyAdmin


@admin.register(Import)
class ImportAdmin(ReadOnlyAdmin):
    """Files that organizers imported."""

    track_path = "task__track"
    list_display = (
        "file_name",
        "kind",
        "task",
        "state",
        "received_by",
        "received_at",
        "confirmed_by",
        "ended_at",
    )
    list_filter = ("kind", "state", ("task", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("task__track", "received_by", "confirmed_by")
    search_fields = ("file_name",)
