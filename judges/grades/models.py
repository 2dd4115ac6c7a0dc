"""Mappings: frozen rules from a judge's raw scores to grades."""

from __future__ import annotations

import math
from typing import ClassVar

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.platform.access.people import User
from evaluation.results.qrels.models import Qrels
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.models import Task
from evaluation.tracks.visibility import OrganizedQuerySet
from judges.catalogue.models import Judge
from judges.jobs.calls import Call
from judges.jobs.models import Job
from trackside.judging.mappings.mapping import GRADES, Cuts, QuantileMapping
from trackside.judging.mappings.rules import (
    AS_GIVEN,
    EXPECTED,
    PAPER,
    PER_TOPIC,
    QUANTILES,
    AsGiven,
    ExpectedGradeRule,
    Frozen,
    PerTopic,
    Scored,
    grades_of,
)


def three_grades() -> list[int]:
    """The scale of mappings that were fitted when it was the only one."""
    return list(GRADES)


CUTS_RISE_BETWEEN_GRADES = """
    IF cardinality(NEW.scale) < 2
        OR (NEW.rule IN ('per-topic', 'as-given', 'expected-grade')) <> (cardinality(NEW.thresholds) = 0)
        OR cardinality(NEW.thresholds) NOT IN (0, cardinality(NEW.scale) - 1)
        OR NEW.thresholds <> (SELECT array_agg(cut ORDER BY cut) FROM unnest(NEW.thresholds) AS cut)
    THEN
        RAISE EXCEPTION 'mapping: it needs one rising cut between each grade and the next'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
"""


class Mapping(models.Model):
    """The rule of one judge, fitted on one named pool and never changed.

    ``scale`` are the grades of the criteria when it was fitted, with one threshold between each and the next.
    ``score_count`` is the number of raw scores that it was fitted on, or that fixed cuts were set for. A new
    fit is a new version. By quantiles a score equal to a threshold other than the first gets the grade below
    it, by all cuts the grade above; no score reaches an infinite cut. ``people`` and ``fitting_topics`` are
    the human qrels and their topics that a rule by people was fitted on: its grades for these are never
    published. ``by_topic`` has the thresholds and the number of scores of each topic, for mappings that
    earlier releases fitted by the rule ``per-topic``.
    """

    judge = models.ForeignKey(Judge, models.PROTECT, related_name="mappings")
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="mappings")
    rule = models.CharField(max_length=30)
    version = models.PositiveSmallIntegerField()
    scale = ArrayField(models.PositiveSmallIntegerField(), default=three_grades)
    thresholds = ArrayField(models.FloatField(), default=list)
    score_count = models.PositiveIntegerField()
    by_topic = models.JSONField(default=dict)
    people = models.ForeignKey(Qrels, models.PROTECT, null=True, related_name="mappings")
    fitting_topics = ArrayField(models.CharField(max_length=255, db_collation="C"), default=list)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    task_path: ClassVar = "pool__task"

    objects = OrganizedQuerySet.as_manager()

    class Meta:
        ordering = ["judge", "pool", "rule", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["judge", "pool", "rule", "version"], name="mapping_version_once"),
            models.CheckConstraint(
                condition=Q(people__isnull=True, fitting_topics=[])
                | (Q(people__isnull=False) & ~Q(fitting_topics=[])),
                name="mapping_names_its_fitting_topics",
            ),
            models.CheckConstraint(condition=Q(score_count__gte=1), name="mapping_fitted_on_scores"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="mapping_cuts_rise_between_grades",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func=CUTS_RISE_BETWEEN_GRADES,
            ),
            pgtrigger.Protect(name="mappings_are_frozen", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.rule} (version {self.version}), fitted on {self.pool}"

    def left_out_of(self, task: Task) -> list[str]:
        """Return the topics of the judge's examples, and the fitting topics if they belong to the task.

        People's grades of them decided the grades.
        """
        fitting = self.fitting_topics if self.people and self.people.task_id == task.pk else []
        return [*fitting, *self.judge.example_topics]

    def graded_calls(self, job: Job) -> list[tuple[Call, int | None]]:
        """Return the job's calls of the pool with their grades; None without a raw score or a grade.

        Calls of topics that the mapping was fitted on, or that the judge's examples are of, are excluded.
        """
        calls = list(job.calls.of_pool().exclude(topic__in=self.left_out_of(job.pool.task)))
        scored = [
            Scored(call.topic, call.raw_score, call.expected_score)
            for call in calls
            if call.raw_score is not None
        ]
        grades = iter(grades_of(self.frozen, scored))
        return [(call, None if call.raw_score is None else next(grades)) for call in calls]

    @property
    def finite_thresholds(self) -> list[float | None]:
        """The thresholds for JSON, in order: null for an infinite one."""
        return [threshold if math.isfinite(threshold) else None for threshold in self.thresholds]

    @property
    def frozen(self) -> Frozen:
        """The fitted rule as an object of ``trackside.judging``."""
        scale, thresholds = tuple(self.scale), tuple(self.thresholds)
        if self.rule == EXPECTED:
            return ExpectedGradeRule(scale)
        if self.rule == AS_GIVEN:
            return AsGiven(scale)
        if self.rule == PER_TOPIC:
            rows = self.by_topic.items()
            return PerTopic(
                {
                    topic: QuantileMapping(tuple(cuts), count, PER_TOPIC, scale)
                    for topic, (*cuts, count) in rows
                }
            )
        if self.rule in {PAPER, QUANTILES}:
            return QuantileMapping(thresholds, self.score_count, self.rule, scale)
        return Cuts(scale, thresholds, self.score_count, self.rule)
