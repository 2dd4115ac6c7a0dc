"""The queue of a pool that is judged item by item."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from assessment.models.item_counts import ADD_SLOTS, CHANGE_SLOTS, SUBTRACT_SLOTS
from assessment.models.judgment import Judgment
from evaluation.access.people import Role, User, teams_of
from evaluation.pools.models import Pool
from evaluation.tracks.models import Task
from evaluation.tracks.visibility import OrganizedQuerySet


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
