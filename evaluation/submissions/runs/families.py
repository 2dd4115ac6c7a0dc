"""Families: kinds of runs, defined by the organizers."""

from __future__ import annotations

from django.db import models

from evaluation.platform.access.schema.names import FoldedField, check_name, unique_names, visible_characters
from evaluation.platform.access.schema.tracking import tracked
from evaluation.tracks.models import Task
from evaluation.tracks.visibility import ReleasedQuerySet


@tracked
class Family(models.Model):
    """A kind of runs, set by the organizers, such as CLIP-based: the groups that evaluation bias compares."""

    task = models.ForeignKey(Task, models.CASCADE, related_name="families")
    name = models.CharField(max_length=60)
    name_folded = FoldedField(of="name")

    objects = ReleasedQuerySet["Family"].as_manager()  # a family reveals how a run was made

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "families"
        constraints = [
            unique_names("task", "family_name_once_a_task"),
            visible_characters("name", "family_name_is_visible"),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Reject a name that looks like that of another family of the task."""
        check_name(self, "task")
