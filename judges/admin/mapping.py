"""Frozen rules to read."""

from django.contrib import admin

from evaluation.admin.base import ReadOnlyAdmin
from judges.models import Mapping


@admin.register(Mapping)
class MappingAdmin(ReadOnlyAdmin):
    """Frozen thresholds."""

    track_path = "pool__task__track"
    list_display = (
        "rule",
        "version",
        "judge",
        "pool",
        "thresholds",
        "score_count",
        "created_at",
        "created_by",
    )
    list_filter = (
        "rule",
        ("judge", admin.RelatedOnlyFieldListFilter),
        ("pool", admin.RelatedOnlyFieldListFilter),
    )
    list_select_related = ("judge", "pool__task__track", "created_by")
