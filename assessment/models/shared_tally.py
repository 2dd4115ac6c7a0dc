"""Items that two assessors graded, counted by triggers as judgments become current or cease to be."""

from django.db import models

from evaluation.access.people import User
from evaluation.tracks.models import Task
from evaluation.tracks.visibility import OrganizedQuerySet


class SharedTally(models.Model):
    """How often ``assessor``'s judgments made and dissolved shared items of a topic with these two grades.

    The number of items to which A gave 2 and B gave 0 is the sum of the rows (A, B, 2, 0) and (B, A, 0, 2).
    Each judgment only changes rows of its own assessor, so assessors do not wait for each other. A count is
    negative if A's grade made the items shared and B's change dissolved them. Only pool items are counted.
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="+")  # with an index, as in JudgedItem
    topic = models.CharField(max_length=255, db_collation="C")
    assessor = models.ForeignKey(User, models.PROTECT, related_name="+", db_index=False)
    other = models.ForeignKey(User, models.PROTECT, related_name="+", db_index=False)
    grade = models.SmallIntegerField()
    other_grade = models.SmallIntegerField()
    count = models.IntegerField()

    objects = OrganizedQuerySet["SharedTally"].as_manager()

    class Meta:
        verbose_name_plural = "shared tallies"
        constraints = [
            models.UniqueConstraint(
                fields=["task", "assessor", "other", "topic", "grade", "other_grade"],
                name="shared_tally_once",
            ),
        ]

    def __str__(self) -> str:
        return (
            f"{self.topic} {self.assessor_id} {self.grade}, {self.other_id} {self.other_grade}: {self.count}"
        )


# In one order, so that new grades by one assessor in two assignments do not deadlock.
COUNT_SHARED = """
    INSERT INTO assessment_sharedtally AS tally
        (task_id, topic, assessor_id, other_id, grade, other_grade, count)
    SELECT {row}.task_id, item.topic, {row}.assessor_id, other.assessor_id, {row}.grade, other.grade, {change}
    FROM assessment_currentjudgment AS other JOIN assessment_judgeditem AS item ON item.id = other.item_id
    WHERE other.item_id = {row}.item_id AND other.purpose = 'work' AND other.grade IS NOT NULL
        AND other.assessor_id <> {row}.assessor_id
    ORDER BY other.assessor_id
    ON CONFLICT (task_id, assessor_id, other_id, topic, grade, other_grade)
        DO UPDATE SET count = tally.count + excluded.count;
    RETURN NULL;
"""
ADD_SHARED = COUNT_SHARED.format(row="NEW", change=1)
SUBTRACT_SHARED = COUNT_SHARED.format(row="OLD", change=-1)
