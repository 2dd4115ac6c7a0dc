"""Assessors' replies in practice and exam."""

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models.functions import Now

from assessment.models.gold import GoldItem
from evaluation.access.people import User
from evaluation.tracks.visibility import OrganizedQuerySet


class TrainingReply(models.Model):
    """An assessor's grade of a practice or exam item. Organizers delete replies to allow another try."""

    item = models.ForeignKey(GoldItem, models.PROTECT, related_name="training_replies")
    assessor = models.ForeignKey(User, models.PROTECT, related_name="training_replies")
    grade = models.SmallIntegerField()
    replied_at = models.DateTimeField(db_default=Now(), editable=False)

    task_path: ClassVar = "item__task"
    objects = OrganizedQuerySet["TrainingReply"].as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "training replies"
        constraints = [models.UniqueConstraint(fields=["item", "assessor"], name="training_reply_once")]
        triggers = [pgtrigger.Protect(name="training_replies_are_not_changed", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"{self.assessor} on {self.item}: {self.grade}"

    @property
    def is_right(self) -> bool:
        """Whether the reply is the known grade."""
        return self.grade == self.item.grade
