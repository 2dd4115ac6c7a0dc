"""Questions of a task's submission form, and limits on runs per team."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.db import models, transaction
from django.db.models import Q

from evaluation.platform.access.schema.tracking import tracked
from evaluation.submissions.runs.models import Run, RunState
from evaluation.submissions.teams.models import OfTeamQuerySet, Team, TeamQuerySet
from evaluation.tracks.models import Task
from evaluation.tracks.visibility import ShownWithTaskQuerySet
from trackside.errors import InputError
from trackside.text.replies import YES_NO, Asked


class QuestionKind(models.TextChoices):
    """The kind of reply that a question takes."""

    TEXT = "text", "free text"
    CHOICE = "choice", "one of several choices"
    YES_NO = "yes-no", "yes or no"


class SubmissionQuestionQuerySet(ShownWithTaskQuerySet["SubmissionQuestion"]):
    """Queryset of questions."""

    def asked_of(self, task: Task, team: Team) -> list[Asked]:
        """Return the task's questions for the team; replies are optional for baselines."""
        questions = [question.asked for question in self.filter(task=task)]
        return [replace(item, is_required=False) for item in questions] if team.is_baseline else questions


@tracked
class SubmissionQuestion(models.Model):
    """A question on a task's submission form. A run stores the reply under the question's ``name``."""

    task = models.ForeignKey(Task, models.CASCADE, related_name="submission_questions")
    place = models.PositiveSmallIntegerField(default=1, help_text="Questions are shown in ascending order.")
    name = models.SlugField(
        max_length=40, help_text="The reply's name in exports and in the API, such as training."
    )
    text = models.CharField(max_length=300)
    kind = models.CharField(max_length=6, choices=QuestionKind, default=QuestionKind.TEXT)
    choices = models.TextField(blank=True, help_text="One per line, for a question with choices.")
    is_required = models.BooleanField(default=False, help_text="No run is accepted without a reply.")

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
        """Return the possible replies; empty for free text."""
        if self.kind == QuestionKind.YES_NO:
            return YES_NO
        return tuple(line.strip() for line in self.choices.splitlines() if line.strip())

    @property
    def asked(self) -> Asked:
        """Convert the question for the check of replies."""
        return Asked(self.name, self.text, self.options, self.is_required)


@transaction.atomic
def remove_question(*, question: SubmissionQuestion) -> None:
    """Remove a question that no run has replied to. Raises question-replied."""
    if Run.objects.filter(task=question.task_id, replies__has_key=question.name).exists():
        raise InputError(f"Runs have replies to “{question}”. It stays.", code="question-replied", status=409)
    question.delete()


def with_submissions(teams: TeamQuerySet, task: Task) -> TeamQuerySet:
    """Annotate the count of uploads to the task in each state (``accepted_count``...), and ``last_at``.

    Baselines come first, then the teams by name.
    """
    of_task = Q(runs__task=task)
    counts = {
        f"{state}_count": models.Count("runs", filter=of_task & Q(runs__state=state))
        for state in RunState.values
    }
    counted = teams.annotate(last_at=models.Max("runs__received_at", filter=of_task), **counts)
    return counted.order_by("-is_baseline", "name")


class TeamLimitQuerySet(OfTeamQuerySet["TeamLimit"]):
    """Queryset of limits."""

    def runs_allowed(self, task: Task, team: Team) -> int | None:
        """Return how many accepted runs the team may have in the task: its own limit, else the task's.

        None means any number. Baselines are never limited.
        """
        return self.runs_allowed_each(task, [team])[team.pk]

    def runs_allowed_each(self, task: Task, teams: Iterable[Team]) -> dict[int, int | None]:
        """Return how many runs each team may have in the task, None for any number, by the team's key."""
        limited = {team.pk: team for team in teams if not team.is_baseline}
        limits = dict(self.filter(task=task, team__in=limited).values_list("team", "max_runs"))
        return {team.pk: limits.get(team.pk, task.max_runs) if team.pk in limited else None for team in teams}


@tracked
class TeamLimit(models.Model):
    """How many accepted runs one team may have in a task; overrides the task's limit."""

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
