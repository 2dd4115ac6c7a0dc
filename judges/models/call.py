"""Calls: what a judge said about each pair of a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pgtrigger
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Q

from judges.models.job import Job

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from evaluation.models import User


class CallState(models.TextChoices):
    """Waiting for a score, scored, or failed for a reason that its outcome names."""

    WAITING = "waiting", "waiting"
    DONE = "done", "done"
    FAILED = "failed", "failed"


class SingleFloatField(models.FloatField):  # type: ignore[type-arg]
    """A 32-bit float, which is what a cosine of 32-bit vectors holds."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        """PostgreSQL's name of the type."""
        return "real"


class CallQuerySet(models.QuerySet["Call"]):
    """Reads of calls."""

    def visible_to(self, user: User | AnonymousUser) -> CallQuerySet:
        """Those of the jobs one may see."""
        return self.filter(job__in=Job.objects.visible_to(user))

    def of_pool(self) -> CallQuerySet:
        """Without the canaries, whose scores tell of the judge and not of a pair."""
        return self.filter(is_canary=False)

    def waiting(self) -> CallQuerySet:
        """Pairs without an ending."""
        return self.filter(state=CallState.WAITING)

    def scored(self) -> CallQuerySet:
        """Pairs with a raw score."""
        return self.filter(state=CallState.DONE)

    def raw_scores(self) -> list[float]:
        """The raw scores of the pool's scored pairs, in no order."""
        found = self.scored().of_pool().order_by().values_list("raw_score", flat=True)
        return [raw_score for raw_score in found if raw_score is not None]

    def failed(self) -> CallQuerySet:
        """Gaps: pairs that ended without a score."""
        return self.filter(state=CallState.FAILED)


class Call(models.Model):
    """One pair of a job and what became of it. A failure is an outcome with a reason and has no score.

    ``attempt_count`` counts tries that ended. ``expected_score`` is the mean by the probabilities of the
    answer's tokens, beside the score that was parsed. ``is_from_store`` marks an answer that another job had
    paid for, ``is_canary`` a pair of the standing set, which is no part of the pool.

    ``topic_input``, ``document_input`` and ``request_key`` are set when the job is planned: the SHA-256 of
    what the judge is shown on either side, and of everything that determines the answer. ``raw_answer``,
    ``finish_reason`` and ``latency_ms`` belong to judges that answer in words; encoders leave them empty.
    """

    job = models.ForeignKey(Job, models.PROTECT, related_name="calls")
    topic = models.CharField(max_length=255, db_collation="C")
    docno = models.CharField(max_length=255, db_collation="C")
    state = models.CharField(max_length=8, choices=CallState, db_default=CallState.WAITING)
    topic_input = models.CharField(max_length=64, db_default="")
    document_input = models.CharField(max_length=64, db_default="")
    request_key = models.CharField(max_length=64, db_default="")
    raw_answer = models.TextField(db_default="")
    finish_reason = models.CharField(max_length=24, db_default="")
    outcome = models.CharField(max_length=24, db_default="")
    cosine = SingleFloatField(null=True)
    raw_score = models.FloatField(null=True)
    expected_score = models.FloatField(null=True)
    input_tokens = models.PositiveIntegerField(null=True)
    output_tokens = models.PositiveIntegerField(null=True)
    is_from_store = models.BooleanField(db_default=False)
    is_canary = models.BooleanField(default=False, db_default=False, editable=False)
    latency_ms = models.PositiveIntegerField(null=True)
    attempt_count = models.PositiveSmallIntegerField(db_default=0)
    code_version = models.CharField(max_length=64, db_default="")
    ended_at = models.DateTimeField(null=True)

    objects = CallQuerySet.as_manager()

    class Meta:
        ordering = ["job", "topic", "docno"]
        constraints = [
            models.UniqueConstraint(fields=["job", "topic", "docno"], name="call_once_a_pair"),
            models.CheckConstraint(
                condition=Q(
                    state=CallState.WAITING, outcome="", raw_score__isnull=True, ended_at__isnull=True
                )
                | Q(
                    state=CallState.DONE,
                    outcome__startswith="ok",
                    raw_score__isnull=False,
                    ended_at__isnull=False,
                )
                | (
                    Q(
                        state=CallState.FAILED,
                        raw_score__isnull=True,
                        cosine__isnull=True,
                        ended_at__isnull=False,
                    )
                    & ~Q(outcome="")
                    & ~Q(outcome__startswith="ok")
                ),
                name="call_score_iff_done",
            ),
            models.CheckConstraint(
                condition=Q(raw_score__isnull=True) | Q(raw_score__lt=float("inf")),
                name="call_score_is_finite",
            ),
            models.CheckConstraint(
                condition=Q(is_canary=True, topic__startswith="canary ", docno=models.F("topic"))
                | (Q(is_canary=False) & ~Q(topic__contains=" ")),
                name="call_of_a_canary_iff_named_so",
            ),
        ]
        indexes = [
            models.Index(fields=["job", "request_key"], name="call_of_request"),
            models.Index(fields=["request_key"], condition=Q(state="done"), name="call_answer_in_store"),
        ]
        triggers = [
            pgtrigger.Protect(
                name="done_calls_are_immutable",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__state=CallState.DONE),
            ),
            pgtrigger.Protect(name="calls_are_never_deleted", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.docno}"
