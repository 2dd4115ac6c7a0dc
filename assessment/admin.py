"""Admin of assignments, judgments, plans, gold items, questions and training."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from assessment.models.assignment import Assignment
from assessment.models.gold import GoldItem
from assessment.models.judgment import Judgment
from assessment.models.plan import JudgingPlan
from assessment.models.question import ExtraQuestion
from assessment.models.remark import Remark
from assessment.models.training import TrainingReply
from assessment.publishing.actions import publish_judgments
from evaluation.access.requests import SignedInRequest
from evaluation.tracks.models import Task
from evaluation.web.admin.base import ReadOnlyAdmin, TracksideAdmin, register_read_only
from trackside.errors import InputError


@admin.register(Assignment)
class AssignmentAdmin(ReadOnlyAdmin):
    """Assignments; one can be deleted while nothing is judged."""

    track_path = "pool__task__track"
    list_display = ["topic", "pool", "assessor", "kind", "assigned_at", "assigned_by"]
    list_filter = ["kind", ("pool", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["pool__task__track", "assessor", "assigned_by"]
    search_fields = ["topic", "assessor__name", "assessor__email"]
    actions = ["publish"]

    @admin.action(description="Publish people's qrels of these assignments' tasks", permissions=["view"])
    def publish(self, request: SignedInRequest, assignments: QuerySet[Assignment]) -> None:
        """Publish people's judgments so far, once per task."""
        for task in Task.objects.filter(pools__assignments__in=assignments).distinct():
            try:
                published = publish_judgments(task=task, by=request.user)
            except InputError as error:
                self.message_user(request, str(error), messages.ERROR)
            else:
                self.message_user(request, f"{task}: published {', '.join(map(str, published))}.")

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Organizers may delete an assignment if its assessor has judged no item of the topic in the task."""
        if obj is None:
            return False
        return (
            self._is_theirs(request, obj)
            and not Judgment.objects.filter(
                task=obj.pool.task_id, topic=obj.topic, assessor=obj.assessor_id
            ).exists()
        )


register_read_only(
    Judgment,
    "judged_at task topic docno assessor mark is_flagged active_seconds",
    track_path="task__track",
    search="topic docno assessor__name assessor__email",
    date_hierarchy="judged_at",
)


register_read_only(
    Remark,
    "made_at task topic docno assessor comment is_flagged",
    track_path="task__track",
    search="topic docno comment assessor__name assessor__email",
    date_hierarchy="made_at",
)


@admin.register(JudgingPlan)
class JudgingPlanAdmin(TracksideAdmin):
    """Plans of judging. A change does not affect items that are assigned or leased."""

    track_path = "task__track"
    fixed_fields = ("task",)
    list_display = ["task", "gold_percent", "repeat_percent", "pass_percent", "lease_minutes"]
    list_select_related = ["task__track"]


@admin.register(GoldItem)
class GoldItemAdmin(TracksideAdmin):
    """Pairs with a known grade: for practice, for the exam, or mixed into the items of their topic."""

    track_path = "task__track"
    fixed_fields = ("task",)
    list_display = ["topic", "docno", "grade", "use", "task"]
    list_filter = ["use", ("task", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["task__track"]
    search_fields = ["topic", "docno"]


@admin.register(ExtraQuestion)
class ExtraQuestionAdmin(TracksideAdmin):
    """Questions beside the grade. They cannot be deleted once the task has judgments."""

    track_path = "task__track"
    fixed_fields = ("task", "name", "choices")
    list_display = ["text", "name", "place", "is_required", "task"]
    list_filter = [("task", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["task__track"]

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Organizers may delete a question until the task has judgments: replies name their question."""
        if obj is None:
            return False
        return self._is_theirs(request, obj) and not Judgment.objects.filter(task=obj.task_id).exists()


@admin.register(TrainingReply)
class TrainingReplyAdmin(ReadOnlyAdmin):
    """Grades of practice and exam items. Delete an assessor's grades to allow another try."""

    track_path = "item__task__track"
    list_display = ["assessor", "item", "grade", "is_right", "replied_at"]
    list_filter = ["item__use", ("item__task", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["item", "assessor"]
    search_fields = ["assessor__name", "assessor__email"]

    @admin.display(boolean=True, description="right")
    def is_right(self, reply: TrainingReply) -> bool:
        """Whether the reply is the known grade."""
        return reply.is_right

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Organizers may delete a reply, to allow another try."""
        return self._is_theirs(request, obj)
