"""Pools: the frozen set of topic-document pairs that people and models grade."""

from __future__ import annotations

from collections.abc import Collection
from typing import Self, TypeVar

import pgtrigger
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.db.models.functions import Coalesce, Now

from evaluation.collections.models import Document
from evaluation.platform.access.people import User
from evaluation.submissions.runs.models import Run
from evaluation.submissions.runs.rankings import DOCUMENT_NUMBER
from evaluation.tracks.models import Task, TaskKind
from evaluation.tracks.visibility import OrganizedQuerySet

Row = TypeVar("Row", bound=models.Model)
THIRD = "third"  # method of a pool that a third person grades
FROZEN = pgtrigger.Update | pgtrigger.Delete
COUNT_ITEMS = f"""
    INSERT INTO evaluation_pooltopic AS counted (pool_id, topic, item_count, numbers)
    SELECT pool_id, topic, count(*), string_agg({DOCUMENT_NUMBER.format(docno="docno")}, ''::bytea)
    FROM new_items GROUP BY pool_id, topic ORDER BY pool_id, topic
    ON CONFLICT (pool_id, topic) DO UPDATE SET
        item_count = counted.item_count + excluded.item_count, numbers = counted.numbers || excluded.numbers;
    RETURN NULL;
"""  # noqa: S608 - our own constant


class PoolKind(models.TextChoices):
    """How a pool was drawn."""

    DEPTH = "depth", "top results of each run"
    BUDGET = "budget", "a number of items of each topic, by priority"
    SAMPLE = "sample", "a known share of each stratum of ranks"
    ADAPTIVE = "adaptive", "the next batch, by the judgments so far"
    CHECK = "check", "pairs that models flagged for people"


class PoolQuerySet(OrganizedQuerySet["Pool"]):
    """Queryset of pools. Organizers only: a pool reveals what runs retrieved."""

    def with_runs_of(self, teams: Collection[int]) -> PoolQuerySet:
        """Pools with results of runs of the teams, given by primary key.

        Check pools have no runs of their own: their pairs come from the other pools of the task.
        """
        drawn = self.model.objects.filter(pool_runs__run__team__in=teams)
        return self.filter(Q(pk__in=drawn) | Q(kind=PoolKind.CHECK, task__in=drawn.values("task")))

    def for_qrels(self) -> PoolQuerySet:
        """Pools whose grades count: without those of a third person."""
        # Not `recipe__method`: a recipe without one gives NULL, and the pool would be missing.
        return self.exclude(kind=PoolKind.CHECK, recipe__contains={"method": THIRD})

    def with_size(self) -> PoolQuerySet:
        """Annotate ``item_count`` and ``topic_count``."""
        topics = PoolTopic.objects.filter(pool=models.OuterRef("pk")).order_by().values("pool")
        counts = {"item_count": models.Sum("item_count"), "topic_count": models.Count("*")}
        totals = {name: topics.annotate(number=count).values("number") for name, count in counts.items()}
        return self.annotate(**{name: Coalesce(models.Subquery(total), 0) for name, total in totals.items()})


class Pool(models.Model):
    """A frozen pool. ``seed`` fixes random choices, and the order in which its items are shown.

    ``recipe`` describes how it was drawn. Together with the runs, their depths, the seed and the qrels that
    it names, it reproduces the pool.
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="pools")
    name = models.CharField(max_length=60)
    kind = models.CharField(max_length=8, choices=PoolKind, default=PoolKind.DEPTH)
    recipe = models.JSONField(default=dict)
    seed = models.PositiveBigIntegerField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    item_count: int
    topic_count: int
    objects = PoolQuerySet.as_manager()

    class Meta:
        ordering = ["created_at"]
        constraints = [models.UniqueConstraint(fields=["task", "name"], name="pool_name_once_a_task")]
        triggers = [
            pgtrigger.Protect(name="pools_are_frozen", operation=FROZEN),
            pgtrigger.Trigger(
                name="a_practice_task_has_no_pool",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF (SELECT is_practice FROM evaluation_task WHERE id = NEW.task_id) THEN
                        RAISE EXCEPTION 'task %: a practice task has no pool', NEW.task_id
                        USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task}, pool {self.name}"

    @property
    def is_third(self) -> bool:
        """Whether a third person grades it, for a sentence of the report alone and not for qrels."""
        return bool(self.recipe.get("method") == THIRD)


class OfPoolQuerySet(models.QuerySet[Row]):
    """Queryset of rows that a pool has."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Organizers only; assessors reach items through their assignments."""
        return self.filter(pool__in=Pool.objects.visible_to(user))


