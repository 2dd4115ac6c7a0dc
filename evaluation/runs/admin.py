"""Runs, their families and their rankings."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from evaluation.runs.families import Family
from evaluation.runs.forms import RunMetadataForm
from evaluation.runs.late_exceptions import LateException
from evaluation.runs.models import Run
from evaluation.runs.notes import RunNote
from evaluation.runs.rankings import Ranking
from evaluation.web.admin.base import TracksideAdmin, register_read_only


@admin.register(Family)
class FamilyAdmin(TracksideAdmin):
    """Run families."""

    track_path = "task__track"
    fixed_fields = ("task",)
    list_display = ("name", "task")
    list_filter = (("task", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("task__track",)
    search_fields = ("name",)


@admin.register(Run)
class RunAdmin(TracksideAdmin):
    """Uploads: descriptions and pooling can be edited, all other fields are read-only."""

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
        "late_exception",
        "received_by",
        "replies",
        "checked_at",
        "replaces",
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: uploads add runs."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Return False: runs are never deleted; they can be withdrawn."""
        return False


register_read_only(
    LateException,
    "team task closes_at reason granted_by withdrawn_at",
    track_path="task__track",
    search="team__name",
)


@admin.register(RunNote)
class RunNoteAdmin(TracksideAdmin):
    """Notes on runs: correct or delete one; the page of the run writes them."""

    track_path = "run__task__track"
    fixed_fields = ("run",)
    readonly_fields = ("written_at", "written_by")
    list_display = ("run", "written_at", "written_by", "text")
    list_filter = (("run__task", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("run", "written_by")
    search_fields = ("run__tag",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """The page mails them, too."""
        return False


register_read_only(
    Ranking,
    "run topic",
    track_path="run__task__track",
    search="run__tag topic",
    ordering=("run", "topic"),
    exclude=("scores",),
)
