"""Qrels: immutable grades of pairs, from people or models."""

from __future__ import annotations

from collections.abc import Iterator

import pgtrigger
from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.collections.seen import SeenFields, seen_of_what_is_shown
from evaluation.platform.access.people import User
from evaluation.submissions.pools.models import FROZEN, Pool
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from evaluation.tracks.visibility import ReleasedQuerySet


class QrelsKind(models.TextChoices):
    """Who graded."""

    HUMAN = "human", "people"
    SECOND = "second", "second assessor"
    MODEL = "model", "a model"


class QrelsQuerySet(ReleasedQuerySet["Qrels"]):
    """Queryset of qrels."""

    def current(self) -> QrelsQuerySet:
        """The latest version of each name within its task."""
        return self.order_by("task_id", "name", "-version").distinct("task_id", "name")


class Qrels(models.Model):
    """One set of grades of a task, with its provenance. A correction is a new version.

    ``topics`` are the topics with at least one grade, in byte order: the axis of stored values.
    ``sha256`` is the hash of the 4-column qrels file. ``provenance`` is JSON: assessors or judge, backbone,
    prompt, mapping, agreement, and the count of pairs by outcome.
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="qrels")
    name = models.CharField(max_length=60)
    version = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8, choices=QrelsKind)
    pool = models.ForeignKey(
        Pool,
        models.PROTECT,
        null=True,
        related_name="qrels",
        help_text="Empty: the union of the task's pools.",
    )
    provenance = models.JSONField()
    sha256 = models.CharField(max_length=64)
    topics = ArrayField(models.CharField(max_length=255, db_collation="C"))
    pair_count = models.PositiveIntegerField()
    graded_count = models.PositiveIntegerField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    gone: list[str]  # only `qrels_to_choose` sets it
    objects = QrelsQuerySet.as_manager()

    class Meta:
        ordering = ["task", "kind", "name", "-version"]
        verbose_name_plural = "qrels"
        constraints = [
            models.UniqueConstraint(fields=["task", "name", "version"], name="qrels_version_once"),
            models.CheckConstraint(
                condition=~Q(kind=QrelsKind.MODEL) | Q(pool__isnull=False), name="model_qrels_name_their_pool"
            ),
        ]
        triggers = [pgtrigger.Protect(name="qrels_are_immutable", operation=FROZEN)]

    def __str__(self) -> str:
        return f"{self.name} (version {self.version})"

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file: those whose hash is ``sha256``."""
        numbers = Criteria.objects.numbers(self.task_id)
        pairs = self.pairs.graded().order_by("topic", "docno").values_list("topic", "docno", "grade")
        for topic, docno, grade in pairs.iterator():
            if grade is not None:
                yield line_of(topic, docno, numbers.get(grade, grade))


def line_of(topic: str, docno: str, number: int) -> str:
    """Return the line of a pair in a file of qrels."""
    return f"{topic} 0 {docno} {number}\n"


FREEZE = """
    UPDATE evaluation_topic AS topic SET frozen_at = clock_timestamp()
    FROM (
        SELECT DISTINCT task_id, topic FROM graded JOIN evaluation_qrels ON evaluation_qrels.id = qrels_id
        WHERE grade IS NOT NULL
    ) AS found
    WHERE topic.task_id = found.task_id AND topic.number = found.topic AND frozen_at IS NULL;
    UPDATE evaluation_document AS document SET frozen_at = clock_timestamp()
    FROM (
        SELECT DISTINCT collection_id, docno FROM graded
        JOIN evaluation_qrels ON evaluation_qrels.id = qrels_id
        JOIN evaluation_task ON evaluation_task.id = task_id WHERE grade IS NOT NULL
    ) AS found
    WHERE document.collection_id = found.collection_id AND document.docno = found.docno AND frozen_at IS NULL;
    RETURN NULL;
"""


class QrelsPairQuerySet(models.QuerySet["QrelsPair"]):
    """Queryset of graded pairs."""

    def visible_to(self, user: User | AnonymousUser) -> QrelsPairQuerySet:
        """Pairs of the qrels that the person may see."""
        return self.filter(qrels__in=Qrels.objects.visible_to(user))

    def graded(self) -> QrelsPairQuerySet:
        """Pairs with a grade, which are those in the qrels file."""
        return self.filter(grade__isnull=False)


class QrelsPair(SeenFields):
    """One pair in a set of qrels. A null grade is a gap, and ``outcome`` holds the reason."""

    qrels = models.ForeignKey(Qrels, models.PROTECT, related_name="pairs")
    topic = models.CharField(max_length=255, db_collation="C")
    docno = models.CharField(max_length=255, db_collation="C")
    grade = models.SmallIntegerField(null=True)
    raw_score = models.FloatField(null=True)
    outcome = models.CharField(max_length=24)

    objects = QrelsPairQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["qrels", "topic", "docno"], name="qrels_pair_once"),
            models.CheckConstraint(
                condition=Q(grade__isnull=True) | Q(outcome__startswith="ok"), name="qrels_grade_needs_ok"
            ),
            models.CheckConstraint(
                condition=Q(grade__isnull=False) | ~Q(outcome="ok"), name="qrels_gap_has_a_reason"
            ),
            seen_of_what_is_shown("qrels_pair"),
        ]
        triggers = [
            pgtrigger.Protect(name="qrels_pairs_are_immutable", operation=FROZEN),
            pgtrigger.Trigger(
                name="graded_items_are_frozen",
                level=pgtrigger.Statement,
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                referencing=pgtrigger.Referencing(new="graded"),
                func=FREEZE,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.docno} {self.grade}"
