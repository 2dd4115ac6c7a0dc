"""The counts of assigned items and of slots, updated by triggers as they are stored, changed and deleted."""

from typing import ClassVar

from django.db import models

from evaluation.tracks.visibility import OrganizedQuerySet


class AssignedCount(models.Model):
    """The number of an assignment's items, and of gold and repeated ones among them; triggers keep both.

    In a pool that is judged item by item, also the number of the assignment's slots, and of those with a
    judgment.
    """

    assignment = models.OneToOneField(
        "assessment.Assignment", models.CASCADE, primary_key=True, related_name="assigned_count"
    )
    item_count = models.PositiveIntegerField()
    mixed_count = models.PositiveIntegerField()
    # Without a check of the sign: PostgreSQL would check what COUNT_SLOTS inserts before the conflict.
    slot_count = models.IntegerField(db_default=0)
    filled_count = models.IntegerField(db_default=0)

    task_path: ClassVar = "assignment__pool__task"
    objects = OrganizedQuerySet["AssignedCount"].as_manager()

    def __str__(self) -> str:
        return f"{self.pk}: {self.item_count}"


class QueuedTopic(models.Model):
    """The number of slots of a topic in a pool that is judged item by item; a trigger keeps it."""

    pool = models.ForeignKey("evaluation.Pool", models.PROTECT, related_name="queued_topics", db_index=False)
    topic = models.CharField(max_length=255, db_collation="C")
    slot_count = models.PositiveIntegerField()

    task_path: ClassVar = "pool__task"
    objects = OrganizedQuerySet["QueuedTopic"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "topic"], name="queued_topic_once")]

    def __str__(self) -> str:
        return f"{self.topic}: {self.slot_count}"


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

# Rows are locked in one order, so that two assessors who take each other's expired leases do not deadlock.
COUNT_SLOTS = """
    INSERT INTO assessment_assignedcount AS counted
        (assignment_id, item_count, mixed_count, slot_count, filled_count)
    SELECT assignment_id, 0, 0, sum(slots), sum(filled) FROM ({changes}) AS change
    WHERE assignment_id IS NOT NULL
    GROUP BY assignment_id HAVING sum(slots) <> 0 OR sum(filled) <> 0
    ORDER BY assignment_id
    ON CONFLICT (assignment_id) DO UPDATE SET
        slot_count = counted.slot_count + excluded.slot_count,
        filled_count = counted.filled_count + excluded.filled_count;
    RETURN NULL;
"""
NEW_SLOTS = "SELECT assignment_id, 1 AS slots, (expires_at IS NULL)::int AS filled FROM new_slots"
FORMER_SLOTS = "SELECT assignment_id, -1 AS slots, -(expires_at IS NULL)::int AS filled FROM former_slots"
ADD_SLOTS = f"""
    INSERT INTO assessment_queuedtopic AS counted (pool_id, topic, slot_count)
    SELECT pool_id, topic, count(*) FROM new_slots GROUP BY pool_id, topic ORDER BY pool_id, topic
    ON CONFLICT (pool_id, topic) DO UPDATE SET slot_count = counted.slot_count + excluded.slot_count;
    {COUNT_SLOTS.format(changes=NEW_SLOTS)}"""  # noqa: S608 - our own constants
CHANGE_SLOTS = COUNT_SLOTS.format(changes=f"{NEW_SLOTS} UNION ALL {FORMER_SLOTS}")
SUBTRACT_SLOTS = f"""
    UPDATE assessment_queuedtopic AS counted SET slot_count = counted.slot_count - gone.count
    FROM (SELECT pool_id, topic, count(*) FROM former_slots GROUP BY pool_id, topic) AS gone
    WHERE counted.pool_id = gone.pool_id AND counted.topic = gone.topic;
    {COUNT_SLOTS.format(changes=FORMER_SLOTS)}"""  # noqa: S608 - as above
