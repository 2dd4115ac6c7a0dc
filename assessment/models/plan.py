"""The plan of a task's judging: percentages, the exam, the length of a lease, and extra questions."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Exists, OuterRef, Q

from assessment.models.assignment import AssignedItem
from assessment.models.judgment import Judgment
from assessment.models.purposes import Purpose
from evaluation.platform.access.schema.tracking import tracked
from evaluation.tracks.models import Task
from evaluation.tracks.visibility import OrganizedQuerySet, ShownWithTaskQuerySet

MOST_MIXED_IN = 30  # per cent of an assessor's items


class Surface(models.TextChoices):
    """How assessors see the items of a topic."""

    SINGLE = "single", "one by one"
    WALL = "wall", "on walls of 24 items"
    BOTH = "both", "on walls or one by one, as each assessor likes"


class JudgingPlanQuerySet(OrganizedQuerySet["JudgingPlan"]):
    """Reads of plans. They show how often assessors are checked."""

    def of(self, task: Task) -> JudgingPlan:
        """Return the task's plan, or an unsaved default one."""
        try:
            return task.judging_plan  # no query if the task was selected with it
        except JudgingPlan.DoesNotExist:
            return JudgingPlan(task=task)


@tracked
class JudgingPlan(models.Model):
    """The organizers' settings for a task's judging, read when items are assigned or leased."""

    task = models.OneToOneField(Task, models.CASCADE, related_name="judging_plan")
    gold_percent = models.PositiveSmallIntegerField(
        default=0, help_text="Gold items mixed in, per cent of an assessor's items in a topic."
    )
    repeat_percent = models.PositiveSmallIntegerField(
        default=0, help_text="Items shown a second time, per cent of an assessor's items in a topic."
    )
    pass_percent = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="Exam items to grade right before the real work, per cent. Empty: there is no exam.",
    )
    lease_minutes = models.PositiveSmallIntegerField(
        default=30, help_text="How long items are reserved for an assessor if a pool is judged item by item."
    )
    surface = models.CharField(
        max_length=6,
        choices=Surface,
        default=Surface.SINGLE,
        db_default=Surface.SINGLE,
        help_text="A wall shows up to 24 items of a topic at once, and one in ten of them alone, which tells "
        "what walls change; one in five of these comes again after another topic.",
    )
    wall_loss_percent = models.PositiveSmallIntegerField(
        default=5,
        db_default=5,
        help_text="Walls end for an assessor, after a topic, once the 95 % interval says that they lose more "
        "than this share of the highest grades, or of kappa with others' grades. 100: never.",
    )
    single_people = ArrayField(
        models.BigIntegerField(),
        default=list,
        db_default=[],
        blank=True,
        help_text="Keys of the people who judge one by one although the task has walls.",
    )

    objects = JudgingPlanQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(gold_percent__lte=MOST_MIXED_IN, repeat_percent__lte=MOST_MIXED_IN),
                name="plan_rates_not_too_high",
                violation_error_message=f"Mix in {MOST_MIXED_IN} per cent at most.",
            ),
            models.CheckConstraint(condition=Q(lease_minutes__gte=1), name="plan_lease_positive"),
            models.CheckConstraint(condition=Q(wall_loss_percent__lte=100), name="plan_wall_loss_is_a_share"),
            models.CheckConstraint(
                condition=Q(pass_percent__isnull=True) | Q(pass_percent__lte=100), name="plan_pass_is_a_share"
            ),
        ]

    def __str__(self) -> str:
        return f"Judging of {self.task}"

    def clean(self) -> None:
        """Refuse walls while items wait that would be shown again soon after their wall."""
        on_wall = Judgment.objects.filter(
            task=self.task_id,
            topic=OuterRef("assignment__topic"),
            docno=OuterRef("docno"),
            assessor=OuterRef("assignment__assessor"),
            wall__isnull=False,
        )
        repeats = AssignedItem.objects.filter(
            assignment__pool__task=self.task_id, assignment__ended_at__isnull=True, purpose=Purpose.REPEAT
        )
        open_items = repeats.exclude(pk__in=repeats.settled().values("pk")).exclude(Exists(on_wall))
        is_new = JudgingPlan.objects.filter(task=self.task_id).exclude(surface=Surface.SINGLE).first() is None
        if self.surface != Surface.SINGLE and is_new and (count := open_items.count()):
            words = (
                f"Repeated items that are assigned and not judged yet: {count:,}. They would come soon after "
                "a wall. Have them judged, or close their assignments, before you choose walls."
            )
            raise ValidationError({"surface": words})

    def shows_walls_to(self, assessor: int) -> bool:
        """Return whether the task has walls and the person, by primary key, is not excluded from them."""
        return self.surface != Surface.SINGLE and assessor not in self.single_people

    @property
    def mixed_in_repeats(self) -> int:
        """The per cent of repeated items among the others; none with walls, which repeat single items."""
        return self.repeat_percent if self.surface == Surface.SINGLE else 0

    @property
    def wall_loss(self) -> float:
        """The share of highest grades, or of kappa, that walls may lose."""
        return self.wall_loss_percent / 100

    @property
    def lease(self) -> timedelta:
        """The duration of a lease."""
        return timedelta(minutes=self.lease_minutes)


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
    is_once_a_wall = models.BooleanField(
        "asked once a wall",
        default=False,
        db_default=False,
        help_text="One reply holds for all items of a wall. Otherwise the question is beside each item that "
        "is opened from the wall; if it needs a reply, each item has to be opened.",
    )

    objects = ShownWithTaskQuerySet.as_manager()

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
