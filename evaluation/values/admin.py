"""Read-only admin of values."""

from __future__ import annotations

from django.contrib import admin

from evaluation.access.admin.base import ReadOnlyAdmin
from evaluation.values.models import MeasureValue


@admin.register(MeasureValue)
class MeasureValueAdmin(ReadOnlyAdmin):
    """Values of measures."""

    track_path = "run__task__track"
    list_display = ("run", "measure", "mean", "qrels", "computed_at", "code_version")
    list_filter = (("qrels", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("run", "qrels")
    search_fields = ("run__tag", "measure")
    ordering = ("qrels", "measure", "-mean")
