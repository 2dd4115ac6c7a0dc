"""Assignments of topics to people, and their items in the order of display."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce, Now

from assessment.models.judgment import EventQuerySet, Judgment, JudgmentQuerySet
from assessment.models.purposes import AssignmentKind, Purpose
from assessment.models.remark import Remark
from assessment.models.slot import ADD_ITEMS, SUBTRACT_ITEMS, Slot
from evaluation.platform.access.people import Role, User, teams_of, tracks_of
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.models import Task
from evaluation.tracks.release_dates import open_for_judging
from evaluation.tracks.visibility import OrganizedQuerySet


def _count_of(items: models.QuerySet[AssignedItem]) -> Coalesce:
    counts = items.order_by().values("assignment").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counts, output_field=models.IntegerField()), 0)


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    """Reads of assignments."""

    def visible_to(self, user: User | AnonymousUser) -> AssignmentQuerySet:
        """The user's own assignments, and those of tasks that the user organizes."""
        assignments = self.model.objects.held_by(user).values("pk")
        return self.filter(Q(pk__in=assignments) | Q(pool__task__in=Task.objects.organized_by(user)))

    def held_by(self, user: User | AnonymousUser) -> AssignmentQuerySet:
        """The user's own active assignments, in opened tasks of tracks where the user is an assessor."""
        return self.given_to(user).going_on()

    def given_to(self, user: User | AnonymousUser) -> AssignmentQuerySet:
        """The assignments of `held_by`, and those that have ended.

        Pools with a run of the user's own team are always excluded.
        """
        # Runs at every judgment, content and resume: Django compiles joins in half the time of subqueries.
        tracks = tracks_of(user, Role.ASSESSOR)
        rows = self.filter(assessor_id=user.pk, pool__task__track__in=tracks, pool__task__opens_at__lte=Now())
        teams = teams_of(user)
        if not teams:
            return rows
        return rows.exclude(pool__in=Pool.objects.with_runs_of(teams))

    def going_on(self) -> AssignmentQuerySet:
        """Assignments that have not ended."""
        return self.filter(ended_at__isnull=True)

    def in_judging(self) -> AssignmentQuerySet:
        """Assignments that are not paused and whose task is open for judging by the database clock."""
        return self.filter(open_for_judging("pool__task__"), paused_at__isnull=True)

    def with_progress(self) -> AssignmentQuerySet:
        """Annotate ``item_count`` and ``judged_count``, the number of settled items."""
        items = AssignedItem.objects.filter(assignment=OuterRef("pk")).held()
        counts = {"item_count": _count_of(items), "judged_count": _count_of(items.settled())}
        return self.annotate(**counts)

    def with_own_progress(self) -> AssignmentQuerySet:
        """The same without items that another owner has graded: the assessor never judges them."""
        items = AssignedItem.objects.filter(assignment=OuterRef("pk")).held()
        judged = _count_of(items.judged())
        counts = {
            "judged_count": judged,
            "item_count": _count_of(items) - _count_of(items.settled()) + judged,
        }
        return self.annotate(**counts)


