"""Files that organizers bring in: what each was to add, what is wrong with it, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.models.blob import Blob
from evaluation.models.people import User
from evaluation.models.team import Team
from evaluation.models.track import Task

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser


class ImportKind(models.TextChoices):
    """What a file holds."""

    TOPICS = "topics", "topics: JSON lines, CSV, TSV or TREC's <top>"
    COLLECTION = "collection", "documents: zip of images and captions, Parquet, JSON lines"
    DOCNOS = "docnos", "documents by docno alone: one a line"
    RUNS = "runs", "baseline runs: zip of run files"
    QRELS = "qrels", "qrels: topic 0 docno grade"


class ImportState(models.TextChoices):
    """An import is received, tried without storing anything, confirmed by a person, and done, or failed."""

    RECEIVED = "received", "waiting"
    TRYING = "trying", "being tried"
    TRIED = "tried", "tried, not confirmed"
    CONFIRMED = "confirmed", "confirmed, waiting"
    ADDING = "adding", "being added"
    DONE = "done", "done"
    FAILED = "failed", "failed"


WORKING = {ImportState.RECEIVED: ImportState.TRYING, ImportState.CONFIRMED: ImportState.ADDING}


class ImportQuerySet(models.QuerySet["Import"]):
    """Reads of imports."""

    def visible_to(self, user: User | AnonymousUser) -> ImportQuerySet:
        """Organizers only."""
        return self.filter(task__in=Task.objects.organized_by(user))


class Import(models.Model):
    """One file brought in for a task, its trial and its outcome. ``upload`` is keyed by the file's SHA-256.

    ``options`` are what the kind needs besides: the state of new topics, or name and kind of qrels.
    ``counts`` tell how many are ``added``, ``changed``, ``same`` and ``refused``; ``faults`` are those
    of core.imports. ``seen_count`` grows while a worker is at it; ``seen_at`` says that it lives.
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="imports")
    kind = models.CharField(max_length=10, choices=ImportKind)
    upload = models.ForeignKey(Blob, models.PROTECT, related_name="+")
    file_name = models.CharField(max_length=255)
    team = models.ForeignKey(Team, models.PROTECT, null=True, related_name="+")
    options = models.JSONField(default=dict)
    state = models.CharField(max_length=9, choices=ImportState, default=ImportState.RECEIVED)
    seen_count = models.PositiveIntegerField(default=0)
    seen_at = models.DateTimeField(db_default=Now())
    counts = models.JSONField(null=True)
    faults = models.JSONField(default=list)
    error = models.TextField(blank=True)
    received_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    received_at = models.DateTimeField(db_default=Now())
    confirmed_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    confirmed_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    objects = ImportQuerySet.as_manager()

    class Meta:
        ordering = ["-received_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind=ImportKind.RUNS, team__isnull=False)
                | (~Q(kind=ImportKind.RUNS) & Q(team__isnull=True)),
                name="import_team_iff_runs",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=("confirmed", "adding", "done"))
                | Q(confirmed_by__isnull=False, confirmed_at__isnull=False),
                name="import_is_confirmed_by_somebody",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=("tried", "done")) | Q(counts__isnull=False),
                name="import_counts_once_tried",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="an_import_stays_as_it_came",
                fields=["task", "kind", "upload", "file_name", "team", "received_by", "received_at"],
            ),
            pgtrigger.Protect(name="imports_are_never_deleted", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.file_name

    @property
    def total_count(self) -> int:
        """Records that the trial found, refused ones left out."""
        return sum(count for name, count in (self.counts or {}).items() if name != "refused")

    @property
    def is_at_work(self) -> bool:
        """Whether a worker has it or will take it up."""
        return self.state in {*WORKING, *WORKING.values()}
