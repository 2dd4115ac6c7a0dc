"""Calls: one pair and one judge, and the outcome."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import pgtrigger
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Q

from evaluation.collections.seen import SeenFields, seen_of_what_is_shown
from evaluation.tracks.visibility import OrganizedQuerySet

CONTROL = "control"  # the first word of a control's name; no topic or document has a blank in its name


class CallState(models.TextChoices):
    """Waiting for a score, scored, or failed with its outcome as the reason."""

    WAITING = "waiting", "waiting"
    DONE = "done", "done"
    FAILED = "failed", "failed"


class SingleFloatField(models.FloatField):  # type: ignore[type-arg]
    """A 32-bit float, the precision of a cosine of 32-bit vectors."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        """Return PostgreSQL's name of the type."""
        return "real"


class CallQuerySet(OrganizedQuerySet["Call"]):
    """Reads of calls."""

    def of_pool(self) -> CallQuerySet:
        """Exclude canaries and controls, whose scores measure the judge and not a pair."""
        return self.filter(is_canary=False)

    def controls(self) -> CallQuerySet:
        """Pairs that are asked again with the pictures of another topic's item."""
        return self.filter(topic__startswith=f"{CONTROL} ")

    def waiting(self) -> CallQuerySet:
        """Pairs without an outcome."""
        return self.filter(state=CallState.WAITING)

    def scored(self) -> CallQuerySet:
        """Pairs with a raw score."""
        return self.filter(state=CallState.DONE)

    def raw_scores(self) -> list[float]:
        """Return the raw scores of the pool's scored pairs, in no order."""
        rows = self.scored().of_pool().order_by().values_list("raw_score", flat=True)
        return [raw_score for raw_score in rows if raw_score is not None]

    def failed(self) -> CallQuerySet:
        """Gaps: pairs that ended without a score."""
        return self.filter(state=CallState.FAILED)


class Call(SeenFields):
    """One pair of a job and its outcome. A failure has an outcome with the reason and no score.

    ``attempt_count`` counts finished tries. ``expected_score`` is the mean score by the
    probabilities of the answer's tokens. ``is_from_store`` marks an answer that another job paid for,
    ``is_canary`` a canary or a control, which is not in the pool.

    ``topic_input``, ``document_input`` and ``request_key`` are set when the job is planned: the SHA-256 of
    the judge's input on either side, and of everything that determines the answer. So are ``seen``
    and ``shown_sha256``, the hash of the document as people are shown it. ``raw_answer``,
    ``finish_reason`` and ``latency_ms`` belong to judges that answer in text; encoders leave them empty.
    """

    job = models.ForeignKey("judges.Job", models.PROTECT, related_name="calls")
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

    task_path: ClassVar = "job__pool__task"
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
                condition=(
                    Q(is_canary=True, docno=models.F("topic"))
                    & (Q(topic__startswith="canary ") | Q(topic__startswith=f"{CONTROL} "))
                )
                | (Q(is_canary=False) & ~Q(topic__contains=" ")),
                name="call_of_a_canary_iff_named_so",
            ),
            seen_of_what_is_shown("call"),
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


class Ending(NamedTuple):
    """The result of a call, by primary key: the outcome "ok" with a raw score, or a gap without one."""

    call_id: int
    outcome: str
    raw_score: float | None = None
    cosine: float | None = None
    expected_score: float | None = None
    raw_answer: str = ""
