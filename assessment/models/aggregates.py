"""Aggregates of judgments and remarks, updated by triggers, so that pages need not read every event.

`aggregate_updates` has the statements of the triggers.
"""

from __future__ import annotations

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Abs, Greatest

from assessment.models.judgment import Judgment
from assessment.models.purposes import Purpose
from assessment.models.remark import Remark
from evaluation.platform.access.people import User
from evaluation.results.qrels.models import Qrels, QrelsPair
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


class JudgedItemQuerySet(OrganizedQuerySet["JudgedItem"]):
    """Reads of judged items."""

    def with_judgment(self) -> JudgedItemQuerySet:
        """Items with a judgment of work, not only a remark."""
        return self.exclude(grades=[], refusal_count=0, nominal_count=0)

    def disputed(self) -> JudgedItemQuerySet:
        """Items with different answers, a flag, an image that does not show, or judgments but no answer.

        Sorted: open items first, then flagged ones, then those without a grade, then by falling distance.
        """
        order = ("is_settled", "-is_flagged", "-is_refused", "-distance", "topic", "docno")
        return self.filter(is_disputed=True).order_by(*order)

    def against(self, qrels: Qrels) -> JudgedItemQuerySet:
        """Items that a model and a person grade differently, open ones first, then by falling distance."""
        pair = QrelsPair.objects.filter(qrels=qrels, topic=OuterRef("topic"), docno=OuterRef("docno"))
        lowest, highest = F("grades__0"), F("grades__0") + F("distance")
        graded = self.exclude(grades=[]).alias(of_judge=Subquery(pair.values("grade")))
        distance = Greatest(Abs(lowest - F("of_judge")), Abs(highest - F("of_judge")))
        order = ("is_settled", "-judge_distance", "topic", "docno")
        return graded.annotate(judge_distance=distance).filter(judge_distance__gt=0).order_by(*order)


class JudgedItem(models.Model):
    """An item with a judgment or a remark, and a summary of its current judgments.

    ``grades`` are in ascending order; ``distance`` is the last minus the first. An item is refused if it has
    judgments but no answer, neither a grade nor one of the ``nominal_count`` answers beside the grades. It is
    unseen if an assessor reports that its image does not show.
    """

    # The index of this key reads the rows of a task in the order of the table. The constraint's index, by
    # topic and docno, reads a page of the table for each row.
    task = models.ForeignKey(Task, models.PROTECT, related_name="+")
    topic = models.CharField(max_length=255, db_collation="C")
    docno = models.CharField(max_length=255, db_collation="C")
    grades = ArrayField(models.SmallIntegerField())
    refusal_count = models.PositiveIntegerField()
    nominal_count = models.PositiveIntegerField(db_default=0)
    distance = models.PositiveSmallIntegerField()
    is_refused = models.BooleanField()
    is_unseen = models.BooleanField()
    is_flagged = models.BooleanField()
    is_settled = models.BooleanField(help_text="An adjudicator has answered it.")
    is_disputed = models.BooleanField()

    # Only `find_disagreements` sets these: judgments in order of time, the adjudicated one, remarks without a
    # judgment, and the grade of the model that people are compared with.
    judgments: tuple[Judgment, ...]
    adjudicated: Judgment | None
    remarks: tuple[Remark, ...]
    judge_grade: int | None
    objects = JudgedItemQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["task", "topic", "docno"], name="judged_item_once")]
        indexes = [
            models.Index(
                fields=["task", "is_settled", "-is_flagged", "-is_refused", "-distance", "topic", "docno"],
                condition=models.Q(is_disputed=True),
                name="judged_item_disputed",
            ),
            models.Index(fields=["task"], condition=models.Q(is_unseen=True), name="judged_item_unseen"),
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.docno}"


class CurrentJudgment(models.Model):
    """A judgment that ``Judgment.objects.current()`` finds, with the flag of a later remark."""

    judgment = models.OneToOneField(
        "assessment.Judgment", models.CASCADE, primary_key=True, related_name="kept"
    )
    task = models.ForeignKey(Task, models.PROTECT, related_name="+", db_index=False)
    item = models.ForeignKey(JudgedItem, models.PROTECT, related_name="current", db_index=False)
    assessor = models.ForeignKey(User, models.PROTECT, related_name="+", db_index=False)
    purpose = models.CharField(max_length=12, choices=Purpose)
    grade = models.SmallIntegerField(null=True)
    is_flagged = models.BooleanField()
    active_seconds = models.FloatField(null=True)
    judged_at = models.DateTimeField()

    objects = OrganizedQuerySet["CurrentJudgment"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "assessor", "purpose"], name="current_judgment_once")
        ]
        indexes = [
            models.Index(fields=["task", "assessor", "judged_at"], name="current_judgment_by_time"),
            models.Index(
                fields=["task", "assessor"],
                condition=models.Q(is_flagged=True),
                name="current_judgment_flagged",
            ),
            models.Index(
                fields=["task", "assessor"],
                condition=models.Q(purpose=Purpose.REPEAT),
                name="current_judgment_repeated",
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="shared_items_are_added",
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                condition=pgtrigger.Q(new__purpose=Purpose.WORK, new__grade__isnull=False),
                func=ADD_SHARED,
            ),
            pgtrigger.Trigger(
                name="shared_items_are_subtracted",
                operation=pgtrigger.Delete,
                when=pgtrigger.After,
                condition=pgtrigger.Q(old__purpose=Purpose.WORK, old__grade__isnull=False),
                func=SUBTRACT_SHARED,
            ),
        ]

    def __str__(self) -> str:
        return str(self.judgment)


class Tally(models.Model):
    """The number of an assessor's current judgments of a topic with one grade; null is "cannot judge".

    Only the assessor's own judgments change the row, so assessors do not wait for each other.
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="+", db_index=False)
    topic = models.CharField(max_length=255, db_collation="C")
    assessor = models.ForeignKey(User, models.PROTECT, related_name="+", db_index=False)
    purpose = models.CharField(max_length=12, choices=Purpose)
    grade = models.SmallIntegerField(null=True)
    count = models.IntegerField()

    objects = OrganizedQuerySet["Tally"].as_manager()

    class Meta:
        verbose_name_plural = "tallies"
        constraints = [
            models.UniqueConstraint(
                fields=["task", "topic", "assessor", "purpose", "grade"],
                nulls_distinct=False,
                name="tally_once",
            ),
            models.CheckConstraint(condition=models.Q(count__gte=0), name="tally_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.assessor_id} {self.grade}: {self.count}"


class JudgedQuarter(models.Model):
    """The number of an assessor's current judgments of a topic in the quarter-hour from ``started_at`` on.

    Adjudication and extra judgments are not counted. Days of every time zone consist of whole quarters. As
    with tallies, only the assessor's own judgments of the topic change the row.
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="+", db_index=False)
    topic = models.CharField(max_length=255, db_collation="C")
    assessor = models.ForeignKey(User, models.PROTECT, related_name="+", db_index=False)
    started_at = models.DateTimeField()
    count = models.IntegerField()

    objects = OrganizedQuerySet["JudgedQuarter"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["task", "assessor", "topic", "started_at"], name="judged_quarter_once"
            ),
            models.CheckConstraint(condition=models.Q(count__gte=0), name="judged_quarter_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.assessor_id} {self.started_at}: {self.count}"
