"""Read-only admin of qrels."""

from __future__ import annotations

from django.contrib import admin

from evaluation.access.admin.base import ReadOnlyAdmin
from evaluation.qrels.models import Qrels, QrelsPair


@admin.register(Qrels)
class QrelsAdmin(ReadOnlyAdmin):
    """Published sets of grades."""

    track_path = "task__track"
    list_display = ("name", "version", "kind", "task", "graded_count", "pair_count", "created_at", "sha256")
    list_filter = ("kind", ("task", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("task__track",)
    search_fields = ("name", "sha256")


@admin.register(QrelsPair)
class QrelsPairAdmin(ReadOnlyAdmin):
    """Graded pairs and gaps."""

    track_path = "qrels__task__track"
    list_display = ("topic", "docno", "grade", "raw_score", "outcome", "qrels")
    list_filter = ("grade", ("qrels", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("qrels",)
    search_fields = ("topic", "docno")
    ordering = ("qrels", "topic", "docno")
