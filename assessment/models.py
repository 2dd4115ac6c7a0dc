"""Assignments of topics to people, and the judgments they make: append-only events."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

import pgtrigger
from django.db import models
from django.db.models import Case, Count, Exists, OuterRef, Q, Subquery, When
from django.db.models.functions import Coalesce, Now, TruncDay

from evaluation.models import Criteria, Phase, Pool, PoolItem, Role, Task, User

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser


def _count_of(items: models.QuerySet[PoolItem]) -> Coalesce:
    counted = items.order_by().values("topic").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted, output_field=models.IntegerField()), 0)


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    """Reads of assignments."""

    def visible_to(self, user: User | AnonymousUser) -> AssignmentQuerySet:
        """One's own, and those of tasks one organizes."""
        own = self.model.objects.held_by(user).values("pk")
        return self.filter(Q(pk__in=own) | Q(pool__task__in=Task.objects.organized_by(user)))

    def held_by(self, user: User | AnonymousUser) -> AssignmentQuerySet:
        """One's own, in opened tasks of the tracks that one still assesses for."""
        tasks = Task.objects.opened().with_member(user, Role.ASSESSOR)
        return self.filter(assessor_id=user.pk, pool__task__in=tasks)

    def in_judging(self) -> AssignmentQuerySet:
        """Those whose task is open for judging, by the database clock."""
        return self.filter(
            pool__task__in=Task.objects.with_phase().filter(Q(phase=Phase.JUDGING)).values("pk")
        )

    def with_progress(self) -> AssignmentQuerySet:
        """Annotate ``item_count``, and ``judged_count``: the items that need this assessor no more."""
        items = PoolItem.objects.filter(pool=OuterRef("pool"), topic=OuterRef("topic"))
        standing = Judgment.objects.standing().filter(
            task=OuterRef("pool__task"), topic=OuterRef("topic"), docno=OuterRef("docno")
        )
        own = items.filter(Exists(standing.filter(assessor=OuterRef(OuterRef("assessor")))))
        settled = items.filter(Exists(standing.by_owners()))
        counts = {
            "item_count": _count_of(items),
            "judged_count": Case(When(is_second=True, then=_count_of(own)), default=_count_of(settled)),
        }
        return self.annotate(**counts)


