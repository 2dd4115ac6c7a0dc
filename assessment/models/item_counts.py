"""The counts of assigned items, updated by triggers as items are stored and deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

from evaluation.tracks.models import Task

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from evaluation.access.people import User


class AssignedCountQuerySet(models.QuerySet["AssignedCount"]):
    """Reads of counts of assigned items."""

    def visible_to(self, user: User | AnonymousUser) -> AssignedCountQuerySet:
        """Organizers only, as the items."""
        return self.filter(assignment__pool__task__in=Task.objects.organized_by(user))


class AssignedCount(models.Model):
    """The number of an assignment's items, and of gold and repeated ones among them; triggers keep both."""

    assignment = models.OneToOneField(
        "assessment.Assignment", models.CASCADE, primary_key=True, related_name="assigned_count"
    )
    item_count = models.PositiveIntegerField()
    mixed_count = models.PositiveIntegerField()

    objects = AssignedCountQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.pk}: {self.item_count}"


# One statement inserts or deletes the items of many assignments, so the triggers run once a statement.
COUNTED_ITEMS = """
    SELECT assignment_id, count(*) AS items, count(*) FILTER (WHERE purpose <> 'work') AS mixed
    FROM changed_items GROUP BY assignment_id ORDER BY assignment_id
"""
ADD_ITEMS = f"""
    INSERT INTO assessment_assignedcount AS counted (assignment_id, item_count, mixed_count)
    {COUNTED_ITEMS}
    ON CONFLICT (assignment_id) DO UPDATE SET
        item_count = counted.item_count + excluded.item_count,
        mixed_count = counted.mixed_count + excluded.mixed_count;
    RETURN NULL;
"""
SUBTRACT_ITEMS = f"""
    UPDATE assessment_assignedcount AS counted
    SET item_count = item_count - gone.items, mixed_count = mixed_count - gone.mixed
    FROM ({COUNTED_ITEMS}) AS gone WHERE counted.assignment_id = gone.assignment_id;
    RETURN NULL;
"""  # noqa: S608 - our own constant
