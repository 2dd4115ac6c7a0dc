"""Admin of assignments, judgments, plans, gold items, questions and training."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from assessment.models.assignment import Assignment
from assessment.models.gold import GoldItem
from assessment.models.judgment import Judgment
from assessment.models.plan import JudgingPlan
from assessment.models.question import ExtraQuestion
from assessment.models.remark import Remark
from assessment.models.training import TrainingReply
from evaluation.web.admin.base import TracksideAdmin, register_table


@admin.register(Assignment)
class AssignmentAdmin(TracksideAdmin):
    """Assignments; one can be deleted while nothing is judged."""

    can = ""
    track_path = "pool__task__track"
    list_display = ["topic", "pool", "assessor", "kind", "assigned_at", "assigned_by"]
    list_filter = ["kind", ("pool", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["pool__task__track", "assessor", "assigned_by"]
    search_fields = ["topic", "assessor__name", "assessor__email"]

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


register_table(
    Judgment,
    "judged_at task topic docno assessor mark is_flagged active_seconds",
    track_path="task__track",
    search="topic docno assessor__name assessor__email",
    date_hierarchy="judged_at",
)


register_table(
    Remark,
    "made_at task topic docno assessor comment is_flagged",
    track_path="task__track",
    search="topic docno comment assessor__name assessor__email",
    date_hierarchy="made_at",
)


register_table(  # a change does not affect items that are assigned or leased
    JudgingPlan,
    "task gold_percent repeat_percent pass_percent lease_minutes",
    can="add change delete",
    track_path="task__track",
    fixed="task",
    list_filter=(),
)


register_table(
    GoldItem,
    "topic docno grade use task",
    can="add change delete",
    track_path="task__track",
    search="topic docno",
    fixed="task",
)


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


register_table(  # delete an assessor's grades to allow another try
    TrainingReply,
    "assessor item grade is_right replied_at",
    can="delete",
    track_path="item__task__track",
    search="assessor__name assessor__email",
    list_filter=("item__use", ("item__task", admin.RelatedOnlyFieldListFilter)),
)
