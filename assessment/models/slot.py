"""The queue of a pool that is judged item by item, and the counts of items and slots that triggers keep."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from assessment.models.judgment import Judgment
from evaluation.platform.access.people import Role, User, teams_of
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.models import Task
from evaluation.tracks.visibility import OrganizedQuerySet

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


class SlotQuerySet(OrganizedQuerySet["Slot"]):
    """Reads of slots."""

    def queued_pools(self, user: User | AnonymousUser) -> models.QuerySet[Pool]:
        """Pools judged item by item, in opened tasks of tracks where the user is an assessor.

        Excludes pools with a run of the user's own team.
        """
        tasks = Task.objects.opened().with_member(user, Role.ASSESSOR)
        queued = Pool.objects.filter(task__in=tasks, pk__in=self.values("pool"))
        return queued.exclude(pk__in=Pool.objects.with_runs_of(teams_of(user)))

    def free_for(self, user: User) -> SlotQuerySet:
        """Slots without an assignment or with an expired lease, on items that are new to the user.

        The user has no other slot of the item, and has not judged it in any pool of the task.
        """
        other_slots = self.model.objects.filter(
            ~Q(pk=OuterRef("pk")),
            pool=OuterRef("pool"),
            topic=OuterRef("topic"),
            docno=OuterRef("docno"),
            assignment__assessor=user,
        )
        judged = (
            Judgment.objects.not_undone()
            .of_work()
            .filter(
                task=OuterRef("pool__task"), topic=OuterRef("topic"), docno=OuterRef("docno"), assessor=user
            )
        )
        is_free = Q(assignment__isnull=True) | Q(expires_at__lt=Now())
        return self.filter(is_free, ~Exists(other_slots), ~Exists(judged))

    def item_count(self) -> int:
        """Count the distinct items: an item may have several slots."""
        return self.order_by().values("topic", "docno").distinct().count()

    def leased(self) -> SlotQuerySet:
        """Slots that an assessor holds now."""
        return self.filter(assignment__isnull=False, expires_at__gte=Now())


class Slot(models.Model):
    """One requested judgment of an item of a pool; ``turn`` numbers the slots of an item, from 0.

    A slot is free, leased (by an assignment until ``expires_at``) or filled (``expires_at`` is null).
    """

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="slots")
    topic = models.CharField(max_length=255, db_collation="C")
    docno = models.CharField(max_length=255, db_collation="C")
    turn = models.PositiveSmallIntegerField()
    position = models.PositiveIntegerField(help_text="Place in the pool's seeded order.")
    assignment = models.ForeignKey("assessment.Assignment", models.SET_NULL, null=True, related_name="slots")
    expires_at = models.DateTimeField(null=True)

    task_path: ClassVar = "pool__task"
    objects = SlotQuerySet.as_manager()

    class Meta:
        ordering = ["pool", "turn", "position"]
        constraints = [
            models.UniqueConstraint(fields=["pool", "topic", "docno", "turn"], name="slot_once"),
            models.UniqueConstraint(fields=["assignment", "docno"], name="slot_not_twice_to_one_assessor"),
        ]
        indexes = [
            models.Index(
                fields=["pool", "expires_at"], condition=Q(expires_at__isnull=False), name="slot_leased"
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="slots_are_counted",
                level=pgtrigger.Statement,
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                referencing=pgtrigger.Referencing(new="new_slots"),
                func=ADD_SLOTS,
            ),
            pgtrigger.Trigger(
                name="changed_slots_are_counted",
                level=pgtrigger.Statement,
                operation=pgtrigger.Update,
                when=pgtrigger.After,
                referencing=pgtrigger.Referencing(new="new_slots", old="former_slots"),
                func=CHANGE_SLOTS,
            ),
            pgtrigger.Trigger(
                name="deleted_slots_are_subtracted",
                level=pgtrigger.Statement,
                operation=pgtrigger.Delete,
                when=pgtrigger.After,
                referencing=pgtrigger.Referencing(old="former_slots"),
                func=SUBTRACT_SLOTS,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.docno}, turn {self.turn}"


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
