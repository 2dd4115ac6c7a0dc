"""Admin of assignments and judgments: to look at; actions write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from assessment.models import Assignment, Judgment
from evaluation.admin.base import ReadOnlyAdmin

if TYPE_CHECKING:
    from django.http import HttpRequest


@admin.register(Assignment)
class AssignmentAdmin(ReadOnlyAdmin):
    """Who judges what. An assignment can be taken back while nothing is judged."""

    track_path = "pool__task__track"
    list_display = ["topic", "pool", "assessor", "is_second", "assigned_at", "assigned_by"]
    list_filter = ["is_second", ("pool", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["pool__task__track", "assessor", "assigned_by"]
    search_fields = ["topic", "assessor__name", "assessor__email"]

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Organizers may, as long as the assessor has judged nothing of the topic in the task."""
        if obj is None:
            return False
        return (
            self._is_theirs(request, obj)
            and not Judgment.objects.filter(
                task=obj.pool.task_id, topic=obj.topic, assessor=obj.assessor_id
            ).exists()
        )


@admin.register(Judgment)
class JudgmentAdmin(ReadOnlyAdmin):
    """Every event as it came in."""

    track_path = "task__track"
    list_display = ["judged_at", "task", "topic", "docno", "assessor", "mark", "active_seconds"]
    list_filter = ["grade", "reason", "criteria__version"]
    list_select_related = ["task__track", "assessor"]
    search_fields = ["topic", "docno", "assessor__name", "assessor__email"]
    date_hierarchy = "judged_at"
