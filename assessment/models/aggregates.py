"""Aggregates of judgments and remarks, updated by triggers, so that pages need not read every event.

The trigger of a new judgment or remark updates the rows of its item in the same transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Abs, Greatest

from assessment.models.assignment import Purpose
from assessment.models.shared_tally import ADD_SHARED, SUBTRACT_SHARED
from evaluation.access.people import User
from evaluation.qrels.models import QrelsPair
from evaluation.tracks.models import Task

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from evaluation.qrels.models import Qrels


class JudgedItemQuerySet(models.QuerySet["JudgedItem"]):
    """Reads of judged items."""

    def visible_to(self, user: User | AnonymousUser) -> JudgedItemQuerySet:
        """Organizers only."""
        return self.filter(task__in=Task.objects.organized_by(user))

    def disputed(self) -> JudgedItemQuerySet:
        """Items with different grades, a flag, an image that does not show, or judgments but no grade.

        Sorted: open items first, then flagged ones, then those without a grade, then by falling distance.
        """
        order = ("is_settled", "-is_flagged", "-is_refused", "-distance", "topic", "docno")
        return self.filter(is_disputed=True).order_by(*order)

    def against(self, qrels: Qrels) -> JudgedItemQuerySet:
        """Items that a model and a person grade differently, open ones first, then by falling distance."""
        pair = QrelsPair.objects.filter(qrels=qrels, topic=OuterRef("topic"), docno=OuterRef("docno"))
        lowest, highest = F("grades__0"), F("grades__0") + F("distance")
        graded = self.exclude(grades=[]).alias(judge_grade=Subquery(pair.values("grade")))
        far = Greatest(Abs(lowest - F("judge_grade")), Abs(highest - F("judge_grade")))
        order = ("is_settled", "-judge_distance", "topic", "docno")
        return graded.annotate(judge_distance=far).filter(judge_distance__gt=0).order_by(*order)


class JudgedItem(models.Model):
    """An item with a judgment or a remark, and a summary of its current judgments.

    ``grades`` are in ascending order; ``distance`` is the last minus the first. An item is refused if it has
    judgments but no grade, and unseen if an assessor reports that its image does not show.
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="+", db_index=False)
    topic = models.CharField(max_length=255, db_collation="C")
    docno = models.CharField(max_length=255, db_collation="C")
    grades = ArrayField(models.SmallIntegerField())
    refusal_count = models.PositiveIntegerField()
    distance = models.PositiveSmallIntegerField()
    is_refused = models.BooleanField()
    is_unseen = models.BooleanField()
    is_flagged = models.BooleanField()
    is_settled = models.BooleanField(help_text="An adjudicator has graded it.")
    is_disputed = models.BooleanField()

    objects = JudgedItemQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["task", "topic", "docno"], name="judged_item_once")]
        indexes = [
            models.Index(
                fields=["task", "is_settled", "-is_flagged", "-is_refused", "-distance", "topic", "docno"],
                condition=models.Q(is_disputed=True),
                name="judged_item_disputed",
            )
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.docno}"


class CurrentJudgmentQuerySet(models.QuerySet["CurrentJudgment"]):
    """Reads of current judgments."""

    def visible_to(self, user: User | AnonymousUser) -> CurrentJudgmentQuerySet:
        """Organizers only."""
        return self.filter(task__in=Task.objects.organized_by(user))


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

    objects = CurrentJudgmentQuerySet.as_manager()

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


class TallyQuerySet(models.QuerySet["Tally"]):
    """Reads of tallies."""

    def visible_to(self, user: User | AnonymousUser) -> TallyQuerySet:
        """Organizers only."""
        return self.filter(task__in=Task.objects.organized_by(user))


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

    objects = TallyQuerySet.as_manager()

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


