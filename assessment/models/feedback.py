"""What assessors are told about their grades once their work for a track is over."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from assessment.models.judgment import Judgment
from evaluation.platform.access.people import Role, User
from evaluation.platform.access.schema.tracking import tracked
from evaluation.tracks.models import Task, Track
from evaluation.tracks.visibility import OrganizedQuerySet


class FeedbackQuerySet(OrganizedQuerySet["Feedback"]):
    """Reads of openings."""

    def open_to(self, user: User) -> FeedbackQuerySet:
        """Those of released tasks whose grades the person, an assessor of the track, has given."""
        judged = Judgment.objects.counted().of_work().filter(assessor=user)
        tasks = Task.objects.released().with_member(user, Role.ASSESSOR).filter(judgments__in=judged)
        return self.filter(task__in=tasks)

    def readers_of(self, track: Track | int) -> models.QuerySet[Judgment, int]:
        """Primary keys of the people to whom a task of the track is opened: they judge no further pool."""
        judged = Judgment.objects.of_work().filter(task__in=self.filter(task__track=track).values("task"))
        return judged.order_by().values_list("assessor", flat=True)


class Feedback(models.Model):
    """A task whose assessors see what became of their grades. It stays open: they have seen it."""

    task = models.OneToOneField(Task, models.PROTECT, related_name="feedback")
    opened_at = models.DateTimeField(db_default=Now(), editable=False)
    opened_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    objects = FeedbackQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "feedback"
        triggers = [
            pgtrigger.Protect(name="feedback_stays_open", operation=pgtrigger.Update | pgtrigger.Delete)
        ]

    def __str__(self) -> str:
        return f"Feedback of {self.task}"


@tracked
class FeedbackNote(models.Model):
    """An organizer's note on a settled item for the assessors who graded it otherwise."""

    task = models.ForeignKey(Task, models.PROTECT, related_name="feedback_notes", db_index=False)
    topic = models.CharField(max_length=255, db_collation="C")
    docno = models.CharField(max_length=255, db_collation="C")
    words = models.TextField(max_length=2000)

    task_path: ClassVar = "task"
    objects = OrganizedQuerySet["FeedbackNote"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "topic", "docno"], name="feedback_note_once"),
            models.CheckConstraint(condition=~Q(words=""), name="feedback_note_has_words"),
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.docno}: {self.words}"
