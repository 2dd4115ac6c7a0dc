"""What a task asks and allows of those who submit."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q

from evaluation.core.replies import YES_NO, Asked
from evaluation.models.team import Team
from evaluation.models.track import Task

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from evaluation.models.people import User


class QuestionKind(models.TextChoices):
    """What a reply may be."""

    TEXT = "text", "free text"
    CHOICE = "choice", "one of several choices"
    YES_NO = "yes-no", "yes or no"


class SubmissionQuestionQuerySet(models.QuerySet["SubmissionQuestion"]):
    """Reads of questions."""

    def visible_to(self, user: User | AnonymousUser) -> SubmissionQuestionQuerySet:
        """Those of the tasks one may see."""
        return self.filter(task__in=Task.objects.visible_to(user))

    def asked_of(self, task: Task, team: Team) -> list[Asked]:
        """The task's questions as the team has to answer them: baselines need no reply."""
        questions = [question.asked for question in self.filter(task=task)]
        return [replace(each, is_required=False) for each in questions] if team.is_baseline else questions


class SubmissionQuestion(models.Model):
    """A question on a task's submission form. A reply is kept with its run under the question's ``name``."""

    task = models.ForeignKey(Task, models.CASCADE, related_name="submission_questions")
    place = models.PositiveSmallIntegerField(default=1, help_text="Questions stand in rising order.")
    name = models.SlugField(max_length=40, help_text="Names the reply in exports and in the API: training.")
    text = models.CharField(max_length=300)
    kind = models.CharField(max_length=6, choices=QuestionKind, default=QuestionKind.TEXT)
    choices = models.TextField(blank=True, help_text="One a line, for a question with choices.")
    is_required = models.BooleanField(default=False, help_text="No run is taken without a reply.")

    objects = SubmissionQuestionQuerySet.as_manager()

    class Meta:
        ordering = ["task", "place", "name"]
        constraints = [
            models.UniqueConstraint(fields=["task", "name"], name="submission_question_name_once_a_task"),
            models.CheckConstraint(condition=~Q(text=""), name="submission_question_has_a_text"),
            models.CheckConstraint(
                condition=Q(kind=QuestionKind.CHOICE, choices__regex=r"\S")
                | (~Q(kind=QuestionKind.CHOICE) & Q(choices="")),
                name="submission_question_choices_iff_kind_choice",
                violation_error_message="Choices go with a question of that kind, and with no other.",
            ),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def options(self) -> tuple[str, ...]:
        """The replies to choose from; empty for free text."""
        if self.kind == QuestionKind.YES_NO:
            return YES_NO
        return tuple(line.strip() for line in self.choices.splitlines() if line.strip())

    @property
    def asked(self) -> Asked:
        """The question as the check of replies takes it."""
        return Asked(self.name, self.text, self.options, self.is_required)


class TeamLimitQuerySet(models.QuerySet["TeamLimit"]):
    """Reads of limits."""

    def visible_to(self, user: User | AnonymousUser) -> TeamLimitQuerySet:
        """One's own team's, and those of the tasks one organizes."""
        return self.filter(
            Q(team__in=Team.objects.of_member(user)) | Q(task__in=Task.objects.organized_by(user))
        )

    def runs_allowed(self, task: Task, team: Team) -> int | None:
        """How many accepted runs the team may have in the task: its own limit, else the task's.

        None: any number. Baselines are never limited.
        """
        if team.is_baseline:
            return None
        own = self.filter(task=task, team=team).first()
        return own.max_runs if own else task.max_runs


class TeamLimit(models.Model):
    """How many accepted runs one team may have in a task, in the place of the task's own limit."""

    task = models.ForeignKey(Task, models.CASCADE, related_name="team_limits")
    team = models.ForeignKey(Team, models.CASCADE, related_name="limits")
    max_runs = models.PositiveSmallIntegerField(
        "accepted runs, at most", null=True, blank=True, help_text="Empty: any number."
    )

    objects = TeamLimitQuerySet.as_manager()

    class Meta:
        ordering = ["task", "team"]
        constraints = [
            models.UniqueConstraint(fields=["task", "team"], name="team_limit_once_a_task"),
            models.CheckConstraint(
                condition=Q(max_runs__isnull=True) | Q(max_runs__gte=1), name="team_limit_positive"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team} in {self.task}: {self.max_runs or 'any number of'} runs"
