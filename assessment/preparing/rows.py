"""Extra questions, which organizers correct, and training, which they let an assessor repeat."""

from typing import Any

from django import forms
from django.urls import reverse

from assessment.models.question import ExtraQuestion
from assessment.models.training import TrainingReply
from evaluation.setup.rows import RowTable, register_rows
from evaluation.tracks.models import Task


class ExtraQuestionTextForm(forms.ModelForm[ExtraQuestion]):
    """What can change in a question that has replies."""

    class Meta:
        model = ExtraQuestion
        fields = ("place", "text", "is_required")


def forget_training(reply: TrainingReply) -> None:
    """Delete all replies of the assessor in the task, so that practice and exam begin again."""
    TrainingReply.objects.filter(assessor=reply.assessor_id, item__task=reply.item.task_id).delete()


def trained_in(task: Task) -> Any:
    """Return the first reply of each assessor who has begun the training of the task."""
    replies = TrainingReply.objects.filter(item__task=task).select_related("assessor")
    return replies.order_by("assessor", "pk").distinct("assessor")


def _page(name: str, task: Task) -> str:
    return reverse(name, args=[task.track.slug, task.slug])


def register() -> None:
    """Register the tables. Called when Django starts."""
    register_rows(
        RowTable(
            "extra-question",
            lambda track: ExtraQuestion.objects.filter(task__track=track).select_related("task__track"),
            lambda question: _page("setup_plan", question.task),
            ExtraQuestionTextForm,
        ),
        RowTable(
            "training",
            lambda track: TrainingReply.objects.filter(item__task__track=track),
            lambda reply: _page("judging_progress", reply.item.task),
            remove=forget_training,
        ),
    )
