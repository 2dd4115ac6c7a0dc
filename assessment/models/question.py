"""Extra questions for assessors beside the grade."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q

from assessment.models.judgment import Judgment
from evaluation.access.people import User
from evaluation.access.schema.tracking import tracked
from evaluation.tracks.models import Task


class ExtraQuestionQuerySet(models.QuerySet["ExtraQuestion"]):
    """Reads of questions."""

    def visible_to(self, user: User | AnonymousUser) -> ExtraQuestionQuerySet:
        """Questions of the tasks that the user may see."""
        return self.filter(task__in=Task.objects.visible_to(user))


@tracked
class ExtraQuestion(models.Model):
    """A question about every item of a task: a choice, such as a confidence of 1 to 3, or free text.

    A reply is stored with its judgment under the question's ``name``.
    """

    task = models.ForeignKey(Task, models.CASCADE, related_name="extra_questions")
    place = models.PositiveSmallIntegerField(default=1, help_text="Questions are shown in ascending order.")
    name = models.SlugField(max_length=40, help_text="The reply's name in exports, such as confidence.")
    text = models.CharField(max_length=200)
    choices = models.TextField(blank=True, help_text="One per line. Empty: the reply is free text.")
    is_required = models.BooleanField(default=True, help_text="No grade is accepted without a reply.")

    objects = ExtraQuestionQuerySet.as_manager()

    class Meta:
        ordering = ["task", "place", "name"]
        constraints = [
            models.UniqueConstraint(fields=["task", "name"], name="extra_question_name_once_a_task"),
            models.CheckConstraint(condition=~Q(text=""), name="extra_question_has_a_text"),
        ]

    def __str__(self) -> str:
        return self.text

    def clean(self) -> None:
        """Check that no reply becomes required once the task has judgments.

        Pages that assessors have open, and judgments stored in their browsers, lack the reply: the site
        would refuse them.
        """
        if not self.is_required or not Judgment.objects.filter(task=self.task_id).exists():
            return
        if not ExtraQuestion.objects.filter(pk=self.pk, is_required=True).exists():
            why = "The task has judgments, and others may wait in assessors' browsers without this reply."
            raise ValidationError({"is_required": f"{why} Leave the reply optional."})

    @property
    def options(self) -> list[str]:
        """The possible replies; empty for free text."""
        return [line.strip() for line in self.choices.splitlines() if line.strip()]

    @property
    def is_numeric(self) -> bool:
        """Whether every possible reply is a whole number, such as a confidence of 1 to 3."""
        return bool(self.options) and all(option.isdecimal() for option in self.options)
