"""Operations: what organizers do to a whole pool or task, run by a worker."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.platform.access.people import User
from evaluation.tracks.models import Task
from evaluation.tracks.work.models import LongWork, LongWorkQuerySet

SHOWN_FOR = timedelta(days=1)  # an ended operation stays on the pages that start operations
MOST_SHOWN = 3
KINDS: dict[str, Any] = {}  # by name, each an ``actions.OperationKind``


class OperationOutcome(models.TextChoices):
    """How an operation ended."""

    DONE = "done", "done"
    REFUSED = "refused", "refused"
    FAILED = "failed", "failed"


class OperationQuerySet(LongWorkQuerySet["Operation"]):
    """Queryset of operations."""

    def open(self) -> OperationQuerySet:
        """Operations that have not ended: waiting, running or parked."""
        return self.filter(ended_at__isnull=True)

    def recent(self, task: Task) -> RecentOperations:
        """Return the task's open operations, and the latest ones that ended within a day; latest first."""
        of_task = self.filter(task=task).select_related("requested_by", "task__track")
        ended = of_task.filter(ended_at__gte=Now() - SHOWN_FOR).order_by("-ended_at", "-pk")
        return RecentOperations([*of_task.open(), *ended[:MOST_SHOWN]])


class RecentOperations(list["Operation"]):
    """Operations for the pages that start some; a page polls while one of them is pending."""

    @property
    def has_pending(self) -> bool:
        """Whether one of them waits or runs."""
        return any(operation.is_pending for operation in self)


class Operation(LongWork):
    """One operation on a task: its kind, what it is about, its options and its outcome.

    ``kind`` is the name of a registered ``OperationKind``. ``about`` names its object, such as a pool: one
    operation of a kind about one object is open at a time. ``options`` are the checked values of the form.
    ``message`` is the text for organizers: what was done, or why not. ``findings`` are values for a page,
    null for most kinds.
    """

    task_name = "evaluation.run_operations"

    task = models.ForeignKey(Task, models.PROTECT, related_name="operations")
    kind = models.CharField(max_length=30)
    about = models.CharField(max_length=150, blank=True)
    options = models.JSONField(default=dict)
    requested_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    requested_at = models.DateTimeField(db_default=Now())
    outcome = models.CharField(max_length=7, choices=OperationOutcome, blank=True)
    message = models.TextField(blank=True)
    findings = models.JSONField(null=True)
    ended_at = models.DateTimeField(null=True)

    objects = OperationQuerySet.as_manager()

    class Meta:
        ordering = ["-requested_at", "-pk"]
        constraints = [
            *LongWork.Meta.constraints,
            models.UniqueConstraint(
                fields=["task", "kind", "about"],
                condition=Q(ended_at__isnull=True),
                name="operation_open_once",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, outcome="", queued_at__isnull=False)
                | Q(
                    ended_at__isnull=False, outcome__in=("done", "refused", "failed"), queued_at__isnull=True
                ),
                name="operation_is_queued_or_ended",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="an_operation_stays_as_requested",
                fields=["task", "kind", "about", "options", "requested_by", "requested_at"],
            ),
            pgtrigger.Protect(
                name="an_ended_operation_stays",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__ended_at__isnull=False),
            ),
            pgtrigger.Protect(name="operations_are_never_deleted", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.about}".strip()

    @property
    def state(self) -> str:
        """Return the outcome, or what it waits for: waiting, running or parked."""
        return self.outcome or ("parked" if self.is_parked else "running" if self.claim else "waiting")

    @property
    def title(self) -> str:
        """Return the title of its kind."""
        return str(KINDS[self.kind].title)

    @property
    def address(self) -> str:
        """Return the address of the page with the result; empty unless it is done."""
        return str(KINDS[self.kind].address(self)) if self.outcome == OperationOutcome.DONE else ""

    @property
    def link(self) -> str:
        """Return the text of the link to the result."""
        return str(KINDS[self.kind].link)

    @property
    def is_pending(self) -> bool:
        """Whether it is queued or claimed, and not parked."""
        return self.ended_at is None and not self.is_parked