class JudgedQuarterQuerySet(models.QuerySet["JudgedQuarter"]):
    """Reads of judged quarters."""

    def visible_to(self, user: User | AnonymousUser) -> JudgedQuarterQuerySet:
        """Organizers only."""
        return self.filter(task__in=Task.objects.organized_by(user))


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

    objects = JudgedQuarterQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["task", "assessor", "topic", "started_at"], name="judged_quarter_once"
            ),
            models.CheckConstraint(condition=models.Q(count__gte=0), name="judged_quarter_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.assessor_id} {self.started_at}: {self.count}"


QUARTER = "date_bin('15 minutes', {moment}, 'epoch')"
IS_PACED = "{purpose} NOT IN ('adjudication', 'extra')"

# A new judgment or remark, NEW, changes the rows of its item. The first statement locks the item's row:
# concurrent events of the item wait, and the later statements read what those events have stored.
AGGREGATE_VARIABLES = [("kept", "bigint")]
UPDATE_AGGREGATES = f"""
    INSERT INTO assessment_judgeditem AS item (task_id, topic, docno, grades, refusal_count, distance,
        is_refused, is_unseen, is_flagged, is_settled, is_disputed)
    VALUES (NEW.task_id, NEW.topic, NEW.docno, '{{}}', 0, 0, false, false, false, false, false)
    ON CONFLICT (task_id, topic, docno) DO UPDATE SET distance = item.distance
    RETURNING item.id INTO kept;

    WITH gone AS (
        DELETE FROM assessment_currentjudgment AS former
        WHERE former.item_id = kept AND former.assessor_id = NEW.assessor_id AND former.purpose = NEW.purpose
        RETURNING former.grade, former.judged_at
    ), slower AS (
        UPDATE assessment_judgedquarter AS quarter SET count = quarter.count - 1 FROM gone
        WHERE quarter.task_id = NEW.task_id AND quarter.assessor_id = NEW.assessor_id
            AND quarter.topic = NEW.topic AND quarter.started_at = {QUARTER.format(moment="gone.judged_at")}
            AND {IS_PACED.format(purpose="NEW.purpose")}
    )
    UPDATE assessment_tally AS tally SET count = tally.count - 1 FROM gone
    WHERE tally.task_id = NEW.task_id AND tally.topic = NEW.topic AND tally.assessor_id = NEW.assessor_id
        AND tally.purpose = NEW.purpose AND tally.grade IS NOT DISTINCT FROM gone.grade;

    WITH latest AS (
        INSERT INTO assessment_currentjudgment
            (judgment_id, task_id, item_id, assessor_id, purpose, grade, is_flagged, active_seconds,
                judged_at)
        SELECT judgment.id, NEW.task_id, kept, NEW.assessor_id, NEW.purpose, judgment.grade,
            CASE WHEN remark.made_at >= judgment.judged_at THEN remark.is_flagged
                ELSE judgment.is_flagged END,
            judgment.active_seconds, judgment.judged_at
        FROM assessment_judgment AS judgment
        LEFT JOIN LATERAL (
            SELECT made_at, is_flagged FROM assessment_remark
            WHERE task_id = NEW.task_id AND topic = NEW.topic AND docno = NEW.docno
                AND assessor_id = NEW.assessor_id AND purpose = NEW.purpose
            ORDER BY id DESC LIMIT 1
        ) AS remark ON true
        WHERE judgment.task_id = NEW.task_id AND judgment.topic = NEW.topic AND judgment.docno = NEW.docno
            AND judgment.assessor_id = NEW.assessor_id AND judgment.purpose = NEW.purpose
            AND judgment.undoes_id IS NULL
            AND NOT EXISTS (SELECT FROM assessment_judgment AS undo WHERE undo.undoes_id = judgment.id)
        ORDER BY judgment.id DESC LIMIT 1
        RETURNING grade, judged_at
    ), faster AS (
        INSERT INTO assessment_judgedquarter AS quarter (task_id, topic, assessor_id, started_at, count)
        SELECT NEW.task_id, NEW.topic, NEW.assessor_id, {QUARTER.format(moment="latest.judged_at")}, 1
        FROM latest WHERE {IS_PACED.format(purpose="NEW.purpose")}
        ON CONFLICT (task_id, assessor_id, topic, started_at) DO UPDATE SET count = quarter.count + 1
    )
    INSERT INTO assessment_tally AS tally (task_id, topic, assessor_id, purpose, grade, count)
    SELECT NEW.task_id, NEW.topic, NEW.assessor_id, NEW.purpose, latest.grade, 1 FROM latest
    ON CONFLICT (task_id, topic, assessor_id, purpose, grade) DO UPDATE SET count = tally.count + 1;

    UPDATE assessment_judgeditem AS item SET
        grades = found.grades,
        refusal_count = found.refusal_count,
        distance = found.distance,
        is_refused = found.grades = '{{}}' AND found.refusal_count > 0,
        is_unseen = found.is_unseen,
        is_flagged = found.is_flagged OR said.is_flagged,
        is_settled = found.is_settled,
        is_disputed = (found.grades <> '{{}}' OR found.refusal_count > 0 OR said.is_flagged) AND (
            found.distance > 0 OR found.is_flagged OR said.is_flagged OR found.is_unseen
            OR (found.grades = '{{}}' AND found.refusal_count > 0))
    FROM (
        SELECT
            coalesce(array_agg(grade ORDER BY grade) FILTER (WHERE is_work AND grade IS NOT NULL), '{{}}')
                AS grades,
            count(*) FILTER (WHERE is_work AND grade IS NULL) AS refusal_count,
            coalesce(max(grade) FILTER (WHERE is_work) - min(grade) FILTER (WHERE is_work), 0)
                AS distance,
            coalesce(bool_or(is_work AND reason = 'image'), false) AS is_unseen,
            coalesce(bool_or(is_flagged), false) AS is_flagged,
            coalesce(bool_or(purpose = 'adjudication' AND grade IS NOT NULL), false) AS is_settled
        FROM (
            SELECT now.grade, now.purpose, now.is_flagged, judgment.reason, now.purpose = 'work' AS is_work
            FROM assessment_currentjudgment AS now
            JOIN assessment_judgment AS judgment ON judgment.id = judgment_id
            WHERE now.item_id = kept
        ) AS current
    ) AS found, (
        SELECT coalesce(bool_or(is_flagged), false) AS is_flagged FROM (
            SELECT DISTINCT ON (assessor_id, purpose) assessor_id, purpose, is_flagged FROM assessment_remark
            WHERE task_id = NEW.task_id AND topic = NEW.topic AND docno = NEW.docno
            ORDER BY assessor_id, purpose, id DESC
        ) AS remark
        WHERE NOT EXISTS (
            SELECT FROM assessment_currentjudgment AS now
            WHERE now.item_id = kept AND now.assessor_id = remark.assessor_id AND now.purpose = remark.purpose
        )
    ) AS said
    WHERE item.id = kept;
    RETURN NULL;
"""  # noqa: S608 - our own constants
