"""What organizers import, and the fields that they chose for topics and documents."""

from __future__ import annotations

from typing import Any

from django.db import models

from evaluation.tracks.models import Task
from trackside.text.roles import NO_ROLES, Roles


class ImportKind(models.TextChoices):
    """The content of a file."""

    TOPICS = "topics", "topics: JSON lines, CSV, TSV, TREC's <top>, or images in a zip or Parquet"
    COLLECTION = "collection", "documents: zip of images and captions, Parquet, JSON lines"
    DOCNOS = "docnos", "documents by docno alone: one docno per line"
    CORPUS = "corpus", "a corpus, a part of the collection: one docno per line"
    RUNS = "runs", "baseline runs: zip of run files"
    QRELS = "qrels", "qrels: topic 0 docno grade"


class ChosenFieldsQuerySet(models.QuerySet["ChosenFields"]):
    """Reads of choices of fields."""

    def topic_roles(self, task: int) -> Roles:
        """Return the roles of the fields of a task's topics."""
        return self._roles(task=task, kind=ImportKind.TOPICS)

    def document_roles(self, collection: int) -> Roles:
        """Return the roles of the fields of a collection's documents, whichever task imported them."""
        return self._roles(task__collection=collection, kind=ImportKind.COLLECTION)

    def _roles(self, **where: Any) -> Roles:
        latest = self.filter(**where, choice__has_key="roles").order_by("-pk").first()
        return latest.choice["roles"] if latest else NO_ROLES


class ChosenFields(models.Model):
    """The latest confirmed choice of fields for a task's topics or documents; new imports begin with it."""

    task = models.ForeignKey(Task, models.CASCADE, related_name="chosen_fields")
    kind = models.CharField(max_length=10, choices=ImportKind)
    choice = models.JSONField()

    objects = ChosenFieldsQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["task", "kind"], name="one_choice_of_fields_a_kind")]

    def __str__(self) -> str:
        return f"{self.task}: {self.kind}"
