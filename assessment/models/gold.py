"""Gold items: pairs with a known grade; the replies of assessors to them in practice and exam."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Now

from evaluation.collections.models import Document
from evaluation.platform.access.people import User
from evaluation.platform.access.schema.tracking import tracked
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from evaluation.tracks.visibility import OrganizedQuerySet


class GoldUse(models.TextChoices):
    """The use of a gold item."""

    MIXED = "mixed", "mixed into the work"
    PRACTICE = "practice", "practice, with the right grade shown afterwards"
    EXAM = "exam", "exam, before the work"


class GoldItemQuerySet(OrganizedQuerySet["GoldItem"]):
    """Reads of gold items."""

    def of_training(self, task: Task) -> GoldItemQuerySet:
        """The task's practice items, then its exam items, in order of creation."""
        return self.filter(task=task).exclude(use=GoldUse.MIXED).order_by("-use", "pk")


@tracked
class GoldItem(models.Model):
    """A pair with the grade that the organizers set as right."""

    task = models.ForeignKey(Task, models.CASCADE, related_name="gold_items")
    topic = models.CharField(max_length=255, db_collation="C")
    docno = models.CharField(max_length=255, db_collation="C")
    grade = models.SmallIntegerField()
    use = models.CharField(max_length=8, choices=GoldUse, default=GoldUse.MIXED)
    explanation = models.TextField(blank=True, help_text="Why, shown after a practice item.")

    objects = GoldItemQuerySet.as_manager()

    class Meta:
        ordering = ["task", "topic", "docno"]
        constraints = [models.UniqueConstraint(fields=["task", "topic", "docno"], name="gold_item_once")]

    def __str__(self) -> str:
        return f"{self.topic} {self.docno}: {self.grade}"

    def clean(self) -> None:
        """Check that topic, document and grade exist in the task: an item without them cannot be shown."""
        task = Task.objects.filter(pk=self.task_id).first()
        if task is None:
            return  # the form reports this
        faults = {}
        if not task.topics.filter(number=self.topic).exists():
            faults["topic"] = f"{task} has no topic {self.topic}."
        if not Document.objects.filter(collection=task.collection_id, docno=self.docno).exists():
            faults["docno"] = f"The collection has no document {self.docno}."
        if self.grade not in (scale := Criteria.objects.current(task).scale):
            faults["grade"] = f"Choose one of {', '.join(map(str, scale))}."
        if faults:
            raise ValidationError(faults)


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
