"""Qrels, values and reports, to read."""

from __future__ import annotations

from django.contrib import admin

from evaluation.admin.base import ReadOnlyAdmin
from evaluation.models import MeasureValue, Qrels, QrelsPair, Report, ReportProgress


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
    """The graded pairs and the gaps."""

    track_path = "qrels__task__track"
    list_display = ("topic", "docno", "grade", "raw_score", "outcome", "qrels")
    list_filter = ("grade", ("qrels", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("qrels",)
    search_fields = ("topic", "docno")
    ordering = ("qrels", "topic", "docno")


@admin.register(MeasureValue)
class MeasureValueAdmin(ReadOnlyAdmin):
    """Values of measures."""

    track_path = "run__task__track"
    list_display = ("run", "measure", "mean", "qrels", "computed_at", "code_version")
    list_filter = (("qrels", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("run", "qrels")
    search_fields = ("run__tag", "measure")
    ordering = ("qrels", "measure", "-mean")


@admin.register(Report)
class ReportAdmin(ReadOnlyAdmin):
    """Computed reports."""

    track_path = "task__track"
    list_display = ("task", "reference", "computed_at", "code_version", "inputs_sha256")
    list_filter = (("task", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("task__track", "reference")
    ordering = ("-computed_at",)


@admin.register(ReportProgress)
class ReportProgressAdmin(ReadOnlyAdmin):
    """How far reports are."""

    track_path = "task__track"
    list_display = ("task", "asked_at", "begun_at", "ended_at", "done_count", "section_count", "problem")
    list_filter = (("task", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("task__track",)
    ordering = ("-asked_at",)
