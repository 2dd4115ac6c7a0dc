"""Trials of judges on one pair, to check address, key and model, and of two prompts on several pairs."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar, Self, TypeVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from evaluation.platform.access.people import User
from evaluation.tracks.models import Task
from evaluation.tracks.visibility import OrganizedQuerySet
from judges.catalogue.models import Judge
from trackside.judging.costs import amount
from trackside.judging.prompts import reading_form
from trackside.judging.shown_answers import AnswerPart, marked_parts

FORGOTTEN = timedelta(seconds=15)  # then the message is sent again, until UNCLAIMED
UNCLAIMED = timedelta(seconds=60)  # until the page reports that no worker has started the trial
FRESH = timedelta(days=7)  # a failed trial asks for something: later nobody wants the judge
LONGEST = timedelta(minutes=5)  # a large model loads for minutes
Row = TypeVar("Row", bound="Asked")


class AskedQuerySet(OrganizedQuerySet[Row]):
    """Reads of trials and of comparisons."""

    def forgotten(self) -> Self:
        """Those that no worker has started for FORGOTTEN, but that pages still wait for."""
        return self.filter(started_at__isnull=True, asked_at__range=(Now() - UNCLAIMED, Now() - FORGOTTEN))


class Asked(models.Model):
    """Requests to a judge that a person on a page waits for; ``error`` is why there is no answer."""

    judge = models.ForeignKey(Judge, models.CASCADE, related_name="%(class)ss")
    task = models.ForeignKey(Task, models.CASCADE, related_name="+")
    asked_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    started_at = models.DateTimeField(null=True, editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)
    error = models.TextField(blank=True, editable=False)
    cost_micros = models.PositiveBigIntegerField(
        default=0, db_default=0, editable=False, help_text="Charged to the track's budget."
    )

    longest: ClassVar = LONGEST  # that a worker may take

    class Meta:
        abstract = True

    @property
    def cost(self) -> str:
        """The money charged to the track."""
        return amount(self.cost_micros)

    @property
    def is_running(self) -> bool:
        """Whether a worker may still answer."""
        return self.ended_at is None and not self.is_overdue

    @property
    def is_overdue(self) -> bool:
        """Whether no worker has started it for a minute, or the worker has not answered for too long."""
        if self.ended_at:
            return False
        since, limit = (self.started_at, self.longest) if self.started_at else (self.asked_at, UNCLAIMED)
        return timezone.now() - since > limit

    @property
    def seconds(self) -> float | None:
        """The seconds until the answer; None before the end."""
        return (self.ended_at - self.asked_at).total_seconds() if self.ended_at else None


class TrialQuerySet(AskedQuerySet["Trial"]):
    """Reads of trials."""

    def latest_of(self, task: Task | models.OuterRef) -> TrialQuerySet:
        """The latest trial of each judge in the task."""
        return self.filter(task=task).order_by("judge_id", "-pk").distinct("judge_id")


class Trial(Asked):
    """A judge's answer on one pair of a task: ``result`` describes it, ``answer`` is the end of its text."""

    topic = models.CharField(max_length=255, db_collation="C")
    docno = models.CharField(max_length=255, db_collation="C")
    result = models.TextField(blank=True, editable=False)
    answer = models.TextField(blank=True, editable=False)

    objects = TrialQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, result="", error="")
                | (Q(ended_at__isnull=False) & (Q(result="") ^ Q(error=""))),
                name="trial_ends_with_a_result_or_an_error",
            )
        ]

    def __str__(self) -> str:
        return f"{self.judge} on {self.topic} {self.docno}"

    @property
    def answer_parts(self) -> list[AnswerPart]:
        """The answer, cut where a number stands behind a marker: the one that was read, and others."""
        return marked_parts(self.answer, reading_form(self.judge.settings)) if self.answer else []


class Comparison(Asked):
    """A judge's answers to two prompts on the same pairs of a pool.

    ``versions`` are the two prompts: name, template, form of answer. ``rows`` has each pair's topic, docno
    and at the end two answers: score (null for a gap), text, error (the reason of the gap), cost in micros.
    """

    versions = models.JSONField(editable=False)
    rows = models.JSONField(editable=False)

    longest: ClassVar = 2 * LONGEST  # each version as long as a trial
    objects = AskedQuerySet["Comparison"].as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        first, second = (version["name"] for version in self.versions)
        return f"{self.judge}: {first} and {second}"