class Assignment(models.Model):
    """One topic of a pool, given to one assessor.

    The first assignment of a topic owns it: its grades make the people's qrels. A second one grades the same
    items for the agreement. Neither sees the other.
    """

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="assignments")
    topic = models.CharField(max_length=255, db_collation="C")
    assessor = models.ForeignKey(User, models.PROTECT, related_name="assignments")
    is_second = models.BooleanField(default=False)
    assigned_at = models.DateTimeField(db_default=Now(), editable=False)
    assigned_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    item_count: int
    judged_count: int
    objects = AssignmentQuerySet.as_manager()

    class Meta:
        ordering = ["pool", "topic", "is_second"]
        constraints = [
            models.UniqueConstraint(
                fields=["pool", "topic"], condition=Q(is_second=False), name="assignment_one_owner_a_topic"
            ),
            models.UniqueConstraint(
                fields=["pool", "topic", "assessor"], name="assignment_not_twice_to_one_assessor"
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="assignments_are_not_changed", operation=pgtrigger.Update),
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
        return f"{self.topic} to {self.assessor}{' (second)' if self.is_second else ''}"

    def items(self) -> models.QuerySet[PoolItem]:
        """The topic's items in the pool's seeded order; an item's place is its rank here, from 1."""
        return PoolItem.objects.filter(pool=self.pool_id, topic=self.topic).order_by("position")

    def open_places(self) -> list[int]:
        """Places of the items that still need a judgment, rising."""
        settled = set(self.settling_judgments().values_list("docno", flat=True))
        docnos = self.items().values_list("docno", flat=True)
        return [place for place, docno in enumerate(docnos, start=1) if docno not in settled]

    def own_judgments(self) -> JudgmentQuerySet:
        """The assessor's standing judgments on the topic, oldest first."""
        judgments = Judgment.objects.standing().filter(task=self.pool.task_id, topic=self.topic)
        return judgments.filter(assessor=self.assessor_id).order_by("pk")

    def settling_judgments(self) -> JudgmentQuerySet:
        """Standing judgments that spare the assessor an item: the own, and those of another owner."""
        if self.is_second:
            return self.own_judgments()
        return Judgment.objects.standing().by_owners().filter(task=self.pool.task_id, topic=self.topic)


class CannotJudge(models.TextChoices):
    """Why an assessor gives no grade."""

    IMAGE = "image", "Image does not show or is cut off"
    TOPIC = "topic", "Topic cannot be understood"
    LANGUAGE = "language", "Text in a language I do not read"
    UPSET = "upset", "I would rather not look at it"


class JudgmentQuerySet(models.QuerySet["Judgment"]):
    """Reads of judgments."""

    def visible_to(self, user: User | AnonymousUser) -> JudgmentQuerySet:
        """One's own, and those of tasks one organizes."""
        return self.filter(Q(assessor_id=user.pk) | Q(task__in=Task.objects.organized_by(user)))

    def standing(self) -> JudgmentQuerySet:
        """Grades and refusals that nobody has undone."""
        return self.filter(undoes__isnull=True, undo__isnull=True)

    def current(self) -> JudgmentQuerySet:
        """The latest standing judgment of each (task, topic, docno, assessor).

        After an undo the judgment before it is current again. Its order picks the latest: do not change it.
        """
        pair = ("task_id", "topic", "docno", "assessor_id")
        return self.standing().order_by(*pair, "-pk").distinct(*pair)

    def today(self) -> JudgmentQuerySet:
        """Those since midnight UTC, by the database clock."""
        return self.filter(judged_at__gte=TruncDay(Now(), tzinfo=UTC))

    def by_owners(self) -> JudgmentQuerySet:
        """Those by an assessor who holds a first assignment of the topic in any pool of the task."""
        owned = Assignment.objects.filter(
            is_second=False,
            pool__task=OuterRef("task"),
            topic=OuterRef("topic"),
            assessor=OuterRef("assessor"),
        )
        return self.filter(Exists(owned))


class Judgment(models.Model):
    """One event: an assessor grades a pair, says why it cannot be judged, or undoes an earlier judgment.

    Events are appended and never changed. A pair stands by value: no event points at a pool or a place in it,
    so every later pool reuses it. ``image_sha256`` names the image that was shown (empty for a text).
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="judgments")
    topic = models.CharField(max_length=255, db_collation="C")
    docno = models.CharField(max_length=255, db_collation="C")
    image_sha256 = models.CharField(max_length=64, blank=True, db_collation="C")
    criteria = models.ForeignKey(Criteria, models.PROTECT, related_name="judgments")
    assessor = models.ForeignKey(User, models.PROTECT, related_name="judgments")
    grade = models.SmallIntegerField(null=True)
    reason = models.CharField(max_length=8, choices=CannotJudge, blank=True)
    undoes = models.OneToOneField("self", models.PROTECT, null=True, related_name="undo")
    comment = models.TextField(blank=True)
    client_uuid = models.UUIDField(unique=True)
    shown_at = models.DateTimeField(null=True, help_text="by the assessor's clock; empty for an undo")
    active_seconds = models.FloatField(null=True, help_text="at work on the item, idle time left out")
    judged_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = JudgmentQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["task", "topic", "docno", "assessor"], name="judgment_pair"),
            models.Index(fields=["assessor", "judged_at"], name="judgment_of_a_day"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(grade__isnull=False, reason="", undoes__isnull=True)
                | Q(grade__isnull=True, reason__in=CannotJudge.values, undoes__isnull=True)
                | Q(grade__isnull=True, reason="", undoes__isnull=False),
                name="judgment_is_grade_reason_or_undo",
            ),
            models.CheckConstraint(
                condition=Q(shown_at__isnull=False) | Q(undoes__isnull=False), name="judgment_was_shown"
            ),
            models.CheckConstraint(
                condition=Q(active_seconds__isnull=True) | Q(active_seconds__gte=0),
                name="judgment_active_seconds_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(image_sha256__regex=r"^([0-9a-f]{64})?$"), name="judgment_image_is_sha256"
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="judgments_are_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            ),
            pgtrigger.Trigger(
                name="undo_names_a_judgment_of_its_pair",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__undoes__isnull=False),
                func="""
                    IF NOT EXISTS (
                        SELECT FROM assessment_judgment AS undone
                        WHERE undone.id = NEW.undoes_id AND undone.undoes_id IS NULL
                          AND undone.task_id = NEW.task_id AND undone.topic = NEW.topic
                          AND undone.docno = NEW.docno AND undone.assessor_id = NEW.assessor_id
                    ) THEN
                        RAISE EXCEPTION 'an undo names a judgment of the same pair and assessor';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.docno}: {self.mark}"

    @property
    def mark(self) -> int | str:
        """The grade, or the reason for giving none ("undo" for an undo)."""
        if self.undoes_id is not None:
            return "undo"
        return self.reason if self.grade is None else self.grade
