"""What a pool that is judged item by item still wants: its queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from assessment.models.assignment import Assignment
from assessment.models.judgment import Judgment
from evaluation.models import Pool, Role, Task, teams_of

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from evaluation.models import User


class SlotQuerySet(models.QuerySet["Slot"]):
    """Reads of slots."""

    def visible_to(self, user: User | AnonymousUser) -> SlotQuerySet:
        """Organizers only."""
        return self.filter(pool__task__in=Task.objects.organized_by(user))

    def queued_pools(self, user: User | AnonymousUser) -> models.QuerySet[Pool]:
        """Pools judged item by item, in opened tasks of the tracks that the person assesses for.

        None that a run of the person's own team is in.
        """
        tasks = Task.objects.opened().with_member(user, Role.ASSESSOR)
        queued = Pool.objects.filter(task__in=tasks, pk__in=self.values("pool"))
        return queued.exclude(pk__in=Pool.objects.with_runs_of(teams_of(user)))

    def free_for(self, user: User) -> SlotQuerySet:
        """Those that nobody holds or whose lease ran out, on items that are new to the person.

        Neither has the person another slot of the item, nor judged it in any pool of the task.
        """
        others = self.model.objects.filter(
            ~Q(pk=OuterRef("pk")),
            pool=OuterRef("pool"),
            topic=OuterRef("topic"),
            docno=OuterRef("docno"),
            assignment__assessor=user,
        )
        judged = (
            Judgment.objects.standing()
            .of_work()
            .filter(
                task=OuterRef("pool__task"), topic=OuterRef("topic"), docno=OuterRef("docno"), assessor=user
            )
        )
        is_free = Q(assignment__isnull=True) | Q(expires_at__lt=Now())
        return self.filter(is_free, ~Exists(others), ~Exists(judged))


class Slot(models.Model):
    """One judgment that a pool wants of one of its items; ``turn`` counts those of an item, from 0.

    A slot is free, leased (an assignment holds it until ``expires_at``) or filled (no longer expires).
    """

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="slots")
    topic = models.CharField(max_length=255, db_collation="C")
    docno = models.CharField(max_length=255, db_collation="C")
    turn = models.PositiveSmallIntegerField()
    position = models.PositiveIntegerField(help_text="in the pool's seeded order")
    assignment = models.ForeignKey(Assignment, models.SET_NULL, null=True, related_name="slots")
    expires_at = models.DateTimeField(null=True)

    objects = SlotQuerySet.as_manager()

    class Meta:
        ordering = ["pool", "turn", "position"]
        constraints = [
            models.UniqueConstraint(fields=["pool", "topic", "docno", "turn"], name="slot_once"),
            models.UniqueConstraint(fields=["assignment", "docno"], name="slot_not_twice_to_one_assessor"),
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.docno}, turn {self.turn}"