class Assignment(models.Model):
    """One topic of a pool, assigned to one assessor.

    The owner's grades make the people's qrels; a second assessor grades the same items to measure agreement.
    In pools judged item by item there is no owner: assessors lease items of the topic, a few at a time
    (``Slot``). Assessors do not see each other's judgments. An ended assignment keeps its judgments.
    """

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="assignments")
    topic = models.CharField(max_length=255, db_collation="C")
    assessor = models.ForeignKey(User, models.PROTECT, related_name="assignments")
    kind = models.CharField(max_length=12, choices=AssignmentKind, default=AssignmentKind.OWNER)
    assigned_at = models.DateTimeField(db_default=Now(), editable=False)
    assigned_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    paused_at = models.DateTimeField(null=True, editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)
    ended_by = models.ForeignKey(User, models.PROTECT, null=True, editable=False, related_name="+")

    item_count: int
    judged_count: int
    objects = AssignmentQuerySet.as_manager()

    class Meta:
        ordering = ["pool", "topic", "kind"]
        constraints = [
            models.UniqueConstraint(
                fields=["pool", "topic"],
                condition=Q(kind=AssignmentKind.OWNER, ended_at__isnull=True),
                name="assignment_one_owner_a_topic",
            ),
            models.UniqueConstraint(
                fields=["pool", "topic", "assessor"],
                condition=Q(ended_at__isnull=True),
                name="assignment_not_twice_to_one_assessor",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_by__isnull=True)
                | Q(ended_at__isnull=False, ended_by__isnull=False),
                name="assignment_ended_by_someone",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="assignments_are_not_changed",
                fields=["pool", "topic", "assessor", "kind", "assigned_at", "assigned_by"],
            ),
            pgtrigger.Protect(
                name="ended_assignments_stay_so",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__ended_at__isnull=False),
            ),
            pgtrigger.Trigger(
                name="assignment_stays_once_judged",
                operation=pgtrigger.Delete,
                when=pgtrigger.Before,
                func="""
                    IF EXISTS (
                        SELECT FROM assessment_judgment AS judgment
                        JOIN evaluation_pool AS pool ON pool.task_id = judgment.task_id
                        WHERE pool.id = OLD.pool_id
                          AND judgment.topic = OLD.topic AND judgment.assessor_id = OLD.assessor_id
                    ) THEN
                        RAISE EXCEPTION 'assignment % has judgments and stays', OLD.id;
                    END IF;
                    RETURN OLD;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.topic} to {self.assessor}{'' if self.is_owner else f' ({self.kind})'}"

    @property
    def is_owner(self) -> bool:
        """Whether its grades make the people's qrels."""
        return self.kind == AssignmentKind.OWNER

    @property
    def is_second(self) -> bool:
        """Whether its grades only measure agreement."""
        return self.kind == AssignmentKind.SECOND

    @property
    def is_by_items(self) -> bool:
        """Whether the assessor leases its items."""
        return self.kind == AssignmentKind.ITEMS

    def open_places(self) -> list[int]:
        """Return the places of the items that still need a judgment, in order."""
        items = AssignedItem.objects.filter(assignment=self).held()
        settled = items.settled().values("pk")
        return list(items.exclude(pk__in=settled).order_by("place").values_list("place", flat=True))

    def own_judgments(self) -> JudgmentQuerySet:
        """The assessor's judgments on the topic that are not undone, oldest first."""
        judgments = Judgment.objects.not_undone().filter(task=self.pool.task_id, topic=self.topic)
        return judgments.filter(assessor=self.assessor_id).order_by("pk")

    def own_remarks(self) -> EventQuerySet[Remark]:
        """The assessor's current remarks on the topic's items."""
        remarks = Remark.objects.filter(task=self.pool.task_id, topic=self.topic, assessor=self.assessor_id)
        return remarks.current()


def _judgments() -> JudgmentQuerySet:
    """Everybody's judgments of an assigned item that count, for a subquery."""
    return Judgment.objects.counted().filter(
        task=OuterRef("assignment__pool__task"), topic=OuterRef("assignment__topic"), docno=OuterRef("docno")
    )


def _is_judged() -> Exists:
    return Exists(_judgments().filter(assessor=OuterRef("assignment__assessor"), purpose=OuterRef("purpose")))


class AssignedItemQuerySet(OrganizedQuerySet["AssignedItem"]):
    """Reads of assigned items. Assessors must not see the purpose of an item."""

    def held(self) -> AssignedItemQuerySet:
        """Exclude items whose lease expired before a judgment and that went to somebody else."""
        has_slot = Exists(Slot.objects.filter(assignment=OuterRef("assignment"), docno=OuterRef("docno")))
        return self.filter(~Q(assignment__kind=AssignmentKind.ITEMS) | ~Q(purpose=Purpose.WORK) | has_slot)

    def settled(self) -> AssignedItemQuerySet:
        """Items that need no judgment: judged by the assessor, or answered by another owner of the topic.

        An item that another owner could not judge still needs a judgment, and so does one whose judgment does
        not count.
        """
        is_owned = Q(assignment__kind=AssignmentKind.OWNER, purpose=Purpose.WORK)
        return self.filter(_is_judged() | (is_owned & Exists(_judgments().by_owners().answered())))

    def judged(self) -> AssignedItemQuerySet:
        """Items that the assessor has judged."""
        return self.filter(_is_judged())


class AssignedItem(models.Model):
    """An item of an assignment at its place in the order of display, from 1.

    Places never change, so a judgment's place always means the same item.
    """

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="items")
    place = models.PositiveIntegerField()
    docno = models.CharField(max_length=255, db_collation="C")
    purpose = models.CharField(max_length=12, choices=Purpose, default=Purpose.WORK)
    is_single = models.BooleanField(
        default=False, db_default=False, help_text="A wall shows it alone, to be judged as if singly."
    )
    single_every = models.PositiveSmallIntegerField(
        null=True, help_text="One of so many items was drawn to be shown alone. Empty: there was no draw."
    )

    task_path: ClassVar = "assignment__pool__task"
    objects = AssignedItemQuerySet.as_manager()

    class Meta:
        ordering = ["assignment", "place"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "place"], name="assigned_place_once"),
            models.UniqueConstraint(fields=["assignment", "docno", "purpose"], name="assigned_item_once"),
        ]
        triggers = [
            pgtrigger.Protect(name="assigned_items_are_not_changed", operation=pgtrigger.Update),
            pgtrigger.Trigger(
                name="assigned_items_are_counted",
                level=pgtrigger.Statement,
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                referencing=pgtrigger.Referencing(new="changed_items"),
                func=ADD_ITEMS,
            ),
            pgtrigger.Trigger(
                name="deleted_items_are_subtracted",
                level=pgtrigger.Statement,
                operation=pgtrigger.Delete,
                when=pgtrigger.After,
                referencing=pgtrigger.Referencing(old="changed_items"),
                func=SUBTRACT_ITEMS,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.place}: {self.docno}"
