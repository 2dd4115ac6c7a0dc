"""Runs, their families and their rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from evaluation.admin.base import ReadOnlyAdmin, TracksideAdmin
from evaluation.forms.setup import RunMetadataForm
from evaluation.models import Family, Ranking, Run

if TYPE_CHECKING:
    from django.http import HttpRequest


@admin.register(Family)
class FamilyAdmin(TracksideAdmin):
    """Kinds of runs."""

    track_path = "task__track"
    fixed_fields = ("task",)
    list_display = ("name", "task")
    list_filter = (("task", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("task__track",)
    search_fields = ("name",)


@admin.register(Run)
class RunAdmin(TracksideAdmin):
    """Uploads: what is said of one and how it is pooled can be changed, the rest is a record."""

    track_path = "task__track"
    form = RunMetadataForm
    list_display = (
        "__str__",
        "team",
        "task",
        "state",
        "type",
        "suggested_family",
        "depth_in_pool",
        "pool_priority",
        "received_at",
        "is_late",
    )
    list_filter = (
        "state",
        "type",
        "is_late",
        ("task", admin.RelatedOnlyFieldListFilter),
        ("team", admin.RelatedOnlyFieldListFilter),
        ("families", admin.RelatedOnlyFieldListFilter),
    )
    list_select_related = ("team", "task__track")
    search_fields = ("tag", "file_name", "team__name")
    filter_horizontal = ("families",)
    readonly_fields = (
        "task",
        "team",
        "tag",
        "state",
        "file_name",
        "upload",
        "received_at",
        "is_late",
        "received_by",
        "replies",
        "checked_at",
        "replaces",
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Runs come by upload."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Runs are never deleted; they can be withdrawn."""
        return False


@admin.register(Ranking)
class RankingAdmin(ReadOnlyAdmin):
    """What a run retrieved for a topic."""

    track_path = "run__task__track"
    list_display = ("run", "topic")
    list_filter = (("run__task", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("run",)
    search_fields = ("run__tag", "topic")
    exclude = ("scores",)
    ordering = ("run", "topic")