class PoolRun(models.Model):
    """A run that contributed to a pool, and its depth. Never shown to assessors."""

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="pool_runs")
    run = models.ForeignKey(Run, models.PROTECT, related_name="pool_runs")
    depth = models.PositiveIntegerField()

    objects = OfPoolQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "run"], name="pool_run_once")]
        triggers = [pgtrigger.Protect(name="pool_runs_are_frozen", operation=FROZEN)]

    def __str__(self) -> str:
        return f"{self.run} to {self.depth}"


class PoolItemQuerySet(OfPoolQuerySet["PoolItem"]):
    """Queryset of pool items."""

    def bare(self, task: Task) -> PoolItemQuerySet:
        """Items of the task's pools whose document lacks the picture, or the text, to be graded."""
        documents = Document.objects.filter(collection=task.collection_id)
        bare = documents.without_what_is_shown(TaskKind(task.kind)).filter(docno=models.OuterRef("docno"))
        return self.filter(pool__task=task).filter(models.Exists(bare))


class PoolItem(models.Model):
    """One topic-document pair to grade. ``position`` is its place in the pool's seeded order, from 0.

    In a sampled pool ``stratum`` counts from 1 and ``chance`` is the probability of being drawn; else null.
    """

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="items")
    topic = models.CharField(max_length=255, db_collation="C")
    docno = models.CharField(max_length=255, db_collation="C")
    position = models.PositiveIntegerField()
    stratum = models.PositiveSmallIntegerField(null=True)
    chance = models.FloatField(null=True)

    objects = PoolItemQuerySet.as_manager()

    class Meta:
        ordering = ["pool", "position"]
        constraints = [
            models.UniqueConstraint(fields=["pool", "topic", "docno"], name="pool_item_once"),
            models.UniqueConstraint(fields=["pool", "position"], name="pool_position_once"),
        ]
        triggers = [
            pgtrigger.Protect(name="pool_items_are_frozen", operation=FROZEN),
            pgtrigger.Trigger(
                name="pool_items_are_counted",
                level=pgtrigger.Statement,
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                referencing=pgtrigger.Referencing(new="new_items"),
                func=COUNT_ITEMS,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.docno}"


class PoolTopic(models.Model):
    """A topic of a pool with the number of its items, counted by a trigger as the items are stored.

    ``numbers`` are the 64-bit numbers of its documents (``DOCUMENT_NUMBER``), in any order: pages find them
    in the heads of rankings.
    """

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="pool_topics", db_index=False)
    topic = models.CharField(max_length=255, db_collation="C")
    item_count = models.PositiveIntegerField()
    numbers = models.BinaryField()

    objects = OfPoolQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "topic"], name="pool_topic_once")]

    def __str__(self) -> str:
        return f"{self.topic}: {self.item_count}"


class UndrawnPair(models.Model):
    """A pair that a sampled pool could have drawn but did not: it is not graded, but prels list it."""

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="undrawn_pairs")
    topic = models.CharField(max_length=255, db_collation="C")
    docno = models.CharField(max_length=255, db_collation="C")
    stratum = models.PositiveSmallIntegerField()

    objects = OfPoolQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "topic", "docno"], name="undrawn_pair_once")]
        triggers = [pgtrigger.Protect(name="undrawn_pairs_are_frozen", operation=FROZEN)]

    def __str__(self) -> str:
        return f"{self.topic} {self.docno}"
